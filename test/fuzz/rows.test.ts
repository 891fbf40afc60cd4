import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson, encodeJson } from "../../src/contract/wire.ts";
import { readCsv } from "../report/csv-reader.ts";
import { run, words } from "../partner.ts";
import { unplugged } from "./unplugged.ts";

/** A row as the text of each of its members, so that every digit and escape of JSON can occur. */
type Members = ReadonlyMap<string, string>;

interface Resource {
  readonly line: string;
  /** Spec 2.4 and 2.6, typed by hand. */
  readonly names: readonly string[];
  readonly amounts: ReadonlySet<string>;
  /** Ids may start with a dash. */
  readonly ids: ReadonlySet<string>;
}

const wallets: Resource = {
  line: "wallets list",
  names: ["accountNo", "accountName", "type", "balance", "currency", "countryCode"],
  amounts: new Set(["balance"]),
  ids: new Set(["accountNo", "currency", "countryCode"]),
};
const statement: Resource = {
  line: "wallet statement 42 --month 2026-02 --quiet",
  names: [
    "tranRefNo",
    "valueDate",
    "txnDate",
    "narration",
    "debitOrCredit",
    "amountCredited",
    "amountDebited",
    "balance",
  ],
  amounts: new Set(["amountCredited", "amountDebited", "balance"]),
  ids: new Set(["tranRefNo", "debitOrCredit"]),
};

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const numbers = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(
      fc.constant("0"),
      digits(25).map((text) => `7${text}`),
    ),
    fc.option(digits(12)),
    fc.option(fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), digits(3))),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${exponent?.join("") ?? ""}`,
  );
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "=HYPERLINK(1)",
    "+255713",
    "-5.00",
    "@SUM",
    "\t=",
    "\r\n",
    '"',
    ",;",
    "'",
    "'=x",
    "\u001b[31m",
    "\u202e",
    "a\u0000b",
  ),
  fc.string({ unit: "binary" }),
  numbers,
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("null", "true", "false"),
    numbers,
    texts.map((text) => JSON.stringify(text)),
    fc.array(tie("json"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
    fc
      .dictionary(fc.string({ maxLength: 4 }), tie("json"), { maxKeys: 3 })
      .map((members) => objectOf(new Map(Object.entries(members)))),
  ),
}));

function rowsOf({ names }: Resource): fc.Arbitrary<Members[]> {
  const documented = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), json), { selector: ([name]) => name });
  const others = fc.uniqueArray(
    fc.tuple(fc.oneof(fc.constantFrom("meta", "cbaRefNo", "__proto__"), fc.string()), json),
    {
      selector: ([name]) => name,
      maxLength: 3,
    },
  );
  const row = fc.tuple(documented, others).map(([mine, more]) => new Map([...more, ...mine]));
  return fc.array(row, { maxLength: 6 });
}

function objectOf(members: Members): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(",")}}`;
}

async function print(resource: Resource, rows: readonly Members[], flags: string): Promise<string> {
  const body = `[${rows.map(objectOf).join("\n,")}]`;
  const { exit, stdout } = await run(words(`${resource.line} ${flags}`), unplugged({ status: 200, body }));
  expect(exit).toBe(0);
  return stdout;
}

const isId = /^[A-Za-z0-9._/-]+$/;
const isDigits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The expected JSON output for a row, as compact JSON text with each number's own digits. */
function asJson({ amounts }: Resource, row: Members): string {
  const members = [...row].map(([name, value]): [string, string] => {
    const text: unknown = value.startsWith('"') ? JSON.parse(value) : undefined;
    if (!amounts.has(name) || typeof text !== "string") return [name, value];
    return [name, text === "" ? "null" : isDigits.test(text) ? text : value];
  });
  return encodeJson(decodeJson(objectOf(new Map(members))));
}

/** The expected content of a CSV cell, before the guard against formulas. */
function asCell(value: string | undefined): string {
  if (value === undefined || value === "null") return "";
  const text: unknown = value.startsWith('"') ? JSON.parse(value) : undefined;
  // Half a pair of surrogates cannot be written as UTF-8.
  if (typeof text === "string") return Buffer.from(text).toString();
  return Buffer.from(/^[[{]/.test(value) ? encodeJson(decodeJson(value)) : value).toString();
}

const resources = [wallets, statement].map((resource) => [resource.line, resource] as const);

test.each(resources)("%s: JSON and NDJSON keep the rows digit by digit", async (_, resource) => {
  const property = fc.asyncProperty(rowsOf(resource), async (rows) => {
    const wanted = rows.map((row) => asJson(resource, row));
    const json = await print(resource, rows, "--json");
    JSON.parse(json);
    expect(encodeJson(decodeJson(json))).toBe(`[${wanted.join(",")}]`);
    const lines = (await print(resource, rows, "--output ndjson")).split("\n").slice(0, -1);
    expect(lines.map((line) => encodeJson(decodeJson(line)))).toEqual(wanted);
    expect(json + lines.join("\n")).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
  });
  await fc.assert(property, { numRuns: 100 });
});

test.each(resources)(
  "%s: CSV keeps the rows cell by cell, without a formula for a spreadsheet",
  async (_, resource) => {
    const property = fc.asyncProperty(rowsOf(resource), async (rows) => {
      const raw = readCsv(await print(resource, rows, "--csv --raw"));
      const cells = rows.map((row) => resource.names.map((name) => asCell(row.get(name))));
      expect(raw).toEqual([resource.names, ...cells]);
      const [, ...guarded] = readCsv(await print(resource, rows, "--csv"));
      for (const [at, line] of guarded.entries()) {
        for (const [column, cell] of line.entries()) {
          const plain = cells[at]?.[column] ?? "";
          const name = resource.names[column] ?? "";
          const isNumber = !/^["[{]/.test(rows[at]?.get(name) ?? '"');
          const looksRight = resource.amounts.has(name) ? isDigits : resource.ids.has(name) ? isId : /^$/;
          const mayStand = isNumber || looksRight.test(plain);
          expect(cell === plain || cell === `'${plain}`).toBe(true);
          expect(/^[=+\-@\t\r]/.test(cell) && !mayStand).toBe(false);
          expect(/^[^=+\-@\t\r]/.test(plain) && cell !== plain).toBe(false);
        }
      }
    });
    await fc.assert(property, { numRuns: 100 });
  },
);

test.each(resources)(
  "%s: a table has no control sequence for a terminal, and a line for each row",
  async (_, resource) => {
    const property = fc.asyncProperty(rowsOf(resource), async (rows) => {
      const table = await print(resource, rows, "");
      expect(table).not.toMatch(/[^\P{Cc}\n]|[\u200b-\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      const lines = table.split("\n").slice(0, -1);
      const totals = lines.filter((line) => line.startsWith("total ") || line.endsWith(" not counted"));
      expect(lines.length - (rows.length > 0 ? 1 : 0)).toBeGreaterThanOrEqual(rows.length);
      expect(lines.length - (rows.length > 0 ? 1 : 0) - totals.length).toBeLessThanOrEqual(rows.length);
    });
    await fc.assert(property, { numRuns: 100 });
  },
);
