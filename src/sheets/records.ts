import { Failure } from "../values/failure.ts";
import type { RecordBlock } from "./blocks.ts";
import { canonicalNames } from "./header.ts";
import { plainLines } from "./plain-lines.ts";
import type { SheetRow } from "./sheet-row.ts";
import { visible } from "../values/text/text.ts";

/** Delimiters that spreadsheets use between cells. */
const delimiters = [",", ";", "\t", "|"] as const;
/** Quoted cells, which may contain delimiters and line ends. */
const quoted = /"[^"]*"/g;
const lineEnd = /[\r\n]/;

/** The rows of a file as they are read, including the header and empty rows. */
export interface Records {
  readonly rows: AsyncGenerator<readonly SheetRow[]>;
  readonly delimiter: string;
  readonly sheet: string | undefined;
}

/** Excel's declaration of the separator, in the first line. */
const separatorLine = /^"?sep=([^\r\n])"?(?:,|;|\t|\|)*\r?\n/i;

/**
 * The rows of a CSV text.
 * @param wanted columns of a header that may be below titles: that header decides the delimiter
 * @throws {Failure} usage: an ambiguous delimiter
 */
export async function textRecords(
  blocks: AsyncGenerator<RecordBlock>,
  path: string,
  {
    delimiter: said,
    wanted,
  }: { readonly delimiter: string | undefined; readonly wanted?: readonly string[] | undefined },
): Promise<Records> {
  try {
    const next = await blocks.next();
    const first = next.done === true ? { text: "", line: 1, quoted: false } : next.value;
    const [separator = "", mark] = separatorLine.exec(first.text) ?? [];
    const block = separator === "" ? first : { ...first, text: first.text.slice(separator.length), line: 2 };
    const delimiter = said ?? mark ?? (await ofHeader(block, wanted, path)) ?? findDelimiter(block.text, path);
    return { delimiter, sheet: undefined, rows: rowsOf(block, blocks, { delimiter, path }) };
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
}

/** The delimiter with which a row of the block has all of these names. */
async function ofHeader(block: RecordBlock, wanted: readonly string[] = [], path: string): Promise<string | undefined> {
  if (wanted.length === 0) return undefined;
  for (const delimiter of delimiters) {
    const rows = await readable(block, delimiter, path);
    const isHeader = ({ cells }: SheetRow) => {
      const names = canonicalNames(cells, { required: wanted });
      return wanted.every((name) => names.includes(name));
    };
    if (rows.some(isHeader)) return delimiter;
  }
  return undefined;
}

/** The rows with this delimiter; none where they can't be read with it. */
async function readable(block: RecordBlock, delimiter: string, path: string): Promise<readonly SheetRow[]> {
  try {
    return await recordsOf(block, { delimiter, path });
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

interface Reading {
  readonly delimiter: string;
  readonly path: string;
}

async function* rowsOf(
  first: RecordBlock,
  blocks: AsyncGenerator<RecordBlock>,
  reading: Reading,
): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield await recordsOf(first, reading);
    for await (const block of blocks) yield await recordsOf(block, reading);
  } finally {
    await blocks.return(undefined);
  }
}

async function recordsOf(block: RecordBlock, { delimiter, path }: Reading): Promise<readonly SheetRow[]> {
  const plain = plainLines(block, delimiter);
  if (plain !== undefined) return plain;
  const { quotedRecords } = await import("./quoted-records.ts");
  return quotedRecords(block, delimiter, path);
}

/**
 * The most frequent delimiter between the names of the header. A header with one column has none, and needs none.
 * @throws {Failure} usage where two are equally frequent
 */
function findDelimiter(text: string, path: string): string {
  const [header = ""] = text.replaceAll(quoted, "").split(lineEnd, 1);
  const counts = delimiters.map((delimiter) => ({ delimiter, count: header.split(delimiter).length - 1 }));
  const most = Math.max(...counts.map(({ count }) => count));
  const [found, other] = counts.filter(({ count }) => count === most);
  if (found === undefined || most === 0) return ",";
  if (other === undefined) return found.delimiter;
  throw new Failure("usage", `The delimiter between the cells of ${visible(path)} cannot be read from its header.`, {
    hint: "Name the columns without commas, semicolons, bars and tabs in their names.",
  });
}
