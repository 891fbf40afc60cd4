import { Day } from "../../../values/time/day.ts";
import type { RowStores } from "../matching/sides.ts";
import type { Result } from "../result/result.ts";
import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import type { Carry } from "./carry.ts";
import { likeKey } from "./carry.ts";
import { joined } from "../rows/verdicts.ts";
import type { LastDays, CarriedItem, SettledItem } from "./carry-file.ts";

const openAlone = new Set([
  "in transit",
  "only in statement",
  "only in book",
  "fee not in book",
  "orphan fee",
  "ambiguous",
  "duplicate",
]);

/** Classes of rows that belong together. What pairs differ by is open on its own. */
const settling = new Set(["matched", "differing", "net of fee", "probable", "duplicate"]);

/** What is open at the end of the month: rows without a counterpart, and what pairs differ by. */
export function carriedItems(sides: RowStores, result: Result, carry: Carry): readonly CarriedItem[] {
  const { statement, book } = sides;
  const items: CarriedItem[] = [];
  const taken = new Taken(sides);
  for (let row = 0; row < statement.count; row += 1)
    if (statement.counts(row) && statement.hasAmount(row) && statement.dayOf(row) !== noDay && isOpenRow(sides, row))
      items.push({ ...itemOf(sides, "statement", row, carry), settled: taken.countLike(row) });
  for (let entry = 0; entry < book.count; entry += 1)
    if (book.counts(entry) && !isUnknown(book, entry) && isOpen(sides, "book", entry))
      items.push(itemOf(sides, "book", entry, carry));
  return [...items, ...differences(sides, result, { carry, taken }), ...feesToCome(sides, carry)];
}

/** What the book has deducted from its entries already, and the bank takes after the period. */
function* feesToCome(sides: RowStores, carry: Carry): Generator<CarriedItem> {
  const { statement, book, span } = sides;
  for (let fee = 0; fee < statement.count; fee += 1) {
    if (statement.verdictOf(fee) !== joined || span.sideOf(statement.dayOf(fee)) <= 0) continue;
    const row = statement.partnerOf(fee);
    const entry = row === undefined ? undefined : statement.partnerOf(row);
    if (row === undefined || entry === undefined || (!statement.counts(row) && !book.counts(entry))) continue;
    if (span.sideOf(statement.dayOf(row)) > 0 || span.sideOf(book.dayOf(entry)) > 0) continue;
    const { reference, amount, narration } = itemOf(sides, "statement", fee, carry);
    yield { ...itemOf(sides, "book", entry, carry), reference, amount, narration };
  }
}

function isUnknown(book: RowStore, entry: number): boolean {
  return book.isPerhaps(entry) && book.partnerOf(entry) === undefined;
}

type Side = "statement" | "book";

/** A pair with a half after the period is open, and a row that only an entry of an earlier month is like. */
function isOpen(sides: RowStores, name: Side, row: number): boolean {
  const [side, other] = name === "statement" ? [sides.statement, sides.book] : [sides.book, sides.statement];
  const [verdict = "", partner] = [side.verdictOf(row), side.partnerOf(row)];
  if (partner === undefined) return openAlone.has(verdict);
  if (name === "statement" && other.isSettled(partner)) return true;
  const isSplit = sides.span.sideOf(other.dayOf(partner)) > 0;
  return verdict === "in transit" || (verdict === "duplicate" && isSplit);
}

/** A fee that is joined to its payment is open as long as the payment is. */
function isOpenRow(sides: RowStores, row: number): boolean {
  const parent = sides.statement.partnerOf(row);
  const isJoined = sides.statement.verdictOf(row) === joined && parent !== undefined;
  return isOpen(sides, "statement", isJoined ? parent : row);
}

/** What the month was reconciled with in its last days. */
export function lastDaysOf(sides: RowStores): LastDays {
  const { span, texts, codes } = sides;
  const settled: SettledItem[] = [];
  for (const name of ["statement", "book"] as const) {
    const side = sides[name];
    for (let row = 0; row < side.count; row += 1) {
      if (!side.isInPeriod(row) || !side.hasAmount(row) || !span.isOfLastDays(side.dayOf(row))) continue;
      if (!isSettled(sides, name, row)) continue;
      const reference = texts.textOf(side.referenceOf(row));
      const amount = codes.amountOf(side.amountOf(row), side.scaleOf(row));
      settled.push({ side: name, reference, amount, day: new Day(side.dayOf(row)) });
    }
  }
  const { startDate, endDate } = span.period;
  const from = endDate.addDays(1 - span.windowDays);
  return { from: from.compare(startDate) < 0 ? startDate : from, settled };
}

function isSettled(sides: RowStores, name: Side, row: number): boolean {
  const [verdict, partner] = [sides[name].verdictOf(row), sides[name].partnerOf(row)];
  if (verdict === joined) return partner !== undefined && isSettled(sides, name, partner);
  if (verdict === "ignored") return true;
  return partner !== undefined && settling.has(verdict ?? "") && !isOpen(sides, name, row);
}

function itemOf(sides: RowStores, name: Side, row: number, carry: Carry): CarriedItem {
  const { texts, codes } = sides;
  const side = sides[name];
  return {
    side: name,
    reference: texts.textOf(side.referenceOf(row)),
    amount: codes.amountOf(side.amountOf(row), side.scaleOf(row)),
    day: new Day(side.dayOf(row)),
    ...side.textsOf(row),
    since: carry.since[name].get(row) ?? carry.month,
    feeOf: side.isFee(row) ? texts.textOf(side.parentOf(row)) : undefined,
    isDifference: name === "statement" && carry.differences.has(row),
    settled: 0,
  };
}

/** What remains to be corrected where a row and its entry have different amounts. */
function* differences(
  sides: RowStores,
  result: Result,
  { carry, taken }: { readonly carry: Carry; readonly taken: Taken },
): Generator<CarriedItem> {
  const { statement, book, codes } = sides;
  for (const { class: name, row, entry } of result.findings()) {
    if (name !== "differing" || row === undefined || entry === undefined) continue;
    const difference = codes.sumOf(statement.amountOf(row), codes.negative(book.amountOf(entry)));
    const item = itemOf(sides, "statement", row, carry);
    yield {
      ...item,
      since: carry.since.statement.get(row) ?? carry.since.book.get(entry) ?? carry.month,
      amount: codes.amountOf(difference, statement.scaleOf(row)),
      isDifference: true,
      settled: taken.countLike(row, difference),
      narration: `difference of ${item.narration.replace(/^difference of ?/, "")}`.trimEnd(),
    };
  }
}

/** Counts entries of the book that belong to a row, by the key that they share with open rows. */
class Taken {
  readonly #sides: RowStores;
  readonly #counts = new Map<string, number>();

  constructor(sides: RowStores) {
    const { book, span } = sides;
    this.#sides = sides;
    for (let entry = 0; entry < book.count; entry += 1) {
      const isTaken = book.partnerOf(entry) !== undefined || book.isSettled(entry);
      if (!isTaken || span.sideOf(book.dayOf(entry)) > 0) continue;
      const key = likeKey(book, entry);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** @param amount as a code; the open part of the row, where that is not all of it */
  countLike(row: number, amount = this.#sides.statement.amountOf(row)): number {
    return this.#counts.get(likeKey(this.#sides.statement, row, amount)) ?? 0;
  }
}
