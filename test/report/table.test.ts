import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import type { Field } from "../../src/values/field.ts";
import { Numeral } from "../../src/values/json.ts";
import { inBatches, render, rowsReport, stdoutOf } from "./render.ts";

const fields: readonly Field[] = [
  { name: "accountNo", kind: "id", title: "account" },
  { name: "accountName", kind: "text" },
  { name: "balance", kind: "amount" },
  { name: "currency", kind: "id" },
  { name: "countryCode", kind: "id", machineOnly: true },
];
const rows = [
  { accountNo: "0012", accountName: "Payroll", balance: new Numeral("4500000"), currency: "TZS", countryCode: "TZ" },
  { accountNo: "015A8XX787600", accountName: null, balance: "12345678901234567.105", currency: "KES" },
  { accountNo: "7", accountName: "Fees", balance: "", currency: "JPY" },
  { accountNo: "8", accountName: "Float", balance: new Numeral("-1500"), currency: "JPY" },
];
const wallets = rowsReport(fields, rows);

test("amounts are grouped, right-aligned and padded to their currency's digits; ids are text", async () => {
  expect(await stdoutOf(wallets)).toBe(
    `account        account name                     balance  currency
0012           Payroll                     4,500,000.00  TZS
015A8XX787600                12,345,678,901,234,567.105  KES
7              Fees                                      JPY
8              Float                             -1,500  JPY
`,
  );
});

test("--no-header hides the headings", async () => {
  const report = rowsReport(fields, rows.slice(0, 1));
  expect(await stdoutOf(report, { header: false })).toBe("0012  Payroll  4,500,000.00  TZS\n");
});

test("a shared currency is in the heading, and another one after its amount", async () => {
  const report = { ...rowsReport(fields, rows.slice(0, 2)), currency: "TZS" };
  expect(await stdoutOf(report, { columns: ["accountNo", "balance"] })).toBe(
    `account                         balance (TZS)
0012                             4,500,000.00
015A8XX787600  12,345,678,901,234,567.105 KES
`,
  );
});

test("a field without a title is named by its words", async () => {
  const columns: readonly Field[] = ["availableBalance", "tranRefNo", "D/C", "kycLevel2Status"].map((name) => ({
    name,
    kind: "text",
  }));
  expect((await stdoutOf(rowsReport(columns, [{}]))).split("\n")[0]).toBe(
    "available balance  tran ref no  d/c  kyc level2 status",
  );
});

test("without rows there is one sentence on stderr, or nothing with --quiet", async () => {
  const empty = { ...rowsReport(fields, []), footer: () => ["total 0.00"] };
  expect(await render(empty)).toEqual({ stdout: "", stderr: "There is nothing.\n", error: undefined });
  expect(await render(empty, { quiet: true })).toEqual({ stdout: "", stderr: "", error: undefined });
});

test("an unknown column is refused even if there are no rows", async () => {
  for (const format of ["table", "csv", "json"] as const) {
    expect(await render(rowsReport(fields, []), { format, columns: ["accountNo", "nope"] })).toMatchObject({
      stdout: "",
      stderr: "",
      error: { ending: "usage", message: 'There is no column "nope" in this result.' },
    });
  }
  expect(await render(rowsReport("fromRows", []), { format: "csv", columns: ["nope"] })).toEqual({
    stdout: "nope\n",
    stderr: "",
    error: undefined,
  });
});

test("lines under the table follow the last row, with control characters escaped", async () => {
  const report = { ...rowsReport(fields, rows.slice(0, 1)), footer: () => ["total TZS 1.00", "\u001b[2J"] };
  expect(await stdoutOf(report, { header: false })).toBe(
    String.raw`0012  Payroll  4,500,000.00  TZS
total TZS 1.00
\u001b[2J
`,
  );
});

test("control characters are escaped in cells, headings and nested values", async () => {
  const hostile = [
    { "a\u001b]0;x\u0007": "\u001b[31mred\r\n\u202e", b: { c: ["\u200b", new Numeral("1.0")] }, d: true },
  ];
  expect((await stdoutOf(rowsReport("fromRows", hostile))).replaceAll(/ +/g, " ")).toBe(
    String.raw`a\u001b]0;x\u0007 b d
\u001b[31mred\r\n\u202e c \u200b; 1.0 yes
`,
  );
});

/** The number of rows laid out at once; a wider row after them cannot affect them. */
const sliceRows = 200;

function repeated<T>(values: readonly T[]): T[] {
  return values.flatMap((value) => Array.from({ length: sliceRows }, () => value));
}

test("the size of the batches does not change the table", async () => {
  const all = [...repeated(rows), ...repeated(rows)].slice(0, -1);
  const whole = await stdoutOf(rowsReport(fields, inBatches(all, all.length)));
  for (const size of [1, 7, sliceRows - 1, sliceRows, sliceRows + 1])
    expect(await stdoutOf(rowsReport(fields, inBatches(all, size)))).toBe(whole);
});

test("off a terminal nothing is cut, and one very long cell does not widen every line", async () => {
  const report = rowsReport(
    [
      { name: "a", kind: "text" },
      { name: "b", kind: "text" },
    ],
    [
      { a: "x".repeat(5000), b: "1" },
      { a: "日".repeat(300), b: "2" },
      { a: "y", b: "3" },
    ],
  );
  const lines = (await stdoutOf(report, { header: false })).split("\n");
  expect(lines).toEqual([`${"x".repeat(5000)}  1`, `${"日".repeat(300)}  2`, `${"y".padEnd(200)}  3`, ""]);
});

test("characters are counted by their width on a terminal", async () => {
  const texts = ["日本", "e\u0301te\u0301", "😀!", "naïve", "Ωμέγα", "plain"];
  const report = rowsReport(
    [
      { name: "a", kind: "text" },
      { name: "b", kind: "text" },
    ],
    texts.map((a) => ({ a, b: "|" })),
  );
  expect((await stdoutOf(report, { header: false })).split("\n").slice(0, -1)).toEqual([
    "日本   |",
    "e\u0301te\u0301    |",
    "😀!    |",
    "naïve  |",
    "Ωμέγα  |",
    "plain  |",
  ]);
});

test("rows in batches stay aligned, and a wider cell widens only the rows after it", async () => {
  const stream = [
    { accountNo: "1", accountName: "a", balance: new Numeral("1"), currency: "TZS" },
    { accountNo: "22", accountName: "b", balance: new Numeral("999999999.99"), currency: "TZS" },
    { accountNo: "333", accountName: "a long name that was not foreseen", balance: new Numeral("3"), currency: "TZS" },
    { accountNo: "4", accountName: "d", balance: new Numeral("4"), currency: "TZS" },
  ];
  expect(await stdoutOf(rowsReport(fields, inBatches(repeated(stream), 1)))).toBe(
    [
      "account  account name         balance  currency\n",
      ...repeated([
        "1        a                       1.00  TZS\n",
        "22       b             999,999,999.99  TZS\n",
        "333      a long name that was not foreseen            3.00  TZS\n",
        "4        d                                            4.00  TZS\n",
      ]),
    ].join(""),
  );
});

test("a record has one line per field, with amounts aligned and their currency", async () => {
  const report: Report = {
    shape: "record",
    columns: [
      { name: "availableBalance", kind: "amount", title: "available" },
      { name: "currentBalance", kind: "amount", title: "current" },
      { name: "accountStatus", kind: "text" },
      { name: "accountName", kind: "text" },
      { name: "type", kind: "text", machineOnly: true },
    ],
    record: {
      availableBalance: new Numeral("950.5"),
      currentBalance: "12345678.90",
      accountStatus: "ACTIVE\u0007",
      type: "left out",
      cbaRefNo: null,
      meta: { a: new Numeral("1.0") },
    },
    currency: "TZS",
  };
  expect(await stdoutOf(report)).toBe(
    String.raw`available              950.50 TZS
current         12,345,678.90 TZS
account status  ACTIVE\u0007
cba ref no
meta a          1.0
`,
  );
  expect(await render(report, { columns: ["type", "nope"] })).toEqual({
    stdout: "type  left out\n",
    stderr: 'There is no column "nope" in this result.\n',
    error: undefined,
  });
});

test("text is the same in every format", async () => {
  for (const format of ["table", "json", "ndjson", "csv"] as const) {
    expect(await stdoutOf({ shape: "text", text: "complete -C partner\n" }, { format })).toBe("complete -C partner\n");
  }
});

test("texts of the service never become control characters, and every row is one line", async () => {
  const texts = fc.string({ unit: "binary", maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(texts, texts, { maxKeys: 3 }), { minLength: 1, maxLength: 4 }),
      async (rows) => {
        const output = await stdoutOf(rowsReport("fromRows", rows), { header: false });
        expect(output).not.toMatch(/[^\P{Cc}\n]|[\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b]/u);
        expect(output.split("\n")).toHaveLength(rows.length + 1);
      },
    ),
    { numRuns: 30 },
  );
});
