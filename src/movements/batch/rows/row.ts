import { violationsOf } from "../../../contract/request.ts";
import type { MovementKey, MovementKind } from "../../../journal/movement.ts";
import { movementKinds, movementNouns } from "../../../journal/movement.ts";
import { cellCountViolation } from "../../../sheets/sheet-failures.ts";
import type { SheetRow } from "../../../sheets/sheet-row.ts";
import { isReference } from "../../../values/reference.ts";
import { quote } from "../../../values/text/text.ts";
import type { MoneyOrder } from "../../order.ts";
import type { BatchForm } from "../batch-form.ts";
import { kindOf, missingOf } from "../batch-form.ts";
import { columnsOf, kindColumn } from "../columns.ts";
import type { RowViolation } from "./row-reader.ts";
import { RowReader } from "./row-reader.ts";
import type { RowContext } from "./row-orders.ts";
import { orderOfRow } from "./row-orders.ts";

const headerLine = 1;
/** Whoever set a filter that hides rows may mean only the others. */
const hidden = "is hidden in the sheet: show it, or delete it";

/** What an order is known by within an account. */
export type OrderKey = Omit<MovementKey, "scope">;

/** A row of a batch as read: an order, or what keeps it from being one. */
export interface PlannedRow {
  readonly line: number;
  /** In the order of the header. */
  readonly cells: readonly string[];
  /** As written, valid or not. */
  readonly reference: string | undefined;
  /**
   * What the journal knows its order by, even if the rest of the row is invalid; undefined where the row doesn't say
   * it.
   */
  readonly key: OrderKey | undefined;
  readonly order: MoneyOrder | undefined;
  readonly violations: readonly RowViolation[];
  /** Why the order can't be sent now, unless it was sent before. */
  readonly expired: readonly RowViolation[];
}

/** Reads a row by the file and the flags alone, without the journal or the service. */
export function planRow(
  { line, cells, faults = [], isHidden }: SheetRow,
  header: readonly string[],
  form: BatchForm,
  context: RowContext,
): PlannedRow {
  const own = new Map(
    header.flatMap((name, index): [string, string][] => {
      const cell = cells[index] ?? "";
      return cell === "" ? [] : [[name, cell]];
    }),
  );
  const texts = new Map([...form.defaults, ...form.constants, ...own]);
  const said = texts.get(kindColumn);
  const kind = said === undefined ? form.kind : kindOf(said);
  const reference = own.get("reference");
  const planned = { line, cells, reference, key: keyOf(kind, reference), order: undefined, expired: [] };
  const unread = faults.map(({ cell, problem }) => ({ line: undefined, column: cell, problem }));
  if (isHidden === true) unread.push({ line: undefined, column: `line ${line}`, problem: hidden });
  if (unread.length > 0) return { ...planned, violations: unread };
  const ragged = cellCountViolation(cells, header);
  if (ragged !== undefined) return { ...planned, violations: [{ line, column: undefined, problem: ragged }] };
  if (kind === undefined || (form.kind !== undefined && kind !== form.kind))
    return { ...planned, violations: [wrongKind(line, said, form.kind)] };
  const missing = missingOf(kind, form, header);
  if (missing.length > 0) return { ...planned, violations: missing.map((name) => missingColumn(name, kind)) };
  const row = new RowReader(line, texts, columnsOf(kind));
  refuseOthers(row, kind, own.keys());
  const order = orderOfRow[kind](row, context);
  if (order !== undefined) checkForm(order, row);
  const [violations, expired] = [row.violations, row.expired].map((all) => all.map(oncePerValue(form)));
  return {
    ...planned,
    order: row.violations.length === 0 ? order : undefined,
    violations: violations ?? [],
    expired: expired ?? [],
  };
}

function keyOf(kind: MovementKind | undefined, reference = ""): OrderKey | undefined {
  return kind !== undefined && isReference(reference) ? { kind, reference } : undefined;
}

/** A file of several kinds has columns that only some of its rows may use. */
function refuseOthers(row: RowReader, kind: MovementKind, names: Iterable<string>): void {
  const known = new Set([kindColumn, ...columnsOf(kind).map(({ name }) => name)]);
  for (const name of names)
    if (!known.has(name)) row.violation(name, `isn't a column of a ${movementNouns[kind]}; leave it empty there`);
}

/** A violation in a value for all rows is reported once. */
function oncePerValue({ constants }: BatchForm): (violation: RowViolation) => RowViolation {
  return (violation) =>
    violation.column !== undefined && constants.has(violation.column)
      ? { ...violation, line: undefined, column: `every row, ${violation.column}` }
      : violation;
}

/** Adds what is wrong with the request's form by the specification, under the names of the columns. */
function checkForm({ kind, endpoint, input }: MoneyOrder, row: RowReader): void {
  const columns = columnsOf(kind);
  for (const [field, problem] of Object.entries(violationsOf(endpoint, input)))
    row.violation(columns.find(({ name, sentAs }) => (sentAs ?? name) === field)?.name ?? field, problem);
}

/** The same violation in every row of that kind is reported once. */
function missingColumn(column: string, kind: MovementKind): RowViolation {
  return { line: headerLine, column, problem: `is missing, and a ${movementNouns[kind]} needs it` };
}

function wrongKind(line: number, said: string | undefined, wanted: MovementKind | undefined): RowViolation {
  if (said === undefined) return { line, column: kindColumn, problem: "is empty" };
  const rule =
    wanted === undefined ? `is none of ${movementKinds.join(", ")}` : `and every row was said to be ${wanted}`;
  return { line, column: kindColumn, problem: `${quote(said)} ${rule}` };
}
