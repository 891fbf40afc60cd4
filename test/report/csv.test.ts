import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDelimiter } from "../../src/report/csv.ts";
import type { Row } from "../../src/report/report.ts";
import { Failure } from "../../src/values/failure.ts";
import type { Field } from "../../src/values/field.ts";
import { Numeral } from "../../src/values/json.ts";
import { readCsv } from "./csv-reader.ts";
import { inBatches, render, rowsReport, stdoutOf } from "./render.ts";

const fields: readonly Field[] = [
  { name: "tranRefNo", kind: "id" },
  { name: "narration", kind: "text" },
  { name: "amount", kind: "amount" },
  { name: "hidden", kind: "text", machineOnly: true },
];

test("CSV has the documented names in order, LF, no byte order mark, and an empty cell for null", async () => {
  const rows = [
    { amount: new Numeral("4500000.00"), tranRefNo: "0012", narration: "rent", surplus: "left out" },
    { tranRefNo: "7", narration: null, amount: "", hidden: "x" },
  ];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv" })).toBe(
    "tranRefNo,narration,amount,hidden\n0012,rent,4500000.00,\n7,,,x\n",
  );
});

test("an empty list gives only the header", async () => {
  const empty = await render(rowsReport(fields, []), { format: "csv" });
  expect(empty).toEqual({ stdout: "tranRefNo,narration,amount,hidden\n", stderr: "", error: undefined });
  expect(await stdoutOf(rowsReport(fields, []), { format: "csv", header: false })).toBe("");
});

test("numbers keep the service's digits, as number or text, beyond doubles and with an exponent", async () => {
  const amounts = [new Numeral("12345678901234567.10"), "0.10", new Numeral("1.5E+3"), "-7.00", new Numeral("-0.0")];
  const rows = amounts.map((amount) => ({ amount }));
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", columns: ["amount"], header: false })).toBe(
    "12345678901234567.10\n0.10\n1.5E+3\n-7.00\n-0.0\n",
  );
});

test.each([
  ["text", "=SUM(A1)", "'=SUM(A1)"],
  ["text", "+255712345678", "'+255712345678"],
  ["text", "-5.00", "'-5.00"],
  ["text", "@import", "'@import"],
  ["text", "\ttab", "'\ttab"],
  ["text", "\rreturn", `"'\rreturn"`],
  ["text", "1 = 1", "1 = 1"],
  ["text", "'quoted already", "'quoted already"],
  ["id", "-X50jcLD_U", "-X50jcLD_U"],
  ["id", "-50jcLD-U", "-50jcLD-U"],
  ["id", "-a/b.c", "-a/b.c"],
  ["id", "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ["id", "-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ["amount", "-5.00", "-5.00"],
  ["amount", "+5.00", "'+5.00"],
  ["amount", "=1+1", "'=1+1"],
  ["count", "-3", "-3"],
  ["time", "@2026", "'@2026"],
  ["flag", "=TRUE", "'=TRUE"],
] as const)("a cell of kind %s with the text %j is written as %j, unchanged with --raw", async (kind, value, cell) => {
  const report = rowsReport([{ name: "cell", kind }], [{ cell: value }]);
  expect(await stdoutOf(report, { format: "csv", header: false })).toBe(`${cell}\n`);
  expect(readCsv(await stdoutOf(report, { format: "csv", header: false, raw: true }))).toEqual([[value]]);
});

test("numbers are never guarded, whatever the kind of their column", async () => {
  const rows = [{ narration: new Numeral("-5"), tranRefNo: new Numeral("-6"), amount: new Numeral("-7") }];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", header: false })).toBe("-6,-5,-7,\n");
});

test("lists and objects are written as compact JSON with exact digits, flags as true and false", async () => {
  const rows = [{ narration: { a: [new Numeral("1.10"), null] }, tranRefNo: true }];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", header: false })).toBe(
    'true,"{""a"":[1.10,null]}",,\n',
  );
});

test("--excel writes a byte order mark and CRLF, and quotes a lone LF or CR", async () => {
  const rows = [{ narration: "one\ntwo" }, { narration: "one\rtwo" }, { narration: "plain" }];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", excel: true, columns: ["narration"] })).toBe(
    '\uFEFFnarration\r\n"one\ntwo"\r\n"one\rtwo"\r\nplain\r\n',
  );
});

test("an empty cell alone on its line is quoted, so that readers do not skip the line", async () => {
  const rows = [{ narration: null }, { narration: "x" }, {}];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", columns: ["narration"] })).toBe(
    'narration\n""\nx\n""\n',
  );
});

test("columns taken from the rows are collected over all rows, with hostile names guarded", async () => {
  const rows: readonly Row[] = [{ bank: "A" }, { "=cmd": "x", ["constructor"]: "y" }, { bank: "B" }];
  const expected = "bank,'=cmd,constructor\nA,,\n,x,y\nB,,\n";
  expect(await stdoutOf(rowsReport("fromRows", rows), { format: "csv" })).toBe(expected);
  expect(await stdoutOf(rowsReport("fromRows", inBatches(rows, 1)), { format: "csv" })).toBe(expected);
});

test("a terminal gets control characters escaped; pipes and files get the original bytes", async () => {
  const report = rowsReport(fields, [{ narration: "\u001b[2Jgone\u202e" }]);
  expect(await stdoutOf(report, { format: "csv", columns: ["narration"], terminal: 80 })).toBe(
    String.raw`narration
\u001b[2Jgone\u202e
`,
  );
  expect(await stdoutOf(report, { format: "csv", columns: ["narration"] })).toBe("narration\n\u001b[2Jgone\u202e\n");
});

test.each([";", "tab", String.raw`\t`, "|", " "])("--delimiter %j is accepted as one character", (text) => {
  expect(parseDelimiter(text)).toHaveLength(1);
});

test.each(["", ";;", '"', "\n", "\r", "\0", "\u{1f600}", "\ud83d"])("--delimiter %j is refused", (text) => {
  expect(() => parseDelimiter(text)).toThrow(Failure);
});

const nasty = fc.string({
  unit: fc.constantFrom(..."\"',;\t|:=+-@ \n\r\0a0.é日\u001b\u202e\u00a0".split(""), "\r\n", "\u{1f600}"),
  maxLength: 12,
});
const delimiters = fc.oneof(
  fc.constantFrom(",", ";", "\t", "|", " ", "-", "0", "'", "=", "é"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((text) => !/["\r\n\0\ud800-\udfff]/.test(text)),
);

test("a strict reader gets every cell back, for every delimiter, line end and batch size", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) => fc.array(fc.array(nasty, { minLength: width, maxLength: width }))),
      delimiters,
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (cells, delimiter, excel, batchRows) => {
        const names = (cells[0] ?? ["a"]).map((_, index) => `column${index}`);
        const columns = names.map((name): Field => ({ name, kind: "text" }));
        const rows = cells.map((line) => Object.fromEntries(line.map((cell, index) => [names[index] ?? "", cell])));
        const options = { format: "csv", delimiter, excel, raw: true } as const;
        const text = await stdoutOf(rowsReport(columns, inBatches(rows, batchRows)), options);
        const read = readCsv(text.slice(excel ? 1 : 0), delimiter, excel ? "\r\n" : "\n");
        expect(read).toEqual([names, ...cells]);
      },
    ),
  );
});

test("the guard only adds a leading quote to cells that look like a formula", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(nasty, { minLength: 1 }), async (cells) => {
      const report = rowsReport(
        [{ name: "cell", kind: "text" }],
        cells.map((cell) => ({ cell })),
      );
      const read = readCsv(await stdoutOf(report, { format: "csv", header: false }));
      expect(read).toEqual(cells.map((cell) => [/^[\0\n]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell]));
    }),
  );
});
