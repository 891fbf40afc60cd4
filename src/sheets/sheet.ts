import { Failure } from "../values/failure.ts";
import { visible } from "../values/text/text.ts";
import type { Block, SheetHost } from "./blocks.ts";
import { readBlocks } from "./blocks.ts";
import { findDelimiter } from "./delimiter.ts";
import type { Columns } from "./header.ts";
import { headerViolations } from "./header.ts";
import { plainLines } from "./plain-lines.ts";
import type { SheetRow } from "./sheet-row.ts";
import { raggedness, unreadableLine, unreadableSheet } from "./sheet-failures.ts";

export type { SheetRow } from "./sheet-row.ts";

/** A CSV file of a person's: the names on top, and the rows under them in the pieces in which they are read. */
export interface Sheet {
  readonly header: readonly string[];
  readonly delimiter: string;
  /** In the order of the file, once; rows without a single character in their cells are left out. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

export interface SheetOptions {
  /** Found in the header where left out: `,` `;` tab or `|`. */
  readonly delimiter?: string | undefined;
  /** Columns that may stand there; any where left out. */
  readonly known?: readonly string[] | undefined;
  /** Columns that have to stand there. */
  readonly required?: readonly string[] | undefined;
  /** The same where it depends on what stands there. */
  readonly columnsFor?: ((header: readonly string[]) => Columns) | undefined;
  /** What else can be done about a wrong header. */
  readonly advice?: string | undefined;
  /** `keep` hands on rows with more or fewer cells than the header, to whoever tells all faults at once. */
  readonly ragged?: "refuse" | "keep" | undefined;
}

/**
 * Reads a sheet in bounded memory, whatever its size.
 * @throws {Failure} usage (what cannot be read, every fault of the header, the line of a row that is none) |
 * interrupted
 */
export async function openSheet(host: SheetHost, path: string, options: SheetOptions = {}): Promise<Sheet> {
  const blocks = readBlocks(host, path);
  try {
    return await openBlocks(blocks, path, options);
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
}

async function openBlocks(blocks: AsyncGenerator<Block>, path: string, options: SheetOptions): Promise<Sheet> {
  const first = await blocks.next();
  if (first.done === true) throw unreadableSheet(path, "it is empty", { hint: "Its first line names the columns." });
  const delimiter = options.delimiter ?? findDelimiter(first.value.text, path);
  const [top, ...others] = await recordsOf(first.value, delimiter, path);
  const header = top?.cells ?? [];
  const columns = options.columnsFor?.(header) ?? options;
  const violations = headerViolations(header, columns);
  if (violations.length > 0) throw wrongHeader(path, violations, columns.advice);
  return { header, delimiter, rows: rowsOf(others, blocks, { delimiter, path, header, ragged: options.ragged }) };
}

interface Reading {
  readonly delimiter: string;
  readonly path: string;
  readonly header: readonly string[];
  readonly ragged: SheetOptions["ragged"];
}

async function* rowsOf(
  first: readonly SheetRow[],
  blocks: AsyncGenerator<Block>,
  reading: Reading,
): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield checkRows(first, reading);
    for await (const block of blocks) yield checkRows(await recordsOf(block, reading.delimiter, reading.path), reading);
  } finally {
    await blocks.return(undefined);
  }
}

function checkRows(records: readonly SheetRow[], { path, header, ragged }: Reading): readonly SheetRow[] {
  const rows = records.every(hasText) ? records : records.filter(hasText);
  if (ragged === "keep") return rows;
  for (const { line, cells } of rows) {
    if (cells.length === header.length) continue;
    const violation = raggedness(cells, header);
    if (violation !== undefined) throw unreadableLine(path, line, `it ${violation}`, "Correct the row.");
  }
  return rows;
}

function hasText({ cells }: SheetRow): boolean {
  return cells.some((cell) => cell !== "");
}

async function recordsOf(block: Block, delimiter: string, path: string): Promise<readonly SheetRow[]> {
  const plain = plainLines(block, delimiter);
  if (plain !== undefined) return plain;
  const { quotedRecords } = await import("./quoted-records.ts");
  return quotedRecords(block, delimiter, path);
}

function wrongHeader(path: string, violations: readonly string[], advice: string | undefined): Failure {
  const rule = "Line 1 names the columns, in any order and to the letter.";
  return new Failure("usage", `The header of ${visible(path)} is not right: ${violations.join("; ")}.`, {
    hint: advice === undefined ? rule : `${rule} ${advice}`,
    details: { "line 1": violations.join("; ") },
  });
}
