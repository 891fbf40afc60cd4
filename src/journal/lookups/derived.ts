import { DamageError } from "../../storage/failures.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { Day, startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import { keyRowOf, movementOf } from "../movement-row.ts";
import { likeKeysOf, nearForm } from "./order-keys.ts";
import { isKeptHash } from "../requests/request-hash.ts";
import type { MovementRow } from "../history/row.ts";
import { movementColumns, openRow, textColumn } from "../history/row.ts";
import { spendingOf } from "../spending.ts";

// Tables that follow from orders. Whoever can write to the database can change them without a trace in history, so
// verification computes them again and compares.

/** What verification reads of orders, with their lookup keys; `m` are the orders. */
export const keyedColumns = `m.*, k.movement AS keyed, k.like_key, k.near_key, k.standing, k.batch AS key_batch`;

const forgottenLike = /^redacted-[0-9a-f]{32}$/;
const hashForm = /^[0-9a-f]{64}$/;
const dayMs = 86_400_000;

/**
 * An order as it was written, after a check of its lookup keys. Of a redacted order, only the form of the `like` key
 * can be checked: the receiver that it was made from is gone.
 * @param record with `keyedColumns`
 * @throws {DamageError}
 */
export function openKeyed(record: unknown): MovementRow {
  const row = openRow(movementColumns, record);
  const { kind, scope, request } = movementOf(row, false);
  if (cell(record, "keyed") === null) throw new DamageError("it has no keys to be looked up by");
  const { like: own, near, standing, batch } = keyRowOf(row);
  const like = textColumn(record, "like_key");
  const isLike = isKeptHash(row.request_hash)
    ? forgottenLike.test(like) || hashForm.test(like)
    : like === own || likeKeysOf({ scope, kind }, request).includes(like);
  const isSame =
    isLike &&
    textColumn(record, "near_key") === near &&
    textColumn(record, "standing") === standing &&
    textColumn(record, "key_batch") === batch;
  if (!isSame) throw new DamageError("it is looked up by other keys than its own");
  return row;
}

/** @throws {DamageError} for a row of a statement with the lookup key of another reference */
export function checkSeen(records: readonly unknown[]): void {
  for (const record of records) {
    const reference = textColumn(record, "reference");
    if (nearForm(reference) !== textColumn(record, "near_form"))
      throw new DamageError(`the row that was seen under ${reference} is looked up by another reference`);
  }
}

/** What left each account on each day by the orders themselves, to be compared with the running sums of limits. */
export class DaySums {
  readonly #sums = new Map<string, Decimal>();

  add(row: MovementRow): void {
    const spending = spendingOf(movementOf(row, false));
    for (const [currency, amount] of spending?.sums ?? [])
      this.#change([spending?.scope ?? "", spending?.day ?? "", currency], amount);
  }

  /** Days that have another sum than is stored. @param stored lists of account, day, currency and amount */
  differing(stored: readonly (readonly string[])[]): readonly string[] {
    const left = new DaySums();
    for (const [key, amount] of this.#sums) left.#sums.set(key, amount);
    for (const [scope = "", day = "", currency = "", amount = ""] of stored)
      left.#change([scope, day, currency], readAmount(amount).negate());
    const days = [...left.#sums].flatMap(([key, amount]) => (amount.isZero ? [] : [textsIn(JSON.parse(key))[1] ?? ""]));
    return [...new Set(days)].toSorted();
  }

  #change(names: readonly string[], amount: Decimal): void {
    const key = JSON.stringify(names);
    this.#sums.set(key, (this.#sums.get(key) ?? Decimal.zero).add(amount));
  }
}

/** A stored sum, as `DaySums` compares it. */
export function storedSum(record: unknown): readonly string[] {
  return ["scope", "day", "currency", "amount"].map((name) => textColumn(record, name));
}

/**
 * Looks once more at a day whose sums differ: others may have ordered while the journal was read.
 * @param records the orders of that day and its stored sums (`sums`, a JSON list), as they were in one moment; without
 * orders one row that has the sums alone
 * @throws {DamageError} where they differ
 */
export function checkDay(day: string, records: readonly unknown[]): void {
  const sums = new DaySums();
  for (const record of records) if (cell(record, "number") !== null) sums.add(openRow(movementColumns, record));
  const text = cell(records[0], "sums");
  if (sums.differing(listsIn(typeof text === "string" ? text : "[]")).includes(day))
    throw new DamageError(`what left on ${day} for the limit of a day is not the sum of that day's orders`);
}

/**
 * The first moment of a stored day and of the next one, in milliseconds since 1970.
 * @throws {DamageError}
 */
export function boundsOf(day: string): readonly [from: number, to: number] {
  const parsed = Day.parse(day);
  if (parsed === undefined) throw new DamageError("a sum of it is of no day");
  const from = startOfDayInDarEsSalaam(parsed);
  return [from, from + dayMs];
}

function readAmount(text: string): Decimal {
  const amount = Decimal.parse(text);
  if (amount === undefined) throw new DamageError("a sum of it isn't a number");
  return amount;
}

function cell(record: unknown, name: string): unknown {
  return Reflect.get(Object(record), name) ?? null;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function listsIn(json: string): readonly (readonly string[])[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map((row) => textsIn(row)) : [];
}
