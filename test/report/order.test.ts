import * as fc from "fast-check";
import { expect, test } from "vitest";
import { orderBy } from "../../src/report/sorting/sort.ts";
import type { Batches } from "../../src/report/report.ts";
import { sortBatches } from "../../src/report/sorting/sorted-runs.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { Field } from "../../src/values/field.ts";
import type { JsonObject, JsonValue } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { memoryHost } from "../memory-host.ts";
import { containing } from "./containing.ts";
import { inBatches, rowsReport, stdoutOf } from "./render.ts";

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

test("amounts are sorted by exact value, whether received as number or text", async () => {
  const amounts = ["10", new Numeral("9.5"), "-3", new Numeral("12345678901234567.11"), "12345678901234567.10", "1e2"];
  const expected = ["-3", "9.5", "10", "1e2", "12345678901234567.10", "12345678901234567.11"];
  expect(await sorted(amounts, "amount")).toEqual(expected);
  expect(await sorted(amounts, "amount", true)).toEqual(expected.toReversed());
});

test("rows without a value come last in both directions, after texts among amounts", async () => {
  const values = ["", "n/a", null, "2", "1"];
  expect(await sorted(values, "amount")).toEqual(["1", "2", "n/a", '""', '""']);
  expect(await sorted(values, "amount", true)).toEqual(["n/a", "2", "1", '""', '""']);
});

test("texts and ids are sorted by code point, not as numbers or by locale", async () => {
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

test("a second key decides ties, and equal rows keep their order", async () => {
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

test("every format is sorted, even by a hidden column", async () => {
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

test("any amounts are sorted by their exact values", async () => {
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

test("220,000 rows, too many for one sort in memory, are sorted exactly", async () => {
  const count = 220_000;
  // Every number once, scattered: 7919 and the count have no common factor.
  const numbers = Array.from({ length: count }, (_, index) => (index * 7919) % count);
  const batch = numbers.map((number) => ({ id: `${number}`, amount: new Numeral(`${number}.10`), text: "a\nb" }));
  const options = { format: "csv", header: false, columns: ["amount"], sort: [{ name: "amount", descending: true }] };
  const text = await stdoutOf(rowsReport(fields, inBatches(batch, 5000)), { ...options, format: "csv" });
  expect(text).toBe(numbers.map((_, index) => `${count - 1 - index}.10\n`).join(""));
});

test("rows sorted in several runs and merged have the same order as rows sorted at once", async () => {
  const value = fc.letrec<{ any: JsonValue; object: JsonObject }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      fc.string({ unit: "binary" }),
      fc.constantFrom(null, true, false, "n1", "s", "", "a\nb"),
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,4})?$/).map((text) => new Numeral(text)),
      fc.array(tie("any")),
      tie("object"),
    ),
    object: fc.dictionary(fc.string(), tie("any")),
  }));
  const anyRows = fc.array(fc.record({ id: fc.constantFrom("1", "2", "x", null), other: value.any }));
  const order = orderBy([{ name: "id", descending: false }], new Map());
  await fc.assert(
    fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 4 }), async (rows, rowsMax) => {
      const limits = { rowsMax, charsMax: 1000 };
      const merged = await sortBatches(inBatches(rows, 3), order, memoryHost().files, limits);
      const list = [];
      for await (const piece of Symbol.asyncIterator in merged ? merged : [merged]) list.push(...piece);
      expect(list).toEqual(order.sort(rows));
    }),
  );
});

async function* endless(): Batches {
  for (;;) yield [{ id: "1" }, { id: "2" }];
}

test("a result too large to sort is refused with a way to go on", async () => {
  const order = orderBy([{ name: "id", descending: false }], new Map());
  const limits = { rowsMax: 2, charsMax: 1000 };
  await expect(sortBatches(endless(), order, memoryHost().files, limits)).rejects.toMatchObject({
    ending: "usage",
    message: "The result is too large to be sorted: it takes more than 256 temporary files.",
    hint: containing("--save"),
  });
});
