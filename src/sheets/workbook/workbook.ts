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
  /** In order, read once, including empty ones. Merged cells come last, as rows with violations alone. */
  readonly rows: AsyncGenerator<readonly SheetRow[]>;
}

/** How the files begin and what they have in them that are encrypted, by a name of theirs in UTF-16. */
const encryptedPart = Buffer.from("EncryptedPackage", "utf16le");

/**
 * Opens a sheet of a workbook (.xlsx). Its check sums are looked at before the first row is handed out, and the rows
 * are made as they are asked for.
 * @throws {Failure} usage: what cannot be read, several sheets where none is asked for
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
 * Says what an old file of a spreadsheet is.
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
