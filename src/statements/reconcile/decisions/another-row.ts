import { quote } from "../../../values/text/text.ts";
import { Day } from "../../../values/time/day.ts";
import type { RowStores } from "../matching/sides.ts";
import { RowNames } from "../result/names.ts";
import type { RowStore } from "../rows/row-store.ts";

/** A number as a spreadsheet writes a long one. */
const spreadsheetNumber = /^\d+(?:[.,]\d+)?(?:E\+?\d+)?$/i;
const digits = /^\d+$/;

/** How a decision names its row. */
interface Named {
  readonly statementRow: number | undefined;
  readonly bookLine: number | undefined;
  readonly reference: string;
  readonly date: string;
}

interface Place {
  readonly row: number | undefined;
  readonly entry: number | undefined;
}

/**
 * Says where the number now belongs to another row: a row that came late shifts all numbers after it, and equal
 * amounts, as of fees, would hide that. Days and numbers that a spreadsheet may have changed prove nothing.
 */
export function whyAnotherRow(sides: RowStores, decision: Named, { row, entry }: Place): string | undefined {
  const { statement, book } = sides;
  const names = new RowNames(sides);
  const places: readonly (readonly [side: RowStore, row: number, what: string])[] = [
    ...(row === undefined ? [] : [[statement, row, `row ${decision.statementRow} of the statement`] as const]),
    ...(entry === undefined ? [] : [[book, entry, `line ${decision.bookLine} of the book`] as const]),
  ];
  const isCalled = ([side, place]: (typeof places)[number]) =>
    agrees(decision.reference, sides.texts.textOf(side.referenceOf(place)));
  const isOf = ([side, place]: (typeof places)[number]) =>
    Day.parse(decision.date) === undefined || decision.date === (names.day(side.dayOf(place)) ?? "");
  if (places.some(isCalled) && places.some(isOf)) return undefined;
  const [first] = places;
  if (first === undefined) return undefined;
  const [side, place, what] = first;
  const is = inWords(sides.texts.textOf(side.referenceOf(place)), names.day(side.dayOf(place)) ?? "");
  return `${what} is ${is}, and was ${inWords(decision.reference, decision.date)}`;
}

function agrees(said: string, reference: string): boolean {
  // A text that a spreadsheet would run as a formula has a mark before it.
  const plain = said.replace(/^'/, "");
  const isNumber = digits.test(reference) && spreadsheetNumber.test(plain);
  return plain === "" || isNumber || plain === reference.trim() || said === reference.trim();
}

function inWords(reference: string, day: string): string {
  const of = day === "" ? "" : ` of ${day}`;
  return `${reference === "" ? "a row without a reference" : quote(reference)}${of}`;
}
