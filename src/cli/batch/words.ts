import type { Tally } from "../../movements/batch/worth.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

export function rows(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}

/** A count as a cell of a result. */
export function countOf(count: number): Numeral {
  return new Numeral(String(count));
}

/** The total of each currency as a cell of a result, `{"TZS":4500000}`. */
export function totalsOf({ totals }: Tally): JsonObject {
  return Object.fromEntries(
    totals.map(({ currency, amount }) => [currency ?? "unknown currency", new Numeral(amount.toString())]),
  );
}
