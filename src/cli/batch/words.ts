import type { Tally } from "../../movements/batch/worth.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

/** `1 row`, `2 rows`. */
export function rows(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}

/** The total of each currency as a cell of a result, `{"TZS":4500000}`. */
export function totalsOf({ totals }: Tally): JsonObject {
  return Object.fromEntries(
    totals.map(({ currency, amount }) => [currency ?? "unknown currency", new Numeral(amount.toString())]),
  );
}
