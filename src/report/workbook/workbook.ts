import type { Day } from "../../values/time/day.ts";
import type { WorkbookSheet } from "./sheet.ts";
import type { WrittenSheet } from "./parts.ts";
import { contentTypes, coreXml, packageLinks, sheetPath, workbookLinks, workbookXml } from "./parts.ts";
import { headingRow, RowSupply, sheetMaxRows, sheetXml } from "./sheet.ts";
import { stylesXml } from "./styles.ts";
import type { ZipPart } from "./zip.ts";
import { zip } from "./zip.ts";

export interface Workbook {
  readonly title: string;
  /** The file's date of creation: the period's end, so that the same rows give the same bytes. */
  readonly day: Day;
  readonly sheets: readonly WorkbookSheet[];
}

/**
 * An Excel workbook, generated while it is read: rows are never kept in memory. Cells have the types they are given: an
 * id of 17 digits stays text, an amount is an exact number, and a formula in a narration is only text.
 * @throws {Failure} usage: beyond 4 GiB, and whatever the rows throw
 */
export function writeWorkbook(workbook: Workbook, maxRows = sheetMaxRows): AsyncGenerator<Uint8Array> {
  return zip(partsOf(workbook, maxRows), workbook.day);
}

/** The parts of the package. Those that name all sheets come last, when these are known. */
async function* partsOf({ title, day, sheets }: Workbook, maxRows: number): AsyncGenerator<ZipPart> {
  yield { path: "_rels/.rels", text: [packageLinks] };
  yield { path: "docProps/core.xml", text: [coreXml(title, day)] };
  yield { path: "xl/styles.xml", text: [stylesXml] };
  const written: WrittenSheet[] = [];
  for (const sheet of sheets) {
    const rows = new RowSupply(sheet.rows);
    try {
      for (let part = 1; part === 1 || (await rows.hasMore()); part += 1) {
        written.push(nameOf(sheet, part));
        yield {
          path: sheetPath(written.length),
          text: sheetXml(sheet, rows, { maxRows, name: nameOf(sheet, part).name }),
        };
      }
    } finally {
      await rows.close();
    }
  }
  yield { path: "xl/workbook.xml", text: [workbookXml(written)] };
  yield { path: "xl/_rels/workbook.xml.rels", text: [workbookLinks(written)] };
  yield { path: "[Content_Types].xml", text: [contentTypes(written)] };
}

function nameOf(sheet: WorkbookSheet, part: number): WrittenSheet {
  return { name: part === 1 ? sheet.name : `${sheet.name} ${part}`, headingRow: headingRow(sheet) };
}
