import type { Field } from "../values/field.ts";
import type { FieldsByName } from "./columns.ts";
import { chooseFields, fieldsByName, fieldsIn, noSuchColumn, undocumentedNames } from "./columns.ts";
import { csvRenderer } from "./csv.ts";
import { jsonRenderer, ndjsonRenderer } from "./json.ts";
import type { Outputs, ReportOptions, View } from "./options.ts";
import { orderBy } from "./sorting/sort.ts";
import type { Renderer } from "./renderer.ts";
import type { Batches, Row, RowsReport } from "./report.ts";
import { sortBatches } from "./sorting/sorted-runs.ts";
import { TableRenderer } from "./table/table.ts";
import { TerminalTable } from "./terminal/terminal-table.ts";
import { Failure } from "../values/failure.ts";
import { textOf } from "./cell.ts";

/** A million rows of a wallet statement stay within both limits, and need about 1 GB of memory. */
const heldRowsMax = 1_000_000;
const heldCharsMax = 256_000_000;

/** Rows that are rendered at once: enough to be fast, few enough to need little memory. */
const sliceRows = 200;
/** Rows that share one layout on a terminal. */
const terminalSliceRows = 10_000;

/**
 * Writes rows in the chosen format.
 * @returns notes about them for stderr
 * @throws {Failure} usage where `--columns` or `--sort` has a name that is neither documented nor in a row, or where
 * there are too many rows to sort
 */
export async function writeRows(
  report: RowsReport,
  options: ReportOptions,
  view: View,
  write: (text: string) => Promise<void>,
  { files }: Pick<Outputs, "files">,
): Promise<string[]> {
  const documented = fieldsByName(report.columns);
  const rows = await arrange(report, options, documented, files);
  const renderer = rendererFor(report, options, view, documented, rows);
  if (isHeld(rows)) for (const slice of slicesOf(rows, sliceRows)) await renderer.foresee?.(slice);

  const missing = new Set(undocumentedNames(documented, options));
  let first: Row | undefined;
  await write(await renderer.head());
  const most = options.format === "table" && view.terminal ? terminalSliceRows : sliceRows;
  for await (const slice of isHeld(rows) ? slicesOf(rows, most) : slicesOfBatches(rows, most, options.format)) {
    first ??= slice[0];
    for (const name of missing) if (slice.some((row) => Object.hasOwn(row, name))) missing.delete(name);
    await write(await renderer.body(slice));
  }
  await write(renderer.foot());

  const unknowable = first === undefined && documented.size === 0;
  const known = fieldsIn(first === undefined ? [] : [first], documented);
  const failures = unknowable ? [] : [...missing].map((name) => noSuchColumn(name, known));
  if (failures[0] !== undefined && report.mustShow !== true) throw failures[0];
  const empty = first === undefined && options.format === "table" ? [report.whenEmpty] : [];
  return [...failures.map((failure) => failure.message), ...empty, ...(renderer.notes?.() ?? [])];
}

/** The rows, sorted if asked for. They are all read at once only where the columns depend on them. */
async function arrange(
  report: RowsReport,
  options: ReportOptions,
  documented: FieldsByName,
  files: Outputs["files"],
): Promise<RowsReport["rows"]> {
  const { rows } = report;
  if (options.sort !== undefined && options.sort.length > 0) {
    const order = orderBy(options.sort, documented);
    return isHeld(rows) ? order.sort(rows) : sortBatches(rows, order, files);
  }
  const namesColumns = options.format === "csv" || options.format === "table";
  if (report.columns !== "fromRows" || options.columns !== undefined || !namesColumns || isHeld(rows)) return rows;
  return bufferRows(rows, "Name the fields with --columns, or use --output ndjson.");
}

function rendererFor(
  report: RowsReport,
  options: ReportOptions,
  view: View,
  documented: FieldsByName,
  rows: RowsReport["rows"],
): Renderer {
  const wanted = options.columns && chooseFields(documented, options.columns);
  const columns = (): readonly Field[] =>
    wanted ?? (report.columns === "fromRows" && isHeld(rows) ? fieldsIn(rows, documented) : [...documented.values()]);
  const { format } = options;
  if (format === "json") return jsonRenderer({ documented, wanted }, report.frame);
  if (format === "ndjson") return ndjsonRenderer({ documented, wanted });
  if (format === "csv") return csvRenderer(columns(), { ...options, terminal: view.terminal });
  const { currency, footer, hasFooterWhenEmpty, onTerminal, wholeIds = false } = report;
  if (!view.terminal) return new TableRenderer(columns(), { ...options, colour: view.colour, currency, footer });
  const chosen = wanted !== undefined;
  const fields = wanted ?? onTerminal ?? columns();
  const lines = { footer, hasFooterWhenEmpty };
  return new TerminalTable(fields, { ...options, ...view, ...lines, currency, chosen, whole: wholeIds || chosen });
}

function isHeld(rows: RowsReport["rows"]): rows is readonly Row[] {
  return Array.isArray(rows);
}

function* slicesOf(rows: readonly Row[], most: number): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += most) yield rows.slice(start, start + most);
}

/**
 * Slices of rows as they arrive. A table's widths depend on its slices, so these have a fixed size, whatever batches
 * the network brings.
 */
async function* slicesOfBatches(
  batches: Batches,
  most: number,
  format: ReportOptions["format"],
): AsyncGenerator<readonly Row[]> {
  if (format === "table") yield* evenSlices(batches, most);
  else for await (const batch of batches) yield* slicesOf(batch, most);
}

async function* evenSlices(batches: Batches, most: number): AsyncGenerator<readonly Row[]> {
  let slice: Row[] = [];
  for await (const batch of batches) {
    for (const row of batch) {
      slice.push(row);
      if (slice.length < most) continue;
      yield slice;
      slice = [];
    }
  }
  if (slice.length > 0) yield slice;
}

/**
 * Reads all rows into memory, where their fields must be known before the first is written.
 * @throws {Failure} usage when there are too many; `wayOut` is the hint
 */
async function bufferRows(batches: Batches, wayOut: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let chars = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      for (const name in row) chars += textOf(row[name]).length;
    }
    if (rows.length > heldRowsMax || chars > heldCharsMax) throw tooMany(wayOut);
  }
  return rows;
}

function tooMany(wayOut: string): Failure {
  const limit = `${heldRowsMax.toLocaleString("en")} rows or ${heldCharsMax / 1_000_000} million characters`;
  return new Failure("usage", `The result is too large to be held in memory at once (more than ${limit}).`, {
    hint: wayOut,
  });
}
