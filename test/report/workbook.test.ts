import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { writeWorkbook } from "../../src/report/workbook/workbook.ts";
import type { WorkbookRow, WorkbookSheet } from "../../src/report/workbook/sheet.ts";
import { Day } from "../../src/values/time/day.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { momentOf } from "../../src/values/time/wall-time.ts";
import { temporaryFolder } from "../memory-host.ts";
import { lacks } from "../statements/readers.ts";

const usual = String.raw`#,##0.00;[Red]\-#,##0.00`;
const fine = String.raw`#,##0.00########;[Red]\-#,##0.00########`;
const columns = [{ heading: "A", width: 10 }];
const day = dayOf("2026-10-31");

test("cells are typed as text, number or date by their value, not by how a text looks", async () => {
  const row = ["007", "=1+1", decimal("4500000.00"), 412, dayOf("2026-10-01"), momentOf("2026-10-01 23:59:59")];
  const { rows, forms } = await read([sheet([row])]);
  const dates = [new Date("2026-10-01T00:00:00Z"), new Date("2026-10-01T23:59:59Z")];
  expect(rows[1]).toEqual(["007", "=1+1", 4_500_000, 412, ...dates]);
  expect(forms).toEqual(["@", "@", usual, "#,##0", "yyyy\\-mm\\-dd", "yyyy\\-mm\\-dd\\ hh:mm:ss"]);
});

const amounts: readonly (readonly [string, string | number, string])[] = [
  ["9999999999999.99", 9_999_999_999_999.99, usual],
  ["-0.10", -0.1, usual],
  ["0.125", 0.125, fine],
  ["0.1250000", 0.125, fine],
  ["100000000000000000000", 1e20, usual],
  ["0", 0, usual],
  ["12345678901234567.1", "12345678901234567.10", "@"],
  ["-9007199254740993", "-9007199254740993.00", "@"],
  ["0.1234567890123456", "0.1234567890123456", "@"],
];

test.each(amounts)("an amount of %s never changes its value", async (digits, value, form) => {
  const { rows, forms } = await read([sheet([[decimal(digits)]])]);
  expect(rows[1]).toEqual([value]);
  expect(forms).toEqual([form]);
});

test("the title is bold and larger, headings are bold, and cells are neither", async () => {
  const bytes = await bytesOf([{ ...sheet([["cell"]]), titles: ["Title"] }]);
  const [first] = (await readXlsx(bytes, { readStyles: true })).sheets;
  const fonts = [0, 2, 3].map((row) => first?.cells?.get(`${row},0`)?.style?.font);
  expect(fonts.map((font) => [font?.bold === true, font?.size ?? 11])).toEqual([
    [true, 14],
    [true, 11],
    [false, 11],
  ]);
});

test("any text survives, including characters that XML cannot hold", async () => {
  const text = "<&>\"' _x0041_ \u0000\u0007\r\n\t é 👩‍👧 \ufffe \u2028 end ";
  const { rows } = await read([sheet([[text]])]);
  expect(rows[1]).toEqual([text]);
});

test("text longer than a cell allows is cut with an ellipsis", async () => {
  const { rows } = await read([sheet([["x".repeat(40_000)]])]);
  expect(rows[1]).toEqual([`${"x".repeat(32_766)}…`]);
});

test("dates before March 1900, where spreadsheets disagree, are written as text", async () => {
  const { rows } = await read([sheet([[dayOf("1900-02-28"), dayOf("1900-03-01")]])]);
  expect(rows[1]).toEqual(["1900-02-28", new Date("1900-03-01T00:00:00Z")]);
});

test("rows beyond a sheet's limit continue on another sheet with the same headings", async () => {
  const rows = Array.from({ length: 7 }, (_, index): WorkbookRow => [index]);
  const book = await readXlsx(
    await bytesOf(
      [
        { ...sheet(rows), titles: ["Title"] },
        { ...sheet([]), name: "Rest" },
      ],
      6,
    ),
  );
  expect(book.sheets.map(({ name }) => name)).toEqual(["Rows", "Rows 2", "Rows 3", "Rest"]);
  expect(book.sheets.map((each) => each.rows.filter(([cell]) => typeof cell === "number").flat())).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6],
    [],
  ]);
  for (const { rows: lines, freezePane } of book.sheets.slice(0, 3)) {
    expect(lines.slice(0, 3).map(([cell]) => cell ?? null)).toEqual(["Title", null, "A"]);
    expect(freezePane?.rows).toBe(3);
  }
});

test("a sheet filled exactly has no empty sheet after it, whatever the batch size", async () => {
  const rows = batchesOf([], [[1], [2]], [], [[3]], []);
  const book = await readXlsx(await bytesOf([{ name: "Rows", columns, rows }], 4));
  expect(book.sheets.map((each) => each.rows)).toEqual([[["A"], [1], [2], [3]]]);
});

test("columns after Z have two letters", async () => {
  const wide = Array.from({ length: 30 }, (_, index) => ({ heading: `h${index}`, width: 5 }));
  const [first] = (await readXlsx(await bytesOf([{ name: "Rows", columns: wide, rows: [] }]))).sheets;
  expect(first?.rows[0]).toEqual(wide.map(({ heading }) => heading));
});

test("the bytes depend only on the rows and the day", async () => {
  const [first, again] = [await bytesOf([sheet([["a"]])]), await bytesOf([sheet([["a"]])])];
  expect(again.equals(first)).toBe(true);
});

test("an error in the rows fails the workbook, and rows are closed when nothing reads on", async () => {
  let closed = 0;
  async function* failing(): AsyncGenerator<readonly WorkbookRow[]> {
    try {
      yield [["a"]];
      await Promise.resolve();
      throw new Error("the rows broke off");
    } finally {
      closed += 1;
    }
  }
  await expect(bytesOf([{ name: "Rows", columns, rows: failing() }])).rejects.toThrow("the rows broke off");
  const workbook = writeWorkbook({
    title: "t",
    day,
    sheets: [{ name: "Rows", columns, rows: endless(() => closed++) }],
  });
  for await (const bytes of workbook) if (bytes.length > 1000) break;
  expect(closed).toBe(2);
});

test("every part is well-formed XML, and the archive is intact (needs unzip and xmllint)", async ({ skip }) => {
  const missing = lacks("unzip", "-v") ?? lacks("xmllint", "--version");
  if (missing !== undefined) skip(missing);
  const path = join(temporaryFolder(), "book.xlsx");
  writeFileSync(path, await bytesOf([{ ...sheet([["\u0001 <&> ]]>"]]), name: "It's & <more>", titles: ['"&\u0001'] }]));
  expect(spawnSync("unzip", ["-tq", path]).status).toBe(0);
  const parts = spawnSync("unzip", ["-Z1", path], { encoding: "utf8" }).stdout.trim().split("\n");
  expect(parts).toHaveLength(7);
  for (const part of parts) {
    const { stdout } = spawnSync("unzip", ["-p", path, part.replaceAll(/[[\]]/g, (found) => `\\${found}`)]);
    expect({ part, ...xmllint(stdout) }).toEqual({ part, status: 0, said: "" });
  }
});

function xmllint(input: Buffer) {
  const { status, stderr } = spawnSync("xmllint", ["--noout", "-"], { input, encoding: "utf8" });
  return { status, said: stderr };
}

async function* batchesOf(...batches: readonly (readonly WorkbookRow[])[]): AsyncGenerator<readonly WorkbookRow[]> {
  await Promise.resolve();
  yield* batches;
}

async function* endless(onEnd: () => void): AsyncGenerator<readonly WorkbookRow[]> {
  try {
    for (let row = 0; ; row += 1) {
      yield [[`${row * 7919}`]];
      await Promise.resolve();
    }
  } finally {
    onEnd();
  }
}

function sheet(rows: readonly WorkbookRow[]): WorkbookSheet {
  const width = Math.max(1, ...rows.map((row) => row.length));
  return { name: "Rows", columns: Array.from({ length: width }, () => ({ heading: "A", width: 10 })), rows };
}

async function bytesOf(sheets: readonly WorkbookSheet[], maxRows?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWorkbook({ title: "Title", day, sheets }, maxRows)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The first sheet as another reader of workbooks sees it, with the formats of its second row. */
async function read(sheets: readonly WorkbookSheet[]) {
  const [first] = (await readXlsx(await bytesOf(sheets), { readStyles: true })).sheets;
  const rows = first?.rows ?? [];
  const forms = (rows[1] ?? []).map((_, column) => first?.cells?.get(`1,${column}`)?.style?.numFmt ?? "");
  return { rows, forms };
}

function dayOf(text: string): Day {
  const found = Day.parse(text);
  if (found === undefined) throw new Error(`${text} isn't a day`);
  return found;
}

function decimal(text: string): Decimal {
  const found = Decimal.parse(text);
  if (found === undefined) throw new Error(`${text} isn't a number`);
  return found;
}
