import { answerIds } from "../evidence/answer-ids.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement, MovementState } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { firstAmount, payerOf, requestOf } from "../journal/requests/movement-request.ts";
import type { Ledger, LedgerAccount } from "../ledger/ledger.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import type { BookedRow, Scope } from "./booked-row.ts";
import { dayAfter, earlierDebits, rowsOf } from "./booked-row.ts";
import { OrderRows } from "./order-rows.ts";
import { ordersThen } from "./orders-then.ts";
import type { Kinds } from "./kinds.ts";

/** For this many days, an order without a row counts as in transit. */
const inTransitDays = 2;
const dayMs = 24 * 60 * 60 * 1000;

/** An item that needs a person's attention. */
export interface OpenItem {
  readonly state: "unknown" | "pending" | "unmatched" | "in transit";
  readonly kind: string;
  readonly reference: string;
  readonly account: string;
  /** Above zero for money in; null where the amount isn't known. */
  readonly amount: Decimal | null;
  readonly currency: string;
  readonly since: string;
  readonly ageDays: number;
  readonly note: string;
}

const noOrder = "money left, and no order of this journal says why";
const secondDebit = "money left again for an order that this journal placed once";
const debitOfReversed = "money left again for an order that this journal has as reversed";

interface Look {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** The account's scope, as `accountScope` names it. */
  readonly account: string;
  /** The rows of all accounts: a collection names no wallet, and belongs to the one with its row. */
  readonly rows: Scope;
  /** The accounts to show items of; default: all. */
  readonly wanted?: readonly LedgerAccount[] | undefined;
  readonly kinds: Kinds;
  /** Milliseconds since 1970 UTC; ages are counted up to it. */
  readonly nowMs: number;
  /** Orders opened later are ignored; default: none, since a clock can have been ahead. */
  readonly untilMs?: number | undefined;
  /** The last day on which an order of the period may be booked, `YYYY-MM-DD`. */
  readonly bookedUntil: string;
}

/**
 * Open items, oldest first: orders without an outcome or without a row; orders that were reversed, although the
 * journal has them as accepted; and debits without an order, or beyond the first one of an order. Debits that came back
 * are left out.
 */
export async function openItems(look: Look): Promise<readonly OpenItem[]> {
  const { journal, ledger, account, rows, kinds, nowMs, untilMs = Infinity } = look;
  const booked = new Set<string>();
  const ofFees = new Map<string, readonly string[]>();
  const items: OpenItem[] = [];
  const orders = new OrderRows();
  const movements: Movement[] = [];
  const states: readonly MovementState[] = ["unknown", "pending", "accepted", "reversed"];
  const { asOf } = rows;
  const listed = asOf === undefined ? journal.list({ scope: account, states }) : ordersThen(journal, account, asOf);
  for await (const movement of listed) {
    if (!states.includes(movement.state)) continue;
    orders.add(movement);
    if (movement.openedAt > untilMs) continue;
    const isOpen = movement.state === "unknown" || movement.state === "pending";
    if (isOpen || isCovered(movement, rows)) movements.push(movement);
  }
  for await (const row of rowsOf(ledger, rows)) {
    if (row.facts.isFee) {
      for (const id of row.ids) ofFees.set(id, row.ids);
      continue;
    }
    for (const id of row.ids) booked.add(id);
    if (!orders.take(row) && row.change.sign < 0 && kinds.of(row) !== "own transfer")
      items.push(rowItem(row, nowMs, noOrder));
  }
  for await (const row of rowsOf(ledger, { ...rows, startDay: dayAfter(rows.endDay), endDay: look.bookedUntil })) {
    if (row.facts.isFee) for (const id of row.ids) ofFees.set(id, row.ids);
    else for (const id of row.ids) booked.add(id);
    orders.bookLater(row);
  }
  for (const { row, isOfReversed } of orders.further())
    items.push(rowItem(row, nowMs, isOfReversed ? debitOfReversed : secondDebit));
  const start = Date.parse(`${rows.startDay}T00:00:00+03:00`);
  for (const { row, astray } of orders.ownOfBefore(start))
    if ((await earlierDebits(ledger, row, rows.startDay)) > astray) items.push(rowItem(row, nowMs, secondDebit));
  for (const { order, row } of orders.takenBack())
    items.push({
      ...rowItem(row, nowMs, `it was reversed as ${row.facts.reference}, and is still accepted in the journal`),
      kind: movementForms[order.kind].noun,
      reference: order.reference,
    });
  for (const { order, row, amounts } of orders.ofOtherAmounts())
    items.push({
      ...rowItem(row, nowMs, `another amount was ordered: ${wordsOf(amounts, row)}`),
      kind: movementForms[order.kind].noun,
      reference: order.reference,
    });
  const shown = items.filter((item) => isOf(item, look));
  for (const movement of movements) {
    const ids = idsOf(movement);
    const bookedIn = orders.bookedIn(movement);
    // Where an answer was lost, the order lacks the service's own id of a payout, but the fee has it.
    const paidIds = ids.flatMap((id) => ofFees.get(id) ?? []).filter((id) => !ids.includes(id));
    const isBooked = bookedIn !== undefined || paidIds.some((id) => booked.has(id));
    const item = orderItem(movement, isBooked, look);
    const wallet = movement.kind === "collect" ? bookedIn : undefined;
    if (item !== undefined && isOf({ ...item, account: wallet ?? item.account }, look)) shown.push(item);
  }
  return shown.toSorted((a, b) => b.ageDays - a.ageDays);
}

/** True for an item to show. A collection without a row may arrive in any account of its currency. */
function isOf({ account, kind, currency }: OpenItem, { rows, wanted = rows.accounts }: Look): boolean {
  if (wanted.length === rows.accounts.length || wanted.some(({ accountNo }) => accountNo === account)) return true;
  const isBooked = rows.accounts.some(({ accountNo }) => accountNo === account);
  return kind === movementForms.collect.noun && !isBooked && wanted.some((each) => each.currency === currency);
}

function rowItem({ facts, change, account }: BookedRow, nowMs: number, note: string): OpenItem {
  return {
    state: "unmatched",
    kind: "row",
    reference: facts.reference,
    account: account.accountNo,
    amount: change,
    currency: account.currency,
    since: facts.time,
    ageDays: ageOf(Date.parse(`${facts.day}T00:00:00+03:00`), nowMs),
    note,
  };
}

/** `7,000.00`; a remittance has an amount of its sender, too. */
function wordsOf(amounts: readonly Decimal[], { account }: BookedRow): string {
  return amounts.map((amount) => formatMoney(amount, account.currency)).join(" or ");
}

/** True for an accepted order of the scope's days, if its wallet is among the accounts. */
function isCovered({ state, kind, request, openedAt }: Movement, { accounts, startDay, endDay }: Scope): boolean {
  if (state !== "accepted") return false;
  const day = dayInDarEsSalaam(openedAt).toString();
  const wallet = movementForms[kind].direction === "leaves" ? payerOf(kind, requestOf({ request })) : undefined;
  const own = wallet === undefined ? accounts : accounts.filter(({ accountNo }) => accountNo === wallet);
  const isHeld = own.some(({ firstDay }) => firstDay !== null && firstDay <= day);
  return isHeld && day >= startDay && day <= endDay;
}

function orderItem(movement: Movement, isBooked: boolean, { rows, nowMs, bookedUntil }: Look): OpenItem | undefined {
  const { kind, state, reference, openedAt, note } = movement;
  if (state === "accepted" && isBooked) return undefined;
  const ageDays = ageOf(openedAt, nowMs);
  const request = requestOf(movement);
  const moved = firstAmount(kind, request);
  const isLeaving = movementForms[kind].direction === "leaves";
  const payer = payerOf(kind, request) ?? "";
  const isOver = bookedUntil <= dayInDarEsSalaam(nowMs).toString();
  return {
    state: state === "unknown" || state === "pending" ? state : ageDays <= inTransitDays ? "in transit" : "unmatched",
    kind: movementForms[kind].noun,
    reference,
    account: payer,
    amount: moved === undefined ? null : isLeaving ? moved.amount.negate() : moved.amount,
    currency: moved?.currency ?? rows.accounts.find(({ accountNo }) => accountNo === payer)?.currency ?? "",
    since: isoDarEsSalaam(openedAt),
    ageDays,
    note: state === "accepted" ? `the ledger has no row of it${isOver ? ` up to ${bookedUntil}` : ""}` : (note ?? ""),
  };
}

function idsOf(movement: Movement): readonly string[] {
  return [movement.reference, ...answerIds(movement)];
}

function ageOf(sinceMs: number, nowMs: number): number {
  return Number.isNaN(sinceMs) ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / dayMs));
}
