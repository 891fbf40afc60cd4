import { answerIds } from "../evidence/answer-ids.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { firstAmount, movementForms, payerOf, requestOf } from "../journal/movement-kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { Scope } from "./booked-row.ts";
import { rowsOf } from "./booked-row.ts";
import type { Kinds } from "./kinds.ts";

/** An order without a row counts as in transit for so many days. */
const inTransitDays = 2;
const dayMs = 24 * 60 * 60 * 1000;

/** An item that needs a person's attention. */
export interface OpenItem {
  readonly state: "unknown" | "pending" | "unmatched" | "in transit";
  readonly kind: string;
  readonly reference: string;
  readonly account: string;
  /** Money in is above zero; null where the amount is not known. */
  readonly amount: Decimal | null;
  readonly currency: string;
  readonly since: string;
  readonly ageDays: number;
  readonly note: string;
}

interface Look {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** Of the account, as `accountScope` names it. */
  readonly account: string;
  readonly rows: Scope;
  readonly kinds: Kinds;
  /** Milliseconds since 1970 UTC: later orders are ignored. */
  readonly nowMs: number;
}

/** Orders without an outcome or without a row, and debits without an order; the oldest first. */
export async function openItems(look: Look): Promise<readonly OpenItem[]> {
  const { journal, ledger, account, rows, kinds, nowMs } = look;
  const booked = new Set<string>();
  const items: OpenItem[] = [];
  const orders = new Set<string>();
  const movements: Movement[] = [];
  for await (const movement of journal.list({
    scope: account,
    states: ["unknown", "pending", "accepted", "reversed"],
  })) {
    for (const id of [movement.reference, ...answerIds(movement)]) orders.add(id);
    if (movement.openedAt > nowMs) continue;
    const isOpen = movement.state === "unknown" || movement.state === "pending";
    if (isOpen || isCovered(movement, rows)) movements.push(movement);
  }
  for await (const row of rowsOf(ledger, rows)) {
    for (const id of row.ids) booked.add(id);
    const { facts, change } = row;
    if (facts.isFee || change.sign >= 0 || kinds.of(row) === "own transfer") continue;
    if (row.ids.some((id) => orders.has(id))) continue;
    items.push({
      state: "unmatched",
      kind: "row",
      reference: facts.reference,
      account: row.account.accountNo,
      amount: change,
      currency: row.account.currency,
      since: facts.time,
      ageDays: ageOf(Date.parse(`${facts.day}T00:00:00+03:00`), nowMs),
      note: "money left, and no order of this journal says why",
    });
  }
  for (const movement of movements) {
    const item = orderItem(movement, booked, nowMs);
    if (item !== undefined) items.push(item);
  }
  return items.toSorted((a, b) => b.ageDays - a.ageDays);
}

/** True for a finished order of days for which the ledger has the whole statement of its wallet. */
function isCovered({ state, kind, request, openedAt }: Movement, { accounts, startDay, endDay }: Scope): boolean {
  if (state !== "accepted") return false;
  const day = dayInDarEsSalaam(openedAt).toString();
  const wallet = movementForms[kind].direction === "leaves" ? payerOf(kind, requestOf({ request })) : undefined;
  const own = wallet === undefined ? accounts : accounts.filter(({ accountNo }) => accountNo === wallet);
  return own.length > 0 && day >= startDay && day <= endDay;
}

function orderItem(movement: Movement, booked: ReadonlySet<string>, nowMs: number): OpenItem | undefined {
  const { kind, state, reference, openedAt, note } = movement;
  const isBooked = [reference, ...answerIds(movement)].some((id) => booked.has(id));
  if (state === "accepted" && isBooked) return undefined;
  const ageDays = ageOf(openedAt, nowMs);
  const request = requestOf(movement);
  const moved = firstAmount(kind, request);
  const isLeaving = movementForms[kind].direction === "leaves";
  return {
    state: state === "unknown" || state === "pending" ? state : ageDays <= inTransitDays ? "in transit" : "unmatched",
    kind: movementForms[kind].noun,
    reference,
    account: payerOf(kind, request) ?? "",
    amount: moved === undefined ? null : isLeaving ? moved.amount.negate() : moved.amount,
    currency: moved?.currency ?? "",
    since: isoDarEsSalaam(openedAt),
    ageDays,
    note: state === "accepted" ? "the ledger has no row of it" : (note ?? ""),
  };
}

function ageOf(sinceMs: number, nowMs: number): number {
  return Number.isNaN(sinceMs) ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / dayMs));
}
