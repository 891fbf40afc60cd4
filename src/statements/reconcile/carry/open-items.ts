import { Day } from "../../../values/time/day.ts";
import type { RowStores } from "../matching/sides.ts";
import type { Result } from "../result/result.ts";
import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import type { Carry } from "./carry.ts";
import { likeKey } from "./carry.ts";
import type { OpenItem } from "./carry-file.ts";

const openAlone = new Set([
  "in transit",
  "only in statement",
  "only in book",
  "fee not in book",
  "orphan fee",
  "ambiguous",
  "duplicate",
]);

/** What is open at the end of the month: rows without a counterpart, and what pairs differ by. */
export function openItems(sides: RowStores, result: Result, carry: Carry): readonly OpenItem[] {
  const { statement, book } = sides;
  const items: OpenItem[] = [];
  const taken = new Taken(sides);
  for (let row = 0; row < statement.count; row += 1)
    if (statement.counts(row) && statement.hasAmount(row) && statement.dayOf(row) !== noDay && isOpenRow(sides, row))
      items.push({ ...itemOf(sides, "statement", row, carry), settled: taken.countLike(row) });
  for (let entry = 0; entry < book.count; entry += 1)
    if (book.counts(entry) && !isUnknown(book, entry) && isOpen(book, entry))
      items.push(itemOf(sides, "book", entry, carry));
  return [...items, ...differences(sides, result, { carry, taken })];
}

function isUnknown(book: RowStore, entry: number): boolean {
  return book.isPerhaps(entry) && book.partnerOf(entry) === undefined;
}

function isOpen(side: RowStore, row: number): boolean {
  const verdict = side.verdictOf(row) ?? "";
  return openAlone.has(verdict) && (verdict === "in transit" || side.partnerOf(row) === undefined);
}

/** A fee that is joined to its payment is open as long as the payment is. */
function isOpenRow({ statement }: RowStores, row: number): boolean {
  const parent = statement.partnerOf(row);
  if (statement.verdictOf(row) !== "joined" || parent === undefined) return isOpen(statement, row);
  return isOpen(statement, parent);
}

function itemOf(sides: RowStores, name: "statement" | "book", row: number, carry: Carry): OpenItem {
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
    settled: 0,
  };
}

/** What remains to be corrected where a row and its entry have different amounts. */
function* differences(
  sides: RowStores,
  result: Result,
  { carry, taken }: { readonly carry: Carry; readonly taken: Taken },
): Generator<OpenItem> {
  const { statement, book, codes } = sides;
  for (const { class: name, row, entry } of result.findings()) {
    if (name !== "differing" || row === undefined || entry === undefined) continue;
    const difference = codes.sumOf(statement.amountOf(row), codes.negative(book.amountOf(entry)));
    const item = itemOf(sides, "statement", row, carry);
    yield {
      ...item,
      amount: codes.amountOf(difference, statement.scaleOf(row)),
      settled: taken.countLike(row, difference),
      narration: `difference of ${item.narration}`.trimEnd(),
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
