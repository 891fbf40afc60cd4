import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Field } from "../../src/values/field.ts";
import type { JsonValue } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { inBatches, render, rowsReport, stdoutOf } from "./render.ts";

const fields: readonly Field[] = [
  { name: "accountNo", kind: "id" },
  { name: "balance", kind: "amount" },
];

test("a list is an array with all fields of each row, documented or not", async () => {
  const rows = [
    {
      balance: new Numeral("4500000.00"),
      accountNo: "0012",
      cbaRefNo: null,
      meta: {},
      tags: ["a", new Numeral("1.0")],
    },
    { accountNo: "7" },
  ];
  const expected = `[
  {
    "balance": 4500000.00,
    "accountNo": "0012",
    "cbaRefNo": null,
    "meta": {},
    "tags": [
      "a",
      1.0
    ]
  },
  {
    "accountNo": "7"
  }
]
`;
  expect(await stdoutOf(rowsReport(fields, rows), { format: "json" })).toBe(expected);
  expect(await stdoutOf(rowsReport(fields, inBatches(rows, 1)), { format: "json" })).toBe(expected);
});

test("an empty list is [] in JSON and nothing in NDJSON, without a note", async () => {
  expect(await render(rowsReport(fields, []), { format: "json" })).toMatchObject({ stdout: "[]\n", stderr: "" });
  expect(await render(rowsReport(fields, []), { format: "ndjson" })).toMatchObject({ stdout: "", stderr: "" });
});

test("a record is an object, on one line in NDJSON", async () => {
  const report = {
    shape: "record",
    columns: fields,
    record: { accountNo: "1", balance: "5.10", x: { y: null } },
  } as const;
  expect(await stdoutOf(report, { format: "json" })).toBe(
    '{\n  "accountNo": "1",\n  "balance": 5.10,\n  "x": {\n    "y": null\n  }\n}\n',
  );
  expect(await stdoutOf(report, { format: "ndjson" })).toBe('{"accountNo":"1","balance":5.10,"x":{"y":null}}\n');
  expect(await stdoutOf({ ...report, record: {} }, { format: "json" })).toBe("{}\n");
});

test.each([
  ["12345678901234567.10", "12345678901234567.10"],
  ["-0.50", "-0.50"],
  ["1E+3", "1E+3"],
  ["", "null"],
  ["n/a", '"n/a"'],
  ["1,000.00", '"1,000.00"'],
  ["007", '"007"'],
  ["+5", '"+5"'],
  [" 5", '" 5"'],
  ["NaN", '"NaN"'],
  ["5\n", String.raw`"5\n"`],
])("an amount received as the text %j is written as %s", async (text, json) => {
  const rows = [{ balance: text, accountNo: text }];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "ndjson" })).toBe(
    `{"balance":${json},"accountNo":${JSON.stringify(text)}}\n`,
  );
});

test("--columns picks fields in the given order, including undocumented ones", async () => {
  const rows = [{ accountNo: "1", balance: "2.00", extra: true }, { accountNo: "3" }];
  expect(await stdoutOf(rowsReport(fields, rows), { format: "ndjson", columns: ["extra", "balance", "extra"] })).toBe(
    '{"extra":true,"balance":2.00}\n{}\n',
  );
});

test("control, bidi and zero-width characters are escaped, in names too, and parse to the same text", async () => {
  const row = { "na\u202eme": "\u001b[31m\u007f\u009b\u200b\ufeff\u2028 é日😀", nested: ["\u2066"] };
  const expected = String.raw`{"na\u202eme":"\u001b[31m\u007f\u009b\u200b\ufeff\u2028 é日😀","nested":["\u2066"]}`;
  const text = await stdoutOf(rowsReport("fromRows", [row]), { format: "ndjson" });
  expect(text).toBe(`${expected}\n`);
  expect(JSON.parse(text)).toEqual(row);
});

test("names inherited from Object are treated like any others", async () => {
  const row = { ["__proto__"]: "a", ["constructor"]: "b", toJSON: "c" };
  const text = '{"__proto__":"a","constructor":"b","toJSON":"c"}\n';
  expect(await stdoutOf(rowsReport("fromRows", [row]), { format: "ndjson" })).toBe(text);
  const columns = ["__proto__", "constructor", "hasOwnProperty"];
  expect(await stdoutOf(rowsReport("fromRows", [row, {}]), { format: "csv", columns: columns.slice(0, 2) })).toBe(
    "__proto__,constructor\na,b\n,\n",
  );
  expect(await render(rowsReport("fromRows", [row]), { format: "json", columns })).toMatchObject({
    stdout: "",
    error: { ending: "usage", message: 'There is no column "hasOwnProperty" in this result.' },
  });
});

const numerals = fc
  .stringMatching(/^-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?$/)
  .map((text) => new Numeral(text));
const { values } = fc.letrec<{ values: JsonValue; lists: JsonValue[]; objects: Record<string, JsonValue> }>((tie) => ({
  values: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    numerals,
    fc.boolean(),
    fc.constant(null),
    tie("lists"),
    tie("objects"),
  ),
  lists: fc.array(tie("values"), { maxLength: 4 }),
  objects: fc.dictionary(fc.string({ unit: "binary" }), tie("values"), { maxKeys: 4 }),
}));
const rowsOfAnything = fc.array(fc.dictionary(fc.string({ unit: "binary" }), values, { maxKeys: 5 }));

test("any value can be read back from both JSON formats, each number with its digits", async () => {
  await fc.assert(
    fc.asyncProperty(rowsOfAnything, fc.integer({ min: 1, max: 3 }), async (rows, batchRows) => {
      const report = () => rowsReport("fromRows", inBatches(rows, batchRows));
      const array = await stdoutOf(report(), { format: "json" });
      const lines = await stdoutOf(report(), { format: "ndjson" });
      expect(digitsOf(array)).toEqual(digitsOf(JSON.stringify(rows)));
      expect(
        lines
          .split("\n")
          .slice(0, -1)
          .map((line) => digitsOf(line)),
      ).toEqual(digitsOf(JSON.stringify(rows)));
      // Laid out like any other JSON.
      expect(layoutOf(array)).toBe(layoutOf(`${JSON.stringify(rows, null, 2)}\n`));
    }),
  );
});

/** The value of a JSON text, with numbers as their digits. */
function digitsOf(json: string): unknown {
  return JSON.parse(json, numberAsText);
}

function numberAsText(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === "number" ? `#${source}` : value;
}

/** A JSON text normalised so that every way to write a character looks the same. */
function layoutOf(json: string): string {
  return json.replaceAll(/\\u[0-9a-f]{4}|[^ -~\n]/g, "?");
}
