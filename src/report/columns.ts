import { closest } from "../values/text/closest.ts";
import { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import { quote, visible } from "../values/text/text.ts";
import type { ReportOptions } from "./options.ts";
import type { RecordReport, Row, RowsReport } from "./report.ts";

/** Documented fields by name. Empty where a report's columns depend on its rows. */
export type FieldsByName = ReadonlyMap<string, Field>;

/** Empty where the columns depend on the rows. */
export function fieldsByName(documented: (RowsReport | RecordReport)["columns"]): FieldsByName {
  return new Map(documented === "fromRows" ? [] : documented.map((field) => [field.name, field]));
}

/**
 * The fields of `--columns`, in its order. An undocumented name counts as text: the service sends fields that its
 * specification doesn't name.
 */
export function chooseFields(documented: FieldsByName, wanted: readonly string[]): readonly Field[] {
  return [...new Set(wanted)].map((name) => ({
    ...(documented.get(name) ?? { name, kind: "text" }),
    machineOnly: false,
  }));
}

/** Every field in the rows: the documented ones, then the others in order of first occurrence. */
export function fieldsIn(rows: Iterable<Row>, documented: FieldsByName): readonly Field[] {
  const fields = new Map(documented);
  for (const row of rows) {
    for (const name in row) if (!fields.has(name)) fields.set(name, { name, kind: "text" });
  }
  return [...fields.values()];
}

/** Undocumented names in `--columns` and `--sort`: valid only if a row has them. */
export function undocumentedNames(
  documented: FieldsByName,
  options: Pick<ReportOptions, "columns" | "sort">,
): string[] {
  const names = [...(options.columns ?? []), ...(options.sort ?? []).map((key) => key.name)];
  return [...new Set(names)].filter((name) => !documented.has(name));
}

/** The failure for a column that does not exist, with the names that do. */
export function noSuchColumn(name: string, fields: readonly Field[]): Failure {
  const names = fields.map((field) => field.name);
  const near = closest(name, names);
  const meant = near === undefined ? "" : `Did you mean ${visible(near)}? `;
  return new Failure("usage", `There is no column ${quote(name)} in this result.`, {
    hint: `${meant}Its columns are ${names.map(visible).join(", ")}.`,
  });
}

/** A table's heading for a field: its title, or its name in words (`availableBalance` is "available balance"). */
export function headingOf(field: Field): string {
  return field.title ?? visible(field.name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase());
}
