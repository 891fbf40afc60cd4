import { counted } from "../values/text/counted.ts";
import { nameRow } from "./finding.ts";
import type { Insight } from "./inquiry.ts";

/** What a statement shows of an order whose row it lacks. */
export const sawNothing = "No row of the statement carries its reference or names it.";

/** What the statements show of an order, in whole sentences. */
export function sawWords(insight: Insight): string {
  if (insight.kind === "unread") return `The statement cannot be read: ${insight.failure.message}`;
  if (insight.kind === "proved") return `The statement shows ${nameRow(insight.row)}.`;
  if (insight.kind === "reversed")
    return `The statement shows ${nameRow(insight.row)}, and that ${nameRow(insight.back)}, took it back.`;
  if (insight.kind === "nothing") return `${sawNothing} That proves nothing yet; look again later.`;
  const rows = insight.seen.map(({ row, why }) => `${nameRow(row)}, ${why}`);
  return `${counted(rows.length, "row")} may have to do with it and ${rows.length === 1 ? "decides" : "decide"} nothing: ${rows.join("; ")}.`;
}
