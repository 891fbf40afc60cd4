import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";

/** The row with the documented fields first, in the specification's order, and all others after them. */
export function inFieldOrder(row: JsonObject, fields: readonly Field[]): JsonObject {
  const ordered: JsonObject = {};
  for (const { name } of fields) {
    const value = row[name];
    if (value !== undefined) ordered[name] = value;
  }
  return Object.assign(ordered, row);
}

/** An amount in wire format, with its own digits. */
export function numeral(amount: Decimal): Numeral {
  return new Numeral(amount.toString());
}

/** Changes a statement's rows before they are served, without changing the books. */
export type RowChange = (rows: Iterable<JsonObject>) => Iterable<JsonObject>;

export const unchangedRows: RowChange = (rows) => rows;

/** The rows with a value date within the days, both included; days are compared as text. */
export function* rowsWithin(rows: Iterable<JsonObject>, startDate: string, endDate: string): Generator<JsonObject> {
  for (const row of rows) {
    const { valueDate } = row;
    const day = typeof valueDate === "string" ? valueDate.slice(0, startDate.length) : "";
    if (day >= startDate && day <= endDate) yield row;
  }
}

export function* textsOf(rows: Iterable<JsonObject>): Generator<string> {
  for (const row of rows) yield JSON.stringify(row);
}
