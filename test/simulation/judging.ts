import type { Run } from "../partner.ts";
import type { Order } from "./orders.ts";
import { lateKinds } from "./orders.ts";

/** Exit codes that an order or a look-up may end with. */
export const documented: ReadonlySet<number> = new Set([0, 2, 3, 4, 5, 6, 130, 143]);
/** Exit codes that promise that the run moved nothing. */
export const harmless: ReadonlySet<number> = new Set([2, 3, 4, 5, 130, 143]);
/** States in which an order is not sent again. */
export const isTaken: ReadonlySet<string> = new Set(["accepted", "pending", "unknown", "sending"]);
/** How often money moved if a run reports this state of the order. */
const moneySaid: Readonly<Record<string, number>> = { accepted: 1, reversed: 1, refused: 0, unsent: 0 };

/** Facts about an order besides the run's own output. */
export interface Seen {
  /** Its state before the run. */
  readonly before: string;
  /** How often money moved for it during the run. */
  readonly movedNow: number;
  /** How often money moved for it in total. */
  readonly moved: number;
}

/** What is wrong with a run's own output, one sentence each. */
export function judge({ kind }: Order, { exit, stdout, stderr }: Run, { before, movedNow, moved }: Seen): string[] {
  const wrong: string[] = [];
  const [, said = ""] = /"state": "(\w+)"/.exec(stdout) ?? [];
  if (!documented.has(exit)) wrong.push(`exit ${exit}: ${stderr}`);
  if (exit === 3) wrong.push(`the journal takes no orders: ${stderr}`);
  if (harmless.has(exit) && movedNow > 0) wrong.push(`exit ${exit}, and money moved`);
  if (exit === 0 && !lateKinds.has(kind) && moved !== 1) wrong.push("exit 0, and no money moved");
  if (moneySaid[said] !== undefined && moneySaid[said] !== moved) wrong.push(`said to be ${said}: ${stdout}`);
  if (isTaken.has(before) && movedNow > 0) wrong.push(`it was ${before}, and moved money again`);
  if (isTaken.has(before) && exit !== 130 && exit !== (before === "unknown" || before === "sending" ? 6 : 0))
    wrong.push(`it was ${before}, and ended with ${exit}`);
  return wrong;
}
