import { describe } from "../../movements/batch/expectation.ts";
import type { Tally } from "../../movements/batch/order-amount.ts";
import type { Format } from "../../report/options.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

/** The total of each currency as a cell of a result: `4,500,000.00 TZS` for people, `{"TZS":4500000}` for programs. */
export function totalsOf(tally: Tally, format: Format): JsonObject | string {
  if (format === "table") return describe(tally);
  const { totals } = tally;
  return Object.fromEntries(
    totals.map(({ currency, amount }) => [currency ?? "unknown currency", new Numeral(amount.toString())]),
  );
}
