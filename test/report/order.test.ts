import * as fc from "fast-check";
import { expect, test } from "vitest";
import { heldCharsMax, heldRowsMax } from "../../src/report/hold.ts";
import type { Batches } from "../../src/report/report.ts";
import { Decimal } from "../../src/values/decimal.ts";
import type { Field } from "../../src/values/field.ts";
import type { JsonValue } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { containing } from "./containing.ts";
import { inBatches, render, rowsReport, stdoutOf } from "./render.ts";

const fields: readonly Field[] = [
  { name: "id", kind: "id" },
  { name: "text", kind: "text" },
  { name: "amount", kind: "amount" },
];

async function sorted(values: readonly JsonValue[], field: string, descending = false): Promise<unknown[]> {
  const rows = values.map((value) => ({ [field]: value }));
  const options = {
    format: "csv",
    raw: true,
    header: false,
    columns: [field],
    sort: [{ name: field, descending }],
  } as const;
  const text = await stdoutOf(rowsReport(fields, rows), options);
  expect(await stdoutOf(rowsReport(fields, inBatches(rows, 2)), options)).toBe(text);
  return text.trimEnd().split("\n");
}

test("amounts are sorted by their value, beyond doubles, whether they came as numbers or as text", async () => {
  const amounts = ["10", new Numeral("9.5"), "-3", new Numeral("12345678901234567.11"), "12345678901234567.10", "1e2"];
  const expected = ["-3", "9.5", "10", "1e2", "12345678901234567.10", "12345678901234567.11"];
  expect(await sorted(amounts, "amount")).toEqual(expected);
  expect(await sorted(amounts, "amount", true)).toEqual(expected.toReversed());
});

test("rows without a value come last in both directions, texts among amounts just before them", async () => {
  const values = ["", "n/a", null, "2", "1"];
  expect(await sorted(values, "amount")).toEqual(["1", "2", "n/a", '""', '""']);
  expect(await sorted(values, "amount", true)).toEqual(["n/a", "2", "1", '""', '""']);
});

test("texts and ids are sorted by code point, not as numbers and not by the machine's language", async () => {
  expect(await sorted(["b", "a", "B", "ä", "10", "9", "\uffee", "\u{1f600}", "ab"], "text")).toEqual([
    "10",
    "9",
    "B",
    "a",
    "ab",
    "b",
    "ä",
    "\uffee",
    "\u{1f600}",
  ]);
  expect(await sorted(["0012", "7", "015A"], "id")).toEqual(["0012", "015A", "7"]);
});

test("a second key decides where the first is equal, and equal rows stay as they came", async () => {
  const rows = ["1 b x", "2 a y", "1 a z", "1.0 b u"].map((line) => {
    const [amount = "", text = "", id = ""] = line.split(" ");
    return { amount, text, id };
  });
  const sort = [
    { name: "amount", descending: false },
    { name: "text", descending: true },
  ];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "csv", columns: ["id"], header: false, sort })).toBe(
    "x\nu\nz\ny\n",
  );
});

test("every format is sorted, also by a column that is not shown", async () => {
  const rows = [
    { id: "b", amount: "2" },
    { id: "a", amount: "1" },
  ];
  const options = { columns: ["id"], sort: [{ name: "amount", descending: false }] };
  const report = rowsReport(fields, rows);
  expect(await stdoutOf(report, { ...options, format: "table", header: false })).toBe("a\nb\n");
  expect(await stdoutOf(report, { ...options, format: "ndjson" })).toBe('{"id":"a"}\n{"id":"b"}\n');
  expect(JSON.parse(await stdoutOf(report, { ...options, format: "json" }))).toEqual([{ id: "a" }, { id: "b" }]);
});

test("the order of any amounts is that of their exact values", async () => {
  const amounts = fc.array(fc.stringMatching(/^-?[0-9]{1,20}(?:\.[0-9]{1,4})?$/), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(amounts, async (values) => {
      const decimals = (await sorted(values, "amount")).map((text) => Decimal.parse(String(text)) ?? Decimal.zero);
      for (const [index, decimal] of decimals.entries())
        expect(decimal.compare(decimals[index - 1] ?? decimal)).not.toBe(-1);
      expect(decimals).toHaveLength(values.length);
    }),
  );
});

test.each([
  ["rows", Array.from({ length: 1001 }, () => ({ id: "x" })), heldRowsMax / 1000],
  ["characters", [{ id: "x".repeat(1024 * 1024) }], heldCharsMax / 1024 / 1024],
])("more %s than the memory shall hold are refused, with a way to go on", async (_what, batch, times) => {
  async function* endless(): Batches {
    for (let count = 0; count <= times; count++) yield batch;
  }
  const sort = [{ name: "id", descending: false }];
  expect(await render(rowsReport(fields, endless()), { format: "csv", sort })).toMatchObject({
    stdout: "",
    error: {
      ending: "usage",
      message:
        "The result is too large to be held in memory at once (more than 1,000,000 rows or 256 million characters).",
      hint: containing("--save"),
    },
  });
});
