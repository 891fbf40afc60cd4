import type { Field } from "../../values/field.ts";
import { valueIn } from "../cell.ts";
import { headingOf } from "../columns.ts";
import type { Row } from "../report.ts";
import { currencyOf, shownText } from "./table-cell.ts";
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
): Promise<string> {
  const said = currencyOf(record) ?? currency;
  const shown = fields.filter((field) => field.machineOnly !== true && valueIn(record, field.name) !== undefined);
  const values = shown.map((field) => shownText(valueIn(record, field.name), field, said, said));
  const amountWidth = Math.max(
    0,
    ...shown.map((field, at) => (field.kind === "amount" ? (values[at]?.length ?? 0) : 0)),
  );
  const lines = shown.map((field, at) => [
    headingOf(field),
    field.kind === "amount" ? (values[at] ?? "").padStart(amountWidth) : (values[at] ?? ""),
  ]);
  const columns: Column[] = [leftColumn(), leftColumn()];
  await widen(columns, lines);
  return drawLines(columns, lines);
}

function leftColumn(): Column {
  return { align: "left", heading: "", room: 0, natural: 0, width: 0 };
}
