import type { Field } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { textOf, valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Row } from "../report.ts";
import { currencyOf, shownText, withName } from "./table-cell.ts";
import type { Column } from "./table-columns.ts";
import { drawLines, widen } from "./table-columns.ts";

/**
 * One thing for people: a line for each field that it has, its name and its value. Amounts say their currency and stand
 * right-aligned below each other. Values are never cut.
 */
export async function recordTable(
  record: Row,
  fields: readonly Field[],
  currency: string | undefined,
  names?: ReadonlyMap<string, string>,
): Promise<string> {
  const said = currencyOf(record) ?? currency;
  const held = fields.filter((field) => field.machineOnly !== true && valueIn(record, field.name) !== undefined);
  const parts = held.flatMap((field) => partsOf(valueIn(record, field.name), field, headingOf(field)));
  const shown = parts.map(({ field }) => field);
  const values = parts.map(({ value, field }) =>
    withName(shownText(value, field, said, said), textOf(value), field, names),
  );
  const amountWidth = Math.max(
    0,
    ...shown.map((field, at) => (field.kind === "amount" ? (values[at]?.length ?? 0) : 0)),
  );
  const lines = parts.map(({ field, heading }, at) => [
    heading,
    field.kind === "amount" ? (values[at] ?? "").padStart(amountWidth) : (values[at] ?? ""),
  ]);
  const columns: Column[] = [leftColumn(), leftColumn()];
  await widen(columns, lines);
  return drawLines(columns, lines);
}

/** A line of such a table. */
interface Part {
  readonly field: Field;
  readonly heading: string;
  readonly value: JsonValue | undefined;
}

/** An object has a line for each of its fields, so that nobody has to read JSON. */
function partsOf(value: JsonValue | undefined, field: Field, heading: string): Part[] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [{ field, heading, value }];
  return Object.entries(value).flatMap(([name, each]) => {
    const inner: Field = { name, kind: "text" };
    return partsOf(each, inner, `${heading} ${headingOf(inner)}`);
  });
}

function leftColumn(): Column {
  return { align: "left", heading: "", room: 0, natural: 0, width: 0 };
}
