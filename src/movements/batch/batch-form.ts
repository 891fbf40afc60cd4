import type { MovementKind } from "../../journal/movement.ts";
import { movementKinds } from "../../journal/movement.ts";
import type { ExpectedColumns } from "../../sheets/header.ts";
import { columnsOf, kindColumn } from "./columns.ts";

/** How to read the rows of a file: everything that is not in its cells. */
export interface BatchForm {
  /** The kind of every row; undefined where a column names it. */
  readonly kind: MovementKind | undefined;
  /** Columns that a person gave for all rows at once. */
  readonly constants: ReadonlyMap<string, string>;
  /** Values for empty cells and missing columns: the profile's callback, the service's constants. */
  readonly defaults: ReadonlyMap<string, string>;
  /** False leaves the reference out of a transfer's description. */
  readonly tagged: boolean;
  /** Undefined to find it in the header. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook; undefined for CSV, and before the file was opened. */
  readonly sheet?: string | undefined;
  /** How often the same batch was rejected or withdrawn before; undefined for the first time. */
  readonly round?: number | undefined;
}

/** The allowed and the required columns of a file of this form. */
export function columnsFor(form: BatchForm, header: readonly string[]): ExpectedColumns {
  const { kind, constants } = form;
  const known = columnsOf(kind).map(({ name }) => name);
  const forAllRows = new Set(constants.keys());
  const names = [kindColumn, ...new Set(known)];
  const required = kind === undefined ? [kindColumn, "reference"] : missingOf(kind, form, header);
  return {
    known: names.filter((name) => !forAllRows.has(name)),
    required,
    elsewhere: forAllRows,
    advice: adviceFor(kind),
  };
}

function adviceFor(kind: MovementKind | undefined): string {
  if (kind === undefined) return `If all rows are of one kind, a flag can give it: --kind ${movementKinds.join("|")}`;
  return `What is the same in every row can be given by a flag (--set COLUMN=VALUE). See the columns: partner batch template --kind ${kind}`;
}

/** Missing columns without which no row of this kind can be read. */
export function missingOf(kind: MovementKind, { constants, defaults }: BatchForm, header: readonly string[]): string[] {
  return columnsOf(kind).flatMap(({ name, optional }) =>
    optional === true || header.includes(name) || constants.has(name) || defaults.has(name) ? [] : [name],
  );
}

export function kindOf(text: string | undefined): MovementKind | undefined {
  return movementKinds.find((kind) => kind === text);
}
