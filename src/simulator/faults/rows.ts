import { isFeeReference } from "../../contract/fee-row.ts";
import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Booking, RowLook } from "../books/booking.ts";
import type { RebookJob } from "../scheduling/job.ts";
import type { Fault } from "../fault.ts";
import { numeral } from "../books/row.ts";
import type { World } from "../world.ts";

/** The reference and narration of a row that reverses a booking. */
function lookOf(how: string, booking: Booking, world: World): RowLook {
  const { reference, transactionId, rowReference, narration } = booking;
  if (how === "same" || how === "negative") {
    return { reference: rowReference, narration, isNegative: how === "negative" };
  }
  if (how === "named") {
    return { reference: world.draw.id(), narration: `Reversal of ${reference}`, isNegative: false };
  }
  const names = { "{reference}": reference, "{id}": transactionId, "{row}": rowReference };
  const name = Object.entries(names).reduce((form, [hole, value]) => form.replaceAll(hole, value), how);
  return { reference: name, narration: "Reversal", isNegative: false };
}

/** The bookings that a fault adds: a reversal, and where the order is booked again, that. */
export function rebookings({ name, text, timeMs }: Fault, booking: Booking, nowMs: number, world: World): RebookJob[] {
  const atMs = nowMs + timeMs;
  const back = { kind: "rebook", way: "back", atMs, booking, look: lookOf(text, booking, world) } as const;
  if (name === "reverse-row") return [back];
  const look = { reference: booking.rowReference, narration: booking.narration, isNegative: false };
  return name === "rebook-row" ? [back, { kind: "rebook", way: "forth", atMs, booking, look }] : [];
}

/** Merges an order's rows with those before them on the same side: two movements that the bank shows as one. */
export function mergeOrderRows({ account, to }: Booking, rows: readonly JsonObject[], world: World): void {
  for (const [index, accountNo] of [account, to].entries()) {
    const row = rows[index];
    if (accountNo !== undefined && row !== undefined) mergeWithEarlier(row, world.wallet(accountNo).entries);
  }
}

function mergeWithEarlier(row: JsonObject, entries: JsonObject[]): void {
  const at = entries.indexOf(row);
  const earlier = entries.findLastIndex(
    (one, index) => index < at && one["debitOrCredit"] === row["debitOrCredit"] && !isFee(one),
  );
  const before = entries[earlier];
  if (before === undefined) return;
  const sum = (name: string) => numeral(amountIn(before, name).add(amountIn(row, name)));
  const amounts = { amountCredited: sum("amountCredited"), amountDebited: sum("amountDebited") };
  const named = { tranRefNo: before["tranRefNo"] ?? null, narration: before["narration"] ?? null };
  entries.splice(at, 1, { ...row, ...named, ...amounts });
  entries.splice(earlier, 1);
}

function isFee({ tranRefNo }: JsonObject): boolean {
  return typeof tranRefNo === "string" && isFeeReference(tranRefNo);
}

function amountIn(row: JsonObject, name: string): Decimal {
  return amountOf(row[name]) ?? Decimal.zero;
}

/** A row as a statement shows it, under a fault that hit it when it was booked. */
export function faultyRow({ name, timeMs }: Fault, row: JsonObject, bookedAtMs: number, nowMs: number): JsonObject[] {
  if (name === "lose-row") return [];
  if (name === "late-row") return nowMs < bookedAtMs + timeMs ? [] : [row];
  if (name === "double-row") return [row, row];
  return name === "wrong-row" ? [withOneMore(row)] : [row];
}

/** A statement's rows as they are served under a fault. The books are unchanged. */
export function shownStatement({ name, count }: Fault, rows: readonly JsonObject[]): readonly JsonObject[] {
  if (name === "empty-statement") return [];
  if (name === "short-statement") return rows.slice(0, count);
  if (name === "double-statement") return rows.flatMap((row) => [row, row]);
  if (name === "wrong-statement") return rows.map(withOneMore);
  return name === "reorder-statement" ? rows.toReversed() : rows;
}

/** The row with one added to each of its amounts; its balance is unchanged. */
export function withOneMore(row: JsonObject): JsonObject {
  const more = Object.entries(row).map(([name, value]) => {
    const amount = name.startsWith("amount") ? amountOf(value) : undefined;
    return [name, amount === undefined || amount === null || amount.isZero ? value : numeral(amount.add(one))] as const;
  });
  return Object.fromEntries(more);
}

const one = new Decimal(1, 0);
