import type { Field } from "../../values/field.ts";
import { roleOf } from "../../values/field.ts";
import { textOf, valueIn } from "../cell.ts";
import type { Row } from "../report.ts";
import { widthOf } from "./text-width.ts";

/**
 * The largest set of rows that fits side by side, where not all rows do: one account with very long amounts must not
 * turn the table of all others into cards. Undefined where fewer than half of the rows fit.
 * @param fits never true for rows where it is false for a part of them
 */
export function narrowRows(
  fields: readonly Field[],
  rows: readonly Row[],
  fits: (rows: readonly Row[]) => boolean,
): ReadonlySet<Row> | undefined {
  const amounts = fields.filter(({ kind }) => kind === "amount");
  const widthIn = (row: Row) => Math.max(0, ...amounts.map(({ name }) => widthOf(textOf(valueIn(row, name)))));
  const byWidth = rows.map((row) => ({ row, width: widthIn(row) })).toSorted((one, other) => one.width - other.width);
  let [enough, tooMany] = [Math.ceil(rows.length / 2), rows.length];
  const first = (count: number) => byWidth.slice(0, count).map(({ row }) => row);
  if (enough >= tooMany || !fits(first(enough))) return undefined;
  while (tooMany - enough > 1) {
    const count = Math.floor((enough + tooMany) / 2);
    if (fits(first(count))) enough = count;
    else tooMany = count;
  }
  // All rows of an account stay together.
  const who = fields.find((field) => roleOf(field) === "who");
  const nameOf = (row: Row) => (who === undefined ? "" : textOf(valueIn(row, who.name)));
  const wide = new Set(byWidth.slice(enough).map(({ row }) => nameOf(row)));
  const narrow = first(enough).filter((row) => who === undefined || !wide.has(nameOf(row)));
  return narrow.length === 0 ? undefined : new Set(narrow);
}
