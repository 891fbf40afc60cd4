import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import type { SheetOptions, SheetRow } from "../../src/sheets/sheet.ts";
import { openSheet } from "../../src/sheets/sheet.ts";
import { Failure } from "../../src/values/failure.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { XlsxParts } from "./xlsx-files.ts";
import { archive, row, xlsx } from "./xlsx-files.ts";

async function read(content: Uint8Array, options: SheetOptions = {}) {
  const path = join(temporaryFolder(), "pay.xlsx");
  writeFileSync(path, content);
  const sheet = await openSheet(memoryHost(), path, { ragged: "keep", ...options });
  const rows: SheetRow[] = [];
  for await (const some of sheet.rows) rows.push(...some);
  return { header: sheet.header, sheet: sheet.sheet, rows };
}

async function told(content: Uint8Array, options: SheetOptions = {}): Promise<string> {
  try {
    await read(content, options);
    return "nothing";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.ending === "usage" ? "" : error.ending}${error.message}`.replaceAll(/\S*pay\.xlsx/g, "pay.xlsx");
  }
}

/** The text of one cell, below a heading. */
async function cell(xml: string, parts: Partial<XlsxParts> = {}): Promise<string> {
  const sheetData = `${row(1, "a", "b")}<row r="2">${xml}<c r="B2"><v>1</v></c></row>`;
  const { rows } = await read(await xlsx({ sheets: { Pay: sheetData }, ...parts }));
  return (
    rows[0]?.faults?.map(({ cell: place, problem }) => `${place} ${problem}`).join("; ") ?? rows[0]?.cells[0] ?? ""
  );
}

test.each([
  ["a text stays what it is", '<c r="A2" t="inlineStr"><is><t>00712</t></is></c>', "00712"],
  ["a shared text", '<c r="A2" t="s"><v>1</v></c>', "one and two"],
  ["a text with what XML cannot hold", '<c r="A2" t="inlineStr"><is><t>a_x0041__x000A_b</t></is></c>', "aA\nb"],
  [
    "a text of fifteen digits and more",
    '<c r="A2" t="inlineStr"><is><t>90071992547409931</t></is></c>',
    "90071992547409931",
  ],
  ["a whole number", '<c r="A2"><v>255712345678</v></c>', "255712345678"],
  ["a whole number of fifteen digits", '<c r="A2"><v>999999999999999</v></c>', "999999999999999"],
  ["a whole number with an exponent", '<c r="A2"><v>2.55712345678E11</v></c>', "255712345678"],
  ["a whole number that is written with zeros", '<c r="A2"><v>1950000.00</v></c>', "1950000"],
  ["a number with a fraction", '<c r="A2"><v>1950000.15</v></c>', "1950000.15"],
  ["the dust behind fifteen digits", '<c r="A2"><v>1950000.1499999999</v></c>', "1950000.15"],
  ["a sum that is whole but for dust", '<c r="A2"><v>3.0000000000000004</v></c>', "3"],
  ["a small number", '<c r="A2"><v>1.5E-7</v></c>', "0.00000015"],
  ["a negative number", '<c r="A2"><v>-12.50</v></c>', "-12.5"],
  ["minus zero", '<c r="A2"><v>-0</v></c>', "0"],
  ["a day by a built-in form", '<c r="A2" s="1"><v>46326</v></c>', "2026-10-31"],
  ["a day by a form of the workbook's", '<c r="A2" s="2"><v>46326</v></c>', "2026-10-31"],
  ["a moment", '<c r="A2" s="2"><v>46326.354166666664</v></c>', "2026-10-31 08:30:00"],
  ["a number in red", '<c r="A2" s="3"><v>12</v></c>', "12"],
  ["a number with the letter d in quotes", '<c r="A2" s="4"><v>12</v></c>', "12"],
  ["a day as ISO text", '<c r="A2" t="d"><v>2026-10-31T00:00:00</v></c>', "2026-10-31"],
  ["a formula's number", '<c r="A2"><f>B2*5</f><v>5</v></c>', "5"],
  ["a formula's text", '<c r="A2" t="str"><f>"a"</f><v>a</v></c>', "a"],
  ["a formula's empty text", '<c r="A2" t="str"><f>""</f><v></v></c>', ""],
  ["yes", '<c r="A2" t="b"><v>1</v></c>', "TRUE"],
  ["an empty cell with a style", '<c r="A2" s="1"/>', ""],
  ["no cell", "", ""],
  ["cells without places", "<c><v>7</v></c>", "7"],
  ["elements with a prefix", '<x:c xmlns:x="x" r="A2"><x:v>7</x:v></x:c>', "7"],
  [
    "a text beyond the elements",
    '<c r="A2" t="inlineStr"><is><r><t>a</t></r><rPh sb="0" eb="1"><t>no</t></rPh><r><t><![CDATA[<b]]></t></r></is></c>',
    "a<b",
  ],
])("%s", async (_, xml, text) => {
  const strings = ["<t>zero</t>", "<r><t>one</t></r><r><t> and two</t></r>"];
  const forms = ["yyyy-mm-dd", 'dd"."mm"."yy', "[Red]0.00", '"day" 0'];
  expect(await cell(xml, { strings, forms })).toBe(text);
});

test("built-in formats of days are recognised by number, those of East Asia too, and their neighbours are not", async () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  const styles = `<styleSheet><cellXfs>${numbers.map((number) => `<xf numFmtId="${number}"/>`).join("")}</cellXfs></styleSheet>`;
  const cells = numbers.map(
    (number) => `<row r="${number + 2}"><c r="A${number + 2}" s="${number}"><v>46326</v></c></row>`,
  );
  const sheets = { Pay: `${row(1, "a")}${cells.join("")}` };
  const { rows } = await read(await xlsx({ sheets, parts: { "xl/styles.xml": styles } }));
  const days = rows.flatMap(({ cells: [text] }, number) => (text === "2026-10-31" ? [number] : []));
  expect(days).toEqual([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 54, 57, 58]);
  expect(new Set(rows.map(({ cells: [text] }) => text))).toEqual(new Set(["46326", "2026-10-31"]));
});

test("a cell without a style has its column's, as in Gnumeric's files", async () => {
  const parts = { before: '<cols><col min="1" max="1" style="1"/></cols>', forms: ["yyyy-mm-dd"] };
  expect(await cell('<c r="A2"><v>46326</v></c>', parts)).toBe("2026-10-31");
  expect(await cell('<c r="A2" s="0"><v>46326</v></c>', parts)).toBe("46326");
});

test("days of an old Macintosh are read as that program shows them", async () => {
  const parts = { properties: '<workbookPr date1904="1"/>', forms: ["yyyy-mm-dd"] };
  expect(await cell('<c r="A2" s="1"><v>44864</v></c>', parts)).toBe("2026-10-31");
});

test.each([
  ["an error", '<c r="A2" t="e"><v>#N/A</v></c>', 'Pay!A2 is an error, "#N/A"'],
  ["an error of a formula", '<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', 'Pay!A2 is an error, "#DIV/0!"'],
  ["a formula without a value", '<c r="A2"><f>B2*5</f></c>', "Pay!A2 is a formula without a stored value"],
  ["a formula with an empty value", '<c r="A2"><f>B2*5</f><v/></c>', "Pay!A2 is a formula without a stored value"],
  [
    "a number of sixteen digits",
    '<c r="A2"><v>1234567890123456</v></c>',
    "Pay!A2 has more digits than the 15 that a spreadsheet keeps",
  ],
  ["a number that is none", '<c r="A2"><v>1,5</v></c>', "Pay!A2 has a number that cannot be read"],
  ["a number that is too large", '<c r="A2"><v>1E999</v></c>', "Pay!A2 has a number that cannot be read"],
  ["a text that is not there", '<c r="A2" t="s"><v>9</v></c>', "Pay!A2 is a text that the workbook does not have"],
  ["a kind of cell to come", '<c r="A2" t="x"><v>9</v></c>', 'Pay!A2 is of an unknown kind, "x"'],
  ["a day that never was", '<c r="A2" s="1"><v>60</v></c>', "Pay!A2 has a date that spreadsheets do not agree on"],
  ["a cell under no heading", '<c r="F2"><v>1</v></c>', "Pay!F2 has no heading: its column has no name"],
  [
    "a cell under no heading, far to the right",
    '<c r="ABC2"><v>1</v></c>',
    "Pay!ABC2 has no heading: its column has no name",
  ],
])("%s is reported with its sheet and cell", async (_, xml, words) => {
  expect(await cell(xml, { forms: ["yyyy-mm-dd"] })).toContain(words);
});

function merges(...ranges: readonly string[]): string {
  return `<mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`;
}

test("merged cells are faults, except a merged title above the header if titles are allowed", async () => {
  const title = row(1, "Payments of October");
  const rows = `${title}${row(2, "a", "b")}${row(3, 1, 2)}${row(4, 3)}`;
  const options = { titled: true, required: ["a", "b"] };
  const fine = await read(await xlsx({ sheets: { Pay: rows }, after: merges("A1:B1") }), options);
  expect(fine.rows).toEqual([
    { line: 3, cells: ["1", "2"] },
    { line: 4, cells: ["3", ""] },
  ]);
  const wrong = await read(await xlsx({ sheets: { Pay: rows }, after: merges("A1:B1", "B3:B4") }), options);
  expect(wrong.rows.at(-1)).toMatchObject({ faults: [{ cell: "Pay!B3:B4", problem: "is merged" }] });
});

test("empty rows and columns at the end are ignored, and a hidden row is marked", async () => {
  const rows = `<row r="1"/>${row(2, "a", "b", "")}${row(4, "1", "2", " ")}<row r="7" hidden="1"><c r="B7"><v>3</v></c></row>`;
  const { header, rows: found } = await read(await xlsx({ sheets: { Pay: rows } }));
  expect(header).toEqual(["a", "b"]);
  expect(found).toEqual([
    { line: 4, cells: ["1", "2"] },
    { line: 7, cells: ["", "3"], isHidden: true },
  ]);
});

test("a single sheet is read without a name, and one of several by its name in any case", async () => {
  const several = await xlsx({ sheets: { Pay: row(1, "a") + row(2, "x"), "Notes &amp; more": row(1, "b") } });
  expect(await told(several)).toBe('pay.xlsx cannot be read: it has 2 sheets: "Pay", "Notes & more".');
  expect(await told(several, { sheet: "Paid" })).toBe('pay.xlsx cannot be read: it has no sheet "Paid".');
  expect(await read(several, { sheet: "pay" })).toMatchObject({ sheet: "Pay", rows: [{ cells: ["x"] }] });
  expect(await told(Buffer.from("a,b\n1,2\n"), { sheet: "Pay" })).toContain("it is CSV and has no sheets");
});

test("a workbook of another program is read as it was written", async () => {
  const day = new Date("2026-10-31T00:00:00Z");
  const rows = [
    ["reference", "amount", "date", "paid"],
    ["0042", 1950000.15, day, true],
    ["", 12, null, null],
  ];
  expect((await read(await writeXlsx({ sheets: [{ name: "Pay", rows }] }))).rows).toEqual([
    { line: 2, cells: ["0042", "1950000.15", "2026-10-31", "TRUE"] },
    { line: 3, cells: ["", "12", "", ""] },
  ]);
});

const simple = { sheets: { Pay: row(1, "a") + row(2, "x".repeat(5000)) } };

/** The bytes with some bits of one of them changed. */
function changed(bytes: Buffer, at: number, bits = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}

test.each<readonly [string, () => Promise<Uint8Array>, string]>([
  [
    "a wrong checksum",
    async () => {
      const bytes = await xlsx(simple);
      const at = bytes.lastIndexOf("xl/worksheets/sheet1.xml") - 46 + 16;
      return changed(bytes, at);
    },
    "as a workbook it is damaged: the checksum of xl/worksheets/sheet1.xml is wrong.",
  ],
  [
    "a half of a file",
    async () => (await xlsx(simple)).subarray(0, 900),
    "as a workbook it is damaged: its archive cannot be read.",
  ],
  [
    "a password of its archive",
    async () => {
      const bytes = await xlsx(simple);
      return changed(bytes, bytes.lastIndexOf("xl/worksheets/sheet1.xml") - 46 + 8, 1);
    },
    "it is encrypted.",
  ],
  [
    "a document type",
    () => xlsx({ ...simple, parts: { "xl/workbook.xml": '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>' } }),
    "xl/workbook.xml has a document type (DTD) in it, as no spreadsheet writes one.",
  ],
  [
    "a document type in the sheet",
    () => xlsx({ ...simple, parts: { "xl/worksheets/sheet1.xml": "<!DOCTYPE a><worksheet/>" } }),
    "xl/worksheets/sheet1.xml has a document type (DTD) in it, as no spreadsheet writes one.",
  ],
  [
    "an element that is never closed",
    () => xlsx({ ...simple, parts: { "xl/worksheets/sheet1.xml": "<worksheet><sheetData>" } }),
    "as a workbook it is damaged: xl/worksheets/sheet1.xml is not well-formed XML.",
  ],
  [
    "an entity that nobody declares",
    () => xlsx({ ...simple, sheets: { Pay: row(1, "&boom;") } }),
    "as a workbook it is damaged: xl/worksheets/sheet1.xml is not well-formed XML.",
  ],
  [
    "more than 256 MiB unpacked",
    () => xlsx({ ...simple, parts: { "xl/media/a.xml": " ".repeat(257 * 1024 * 1024) } }),
    "it would be larger than 256 MiB once unpacked.",
  ],
  ["a sheet that is missing", () => xlsx({ ...simple, sheets: {} }), "the workbook has no sheet with rows."],
  ["no workbook", () => archive({ "a.txt": "a" }), "it is a ZIP archive, and no workbook."],
  ["OpenDocument", () => archive({ mimetype: "m", "content.xml": "<a/>" }), "it is an OpenDocument file (.ods)."],
  [
    "an old workbook by another name",
    async () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Buffer.alloc(600)]),
    "it is an old workbook of Excel (.xls), whatever its name says.",
  ],
  [
    "a password of Excel's",
    async () =>
      Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        Buffer.alloc(600),
        Buffer.from("EncryptedPackage", "utf16le"),
      ]),
    "it is encrypted.",
  ],
])("a workbook with %s is refused", async (_, make, words) => {
  expect(await told(await make())).toBe(`pay.xlsx cannot be read: ${words}`);
});

test("a sheet that unpacks to more than its stated size is refused", async () => {
  const bytes = await xlsx(simple);
  const at = bytes.lastIndexOf("xl/worksheets/sheet1.xml") - 46 + 24;
  bytes.writeUInt32LE(100, at);
  expect(await told(bytes)).toContain("as a workbook it is damaged: xl/worksheets/sheet1.xml cannot be unpacked.");
});
