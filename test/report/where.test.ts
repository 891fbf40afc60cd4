import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCondition } from "../../src/report/where/condition.ts";
import { RowFilter } from "../../src/report/where/row-filter.ts";
import { rowTest } from "../../src/report/where/row-test.ts";
import type { Row } from "../../src/report/report.ts";
import type { Field } from "../../src/values/field.ts";
import { Numeral } from "../../src/values/json.ts";
import { Failure } from "../../src/values/failure.ts";
import { failureOf } from "../values/failure-of.ts";

const entryFields: readonly Field[] = [
  { name: "tranRefNo", kind: "id" },
  { name: "valueDate", kind: "time" },
  { name: "narration", kind: "text" },
  { name: "amountCredited", kind: "amount", side: "credit" },
  { name: "amountDebited", kind: "amount", side: "debit" },
  { name: "balance", kind: "amount" },
];
const rent: Row = {
  tranRefNo: "0042",
  valueDate: "2026-10-31 09:15:00",
  narration: "October INVOICE 7",
  amountCredited: null,
  amountDebited: new Numeral("1500.50"),
  balance: new Numeral("12345678901234567.10"),
  details: { channel: "MPESA" },
};
const sale: Row = {
  tranRefNo: "S-1",
  valueDate: "2026-11-01",
  narration: "",
  amountCredited: "50000.00",
  amountDebited: "",
  balance: null,
};

function matches(text: string, row: Row, fields: readonly Field[] = entryFields): boolean {
  return rowTest(parseCondition(text, "--where"), new Map(fields.map((field) => [field.name, field])), "--where")(row);
}

test.each([
  ["amount<0", true, false],
  ["amount=-1500.5", true, false],
  ["amount>=50000", false, true],
  ["amount>=50000.001", false, false],
  ["amount>=-1500.50 and amount<=50000", true, true],
  ["amountDebited=1500.500", true, false],
  ["balance=12345678901234567.1", true, false],
  ["balance>12345678901234567.09", true, false],
  ["balance=null", false, true],
  ["balance!=null", true, false],
  ['narration=""', false, true],
  ['narration~"invoice"', true, false],
  ["narration~INVOICE", true, false],
  ['not narration~"invoice"', false, true],
  ['narration="October INVOICE 7"', true, false],
  ['narration="october invoice 7"', false, false],
  ["tranRefNo=0042", true, false],
  ["tranRefNo=42", false, false],
  ["tranRefNo!=S-1", true, false],
  ["valueDate=2026-10-31", true, false],
  ["valueDate<=2026-10-31", true, false],
  ["valueDate>2026-10-31", false, true],
  ["valueDate>=2026-10", true, true],
  ["valueDate<2026-11", true, false],
  ["amount<0 or balance=null", true, true],
  ["amount<0 or balance=null and narration~x", true, false],
  ["(amount<0 or balance=null) and narration~x", false, false],
  ["not amount<0 and balance=null", false, true],
  ["NOT (amount<0 AND balance!=null)", false, true],
  ["not not amount<0", true, false],
  ["details.channel=MPESA", true, false],
  ["details~mpesa", true, false],
  ["balance!=1", true, true],
  ["not balance>1", false, true],
])("%s", (text, isRent, isSale) => {
  expect([matches(text, rent), matches(text, sale)]).toEqual([isRent, isSale]);
});

test("a list's own amount field overrides the signed amount, and inherited names are not fields", () => {
  const fields: readonly Field[] = [{ name: "amount", kind: "amount" }, ...entryFields];
  expect(matches("amount=7", { ...rent, amount: new Numeral("7.00") }, fields)).toBe(true);
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
    expect(matches(`${name}=null`, rent)).toBe(true);
});

test.each([
  ["", "--where is empty."],
  ["  ", "--where is empty."],
  ["amount", "--where ends where one of = != < <= > >= ~ is expected."],
  ["amount>", "--where ends where a value is expected."],
  ["amount>>5", '--where has ">" at character 8 where a value is expected.'],
  ["amount==5", '--where has "=" at character 8 where a value is expected.'],
  ["amount>5 state=x", '--where has "state" at character 10 where and, or, or the end is expected.'],
  ["amount>5 and", "--where ends where a field's name is expected."],
  ["(amount>5", "--where ends where ) is expected."],
  ["amount>5)", '--where has ")" at character 9 where and, or, or the end is expected.'],
  ["()", '--where has ")" at character 2 where a field\'s name is expected.'],
  ['"amount">5', '--where has "amount" at character 1 where a field\'s name is expected.'],
  ["state=and", '--where has "and" at character 7 where a value is expected.'],
  ['narration~"x', "--where has a quote that is not closed at character 11."],
  ["a!b", '--where has "!" at character 2, where an operator belongs: = != < <= > >= ~.'],
  ["amount>null", '--where compares "amount" with null by >; null takes = or !=.'],
  [`${"(".repeat(60)}a=1${")".repeat(60)}`, "--where has more than 50 brackets within each other."],
  [`${"not ".repeat(60)}a=1`, "--where has more than 50 brackets within each other."],
  [`a="${"x".repeat(4000)}"`, "--where is longer than 4000 characters."],
])("%s is refused with name and position", (text, message) => {
  expect(failureOf(() => parseCondition(text, "--where"))).toMatchObject({
    ending: "usage",
    message,
    hint: `Write it like --where 'amount>=50000 and narration~"invoice"'. See partner help where`,
  });
});

test("an amount is compared with a number only", () => {
  expect(failureOf(() => matches("balance>much", rent))).toMatchObject({
    ending: "usage",
    message: '--where compares the amount "balance" with "much", which is not a number.',
  });
});

/** The type of the result, or the ending of the failure. */
function outcomeOf(text: string): string {
  try {
    return typeof matches(text, rent);
  } catch (error) {
    return error instanceof Failure ? error.ending : String(error);
  }
}

test("every text is a condition or a usage failure, never a crash", () => {
  const pieces = fc.constantFrom(
    "a",
    "amount",
    "and",
    "or",
    "not",
    "(",
    ")",
    "=",
    "!=",
    "<",
    "~",
    " ",
    '"',
    "'",
    "\\",
    "5",
    "null",
    "ä",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      expect(["boolean", "usage"]).toContain(outcomeOf(parts.join("")));
    }),
    { numRuns: 2000 },
  );
});

test("comparisons agree with exact numbers of any size", () => {
  const amounts = fc.tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  );
  fc.assert(
    fc.property(amounts, ([left, right]) => {
      const row: Row = { balance: new Numeral(String(left)) };
      expect(matches(`balance<${right}`, row)).toBe(left < right);
      expect(matches(`balance>=${right}`, row)).toBe(left >= right);
      expect(matches(`balance=${right}.00`, row)).toBe(left === right);
      expect(matches(`not balance!=${right}`, row)).toBe(left === right);
    }),
  );
});

test("any text can be found when quoted", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
      const quoted = `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
      expect(matches(`narration=${quoted}`, { narration: text })).toBe(true);
      expect(matches(`narration~${quoted}`, { narration: `<${text.toUpperCase()}>` })).toBe(
        `<${text.toUpperCase()}>`.normalize("NFC").toLowerCase().includes(text.normalize("NFC").toLowerCase()),
      );
    }),
  );
});

test("a name in no row is refused with the known names, but a name in a late row is accepted", () => {
  const filterOf = (text: string) => new RowFilter(parseCondition(text, "--where"), entryFields, "--where");
  const report = { shape: "rows", columns: entryFields, rows: [rent, sale], whenEmpty: "" } as const;
  const unknown = filterOf("narratoin~x").chosen(report).findings?.().failure;
  expect(unknown).toMatchObject({ ending: "usage", message: 'There is no column "narratoin" in this result.' });
  expect(unknown?.hint).toMatch(/^Did you mean narration\? Its columns are tranRefNo, .*, balance, amount\.$/);
  expect(filterOf("details.channel=MPESA").chosen(report).findings?.().failure).toBeUndefined();
  expect(filterOf("amount>0").chosen(report).findings?.()).toEqual({
    notes: ["1 of 2 rows matches --where."],
    failure: undefined,
    carried: undefined,
  });
});
