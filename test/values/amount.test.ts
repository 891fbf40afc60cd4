import { expect, test } from "vitest";
import { amountOf, parseAmount, parseThreshold, parseWholeAmount } from "../../src/values/money/amount.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { Numeral } from "../../src/values/json.ts";
import { failureOf } from "./failure-of.ts";

test("an amount of the service is read from a JSON number and from text", () => {
  expect(amountOf(new Numeral("4500000.00"))).toEqual(new Decimal(450000000n, 2));
  expect(amountOf(new Numeral("1.5e3"))).toEqual(new Decimal(1500n, 0));
  expect(amountOf("2232745.15")).toEqual(new Decimal(223274515n, 2));
  expect(amountOf("1.0E7")).toEqual(new Decimal(10000000n, 0));
});

test("undefined, null and an empty text mean that there is no amount", () => {
  expect([amountOf(undefined), amountOf(null), amountOf("")]).toEqual([null, null, null]);
});

test("a value that isn't a number differs from a missing amount", () => {
  const values = ["n/a", " ", "1,000.00", "1 000", true, {}, [], new Numeral("1e999999999")];
  expect(values.map((value) => amountOf(value))).toEqual(values.map(() => undefined));
});

test.each(["1", "5000", "0.01", "1500.50", "12345678901234567.10"])("%s is an amount", (text) => {
  expect(parseAmount(text, "--amount").toString()).toBe(text);
});

test.each([
  ["0", '--amount "0" is not more than zero.'],
  ["0.00", '--amount "0.00" is not more than zero.'],
  ["", "--amount is empty."],
  ["-5", '--amount "-5" is not an amount.'],
  ["+5", '--amount "+5" is not an amount.'],
  ["1e3", '--amount "1e3" is not an amount.'],
  ["1,000", '--amount "1,000" is ambiguous (1000 or 1?).'],
  ["1.000.000", '--amount "1.000.000" has separators between its digits; write 1000000.'],
  ["٥٠٠", '--amount "٥٠٠" has digits other than 0 to 9.'],
  ["１２３", '--amount "１２３" has digits other than 0 to 9.'],
  [" 5", '--amount " 5" is not an amount.'],
  ["5\u200b", String.raw`--amount "5\u200b" is not an amount.`],
  ["0712345678", '--amount "0712345678" is not an amount.'],
  ["2.55712E+11", '--amount "2.55712E+11" is not an amount.'],
  [".5", '--amount ".5" is not an amount.'],
  ["five", '--amount "five" is not an amount.'],
])("%j is refused as an amount, with the flag and an example", (text, message) => {
  const failure = failureOf(() => parseAmount(text, "--amount"));
  expect(failure).toMatchObject({ ending: "usage", message, details: { "--amount": message } });
  expect(failure.hint).toContain("--amount 1500.50");
});

test("an amount that is too long is reported without all of its digits", () => {
  const { message } = failureOf(() => parseAmount("9".repeat(101), "amount"));
  expect(message).toBe(`amount "${"9".repeat(60)}…" has more than 100 digits.`);
});

test("an amount in a column of a file is reported without a flag in the hint", () => {
  expect(failureOf(() => parseAmount("1,000", "amount")).hint).toMatch(/^Write it like 1500\.50: /);
});

test("whole amounts have no decimals, not even zeros", () => {
  expect(parseWholeAmount("5000", "--amount").toString()).toBe("5000");
  expect(failureOf(() => parseWholeAmount("5000.00", "--amount"))).toMatchObject({
    message: '--amount "5000.00" has decimals; write 5000.',
    hint: "Write it like --amount 1500: digits only, no commas, no decimals.",
  });
  for (const [text, problem] of [
    ["5000.50", "is not a whole number"],
    ["5.000,00", "has separators between its digits; write 5000"],
    ["5 000", "has separators between its digits; write 5000"],
    ["5,000.50", "has separators between its digits; write 5000.50"],
  ] as const)
    expect(failureOf(() => parseWholeAmount(text, "--amount")).message).toBe(`--amount "${text}" ${problem}.`);
  expect(failureOf(() => parseWholeAmount("1,500", "--amount"))).toMatchObject({
    message: '--amount "1,500" is ambiguous (1500 or 1.5?).',
    hint: "Write it like --amount 1500: digits only, no commas, no decimals.",
  });
  expect(failureOf(() => parseWholeAmount("0", "--amount")).hint).toBe("Write it like --amount 1500.");
});

test("a threshold may be zero and may have decimals, but not be negative", () => {
  expect(["0", "0.00", "99.95"].map((text) => parseThreshold(text, "--fail-below").toString())).toEqual([
    "0",
    "0.00",
    "99.95",
  ]);
  expect(failureOf(() => parseThreshold("-1", "--fail-below")).message).toBe('--fail-below "-1" is not an amount.');
});
