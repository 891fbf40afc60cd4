import type { SheetRow } from "../sheet-row.ts";
import { unreadableSheet } from "../sheet-failures.ts";
import { openArchive } from "./archive.ts";
import { readDateStyles } from "./date-styles.ts";
import { chooseSheet, readParts } from "./parts.ts";
import { RowParser } from "./rows.ts";
import { readSharedStrings } from "./strings.ts";
import { readXml } from "./xml.ts";

/** One sheet of a workbook. */
export interface WorkbookRows {
  readonly sheet: string;
  /** In order, including empty rows; can be read once. Merged cells come last, as rows with only faults. */
  readonly rows: AsyncGenerator<readonly SheetRow[]>;
}

/** A name that encrypted workbooks contain, in UTF-16. */
const encryptedPart = Buffer.from("EncryptedPackage", "utf16le");

/**
 * Opens a sheet of a workbook (.xlsx). Its check sum is verified before the first row, and rows are read on demand.
 * @throws {Failure} usage: an unreadable workbook, or several sheets where none is named
 */
export async function openWorkbook(bytes: Buffer, path: string, asked: string | undefined): Promise<WorkbookRows> {
  const archive = await openArchive(bytes, path);
  const { sheets, sharedStrings, styles, from1904 } = await readParts(archive, path);
  const { name, part } = chooseSheet(sheets, asked, path);
  const pieces = archive.part(part);
  while ((await pieces.next()).done !== true);
  const parser = new RowParser({
    sheet: name,
    from1904,
    sharedStrings: await readSharedStrings(archive, sharedStrings, path),
    dateStyles: await readDateStyles(archive, styles, path),
  });
  const xml = readXml({ archive, name: part, path }, parser.handler);
  return { sheet: name, rows: rowsOf(xml, parser) };
}

/**
 * Refuses an old or encrypted workbook.
 * @throws {Failure} usage, always
 */
export function refuseOldWorkbook(bytes: Buffer, path: string): never {
  if (bytes.includes(encryptedPart))
    throw unreadableSheet(path, "it is encrypted", { hint: "Save it without a password." });
  throw unreadableSheet(path, "it is an old workbook of Excel (.xls), whatever its name says", {
    hint: "Save it again as .xlsx or as CSV UTF-8, or name another file.",
  });
}

async function* rowsOf(xml: AsyncGenerator<number>, parser: RowParser): AsyncGenerator<readonly SheetRow[]> {
  for (let isOver = false; !isOver;) {
    isOver = (await xml.next()).done === true;
    const rows = parser.take();
    if (rows.length > 0) yield rows;
  }
  const merged = parser.merged();
  if (merged.length > 0) yield merged;
}
