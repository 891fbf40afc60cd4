import { counted } from "../values/text/counted.ts";
import { nameRow } from "./finding.ts";
import type { LookupResult } from "./inquiry.ts";

/** What a statement shows of an order whose row it lacks. */
export const sawNothing = "No row of the statement carries its reference or names it.";

/** What the statements show of an order, in whole sentences. */
export function sawWords(result: LookupResult): string {
  if (result.kind === "unread") return `The statement cannot be read: ${result.failure.message}`;
  if (result.kind === "proved") return `The statement shows ${nameRow(result.row)}.`;
  if (result.kind === "reversed")
    return `The statement shows ${nameRow(result.row)}, and that ${nameRow(result.back)}, reversed it.`;
  if (result.kind === "nothing") return `${sawNothing} That proves nothing yet; look again later.`;
  const rows = result.seen.map(({ row, why }) => `${nameRow(row)}, ${why}`);
  return `${counted(rows.length, "row")} may have to do with it and ${rows.length === 1 ? "decides" : "decide"} nothing: ${rows.join("; ")}.`;
}
