import type { Day } from "../../values/time/day.ts";
import { escapeXml } from "./cell.ts";

/** A written sheet; rows may need several. */
export interface WrittenSheet {
  readonly name: string;
  /** The last of the rows that are repeated on each printed page, counted from 1. */
  readonly headingRow: number;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const formats = "http://schemas.openxmlformats.org";
const office = `${formats}/officeDocument/2006/relationships`;
const main = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** Links from the package to the workbook and its properties. */
export const packageLinks = links([
  ["officeDocument", `${office}/officeDocument`, "xl/workbook.xml"],
  ["properties", `${formats}/package/2006/relationships/metadata/core-properties`, "docProps/core.xml"],
]);

export function workbookLinks(sheets: readonly WrittenSheet[]): string {
  return links([
    ...sheets.map((_, index): Link => [`sheet${index + 1}`, `${office}/worksheet`, `worksheets/sheet${index + 1}.xml`]),
    ["styles", `${office}/styles`, "styles.xml"],
  ]);
}

export function workbookXml(sheets: readonly WrittenSheet[]): string {
  const entries = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="sheet${index + 1}"/>`,
  );
  const titles = sheets.map(({ name, headingRow }, index) => {
    const rows = `'${escapeXml(name.replaceAll("'", "''"))}'!$1:$${headingRow}`;
    return `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${rows}</definedName>`;
  });
  return (
    `${head}<workbook xmlns="${formats}/spreadsheetml/2006/main" xmlns:r="${office}">` +
    `<sheets>${entries.join("")}</sheets><definedNames>${titles.join("")}</definedNames></workbook>`
  );
}

export function coreXml(title: string, day: Day): string {
  const moment = `xsi:type="dcterms:W3CDTF">${day.toString()}T00:00:00Z`;
  return (
    `${head}<cp:coreProperties xmlns:cp="${formats}/package/2006/metadata/core-properties"` +
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"' +
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${escapeXml(title)}</dc:title><dc:creator>partner</dc:creator>` +
    `<dcterms:created ${moment}</dcterms:created><dcterms:modified ${moment}</dcterms:modified></cp:coreProperties>`
  );
}

export function contentTypes(sheets: readonly WrittenSheet[]): string {
  const parts = [
    ["docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"],
    ["xl/styles.xml", `${main}.styles+xml`],
    ["xl/workbook.xml", `${main}.sheet.main+xml`],
    ...sheets.map((_, index) => [sheetPath(index + 1), `${main}.worksheet+xml`]),
  ];
  return (
    `${head}<Types xmlns="${formats}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `${parts.map(([path = "", type = ""]) => `<Override PartName="/${path}" ContentType="${type}"/>`).join("")}</Types>`
  );
}

type Link = readonly [id: string, type: string, target: string];

function links(all: readonly Link[]): string {
  const each = all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
  return `${head}<Relationships xmlns="${formats}/package/2006/relationships">${each.join("")}</Relationships>`;
}
