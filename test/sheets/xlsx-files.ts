import { zip } from "../../src/report/workbook/zip.ts";
import { Day } from "../../src/values/time/day.ts";

const day = Day.parse("2026-10-31") ?? raise();
const spreadsheetml = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const links = "http://schemas.openxmlformats.org/package/2006/relationships";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The XML of a workbook, part by part, as another program could have written it. */
export interface XlsxParts {
  /** The content of `sheetData` of each sheet, by the sheet's name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The XML before `sheetData` in each of them. */
  readonly before?: string;
  /** The XML after `sheetData` in each of them. */
  readonly after?: string;
  /** The shared texts of cells. */
  readonly strings?: readonly string[];
  /** The number formats of the styles 1, 2 and on; style 0 has none. */
  readonly forms?: readonly string[];
  /** The workbook's own properties. */
  readonly properties?: string;
  /** Parts that replace these, or are added. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** A workbook as bytes. */
export async function xlsx(content: XlsxParts): Promise<Buffer> {
  return archive({ ...usualParts(content), ...content.parts });
}

/** Any parts as an archive. */
export async function archive(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const all = Object.entries(parts).map(([path, text]) => ({ path, text: [text] }));
  for await (const piece of zip(all, day)) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

/** Cells of a row as XML: text, or a number, one by one from column A. */
export function row(line: number, ...cells: readonly (string | number)[]): string {
  const all = cells.map((cell, index) => {
    const place = `${String.fromCharCode(65 + index)}${line}`;
    return typeof cell === "number"
      ? `<c r="${place}"><v>${cell}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  });
  return `<row r="${line}">${all.join("")}</row>`;
}

function usualParts({ sheets, before = "", after = "", strings = [], forms = [], properties = "" }: XlsxParts) {
  const names = Object.keys(sheets);
  const entries = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  const targets = names.map((_, index) => link(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`));
  const others = [link("s1", "sharedStrings", "sharedStrings.xml"), link("s2", "styles", "/xl/styles.xml")];
  const numbers = forms.map(
    (form, index) => `<numFmt numFmtId="${164 + index}" formatCode="${form.replaceAll('"', "&quot;")}"/>`,
  );
  const styles = forms.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  return {
    "_rels/.rels": `${head}<Relationships xmlns="${links}">${link("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${links}">${[...targets, ...others].join("")}</Relationships>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${spreadsheetml}" xmlns:r="${office}">${properties}<sheets>${entries.join("")}</sheets></workbook>`,
    "xl/styles.xml": `${head}<styleSheet xmlns="${spreadsheetml}"><numFmts>${numbers.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${head}<sst xmlns="${spreadsheetml}">${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${head}<worksheet xmlns="${spreadsheetml}">${before}<sheetData>${sheets[name] ?? ""}</sheetData>${after}</worksheet>`,
      ]),
    ),
  };
}

function link(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
}

function raise(): never {
  throw new Error("no day");
}
