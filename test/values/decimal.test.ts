import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Decimal, decimalMaxDigits } from "../../src/values/money/decimal.ts";

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max });
/** A plain number as text, with its units and its scale, made from digits and not by our own code. */
const written = fc
  .record({ negative: fc.boolean(), whole: digits(1, 25), fraction: digits(0, 12) })
  .map(({ negative, whole, fraction }) => ({
    text: `${negative ? "-" : ""}${whole.join("")}${fraction.length > 0 ? `.${fraction.join("")}` : ""}`,
    units: BigInt([...whole, ...fraction].join("")) * (negative ? -1n : 1n),
    scale: fraction.length,
  }));
const aligned = (a: { units: bigint; scale: number }, b: { units: bigint; scale: number }) => {
  const scale = Math.max(a.scale, b.scale);
  return { scale, a: a.units * 10n ** BigInt(scale - a.scale), b: b.units * 10n ** BigInt(scale - b.scale) };
};

const read = (text: string) => Decimal.parseJson(text)?.toString();

function parse(text: string): Decimal {
  const value = Decimal.parse(text);
  if (value === undefined) throw new Error(`${text} was not read`);
  return value;
}

test("a plain number is read with all of its digits and its scale", () => {
  fc.assert(
    fc.property(written, ({ text, units, scale }) => {
      expect(parse(text)).toMatchObject({ units, scale });
    }),
  );
});

test("a written number is read back as the same number", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(30), (units, scale) => {
      expect(parse(new Decimal(units, scale).toString())).toEqual(new Decimal(units, scale));
    }),
  );
});

test("a number keeps its digits as typed", () => {
  const texts = [
    "4500000.00",
    "12345678901234567.10",
    "0.000388",
    "-0.5",
    "0",
    "-1950000.15",
    "999999999999999",
    "100",
  ];
  expect(texts.map((text) => parse(text).toString())).toEqual(texts);
});

test("leading zeros and the sign of zero are not digits of an amount", () => {
  expect(["007.50", "-0.00", "-0", "0560066551200"].map((text) => parse(text).toString())).toEqual([
    "7.50",
    "0.00",
    "0",
    "560066551200",
  ]);
});

test("sums and differences are those of whole units, in the larger scale", () => {
  fc.assert(
    fc.property(written, written, (left, right) => {
      const { scale, a, b } = aligned(left, right);
      expect(parse(left.text).add(parse(right.text))).toEqual(new Decimal(a + b, scale));
      expect(parse(left.text).subtract(parse(right.text))).toEqual(new Decimal(a - b, scale));
    }),
  );
});

test("no digit is lost when the units are too large for a double", () => {
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  const near = [-2n, -1n, 0n, 1n, 2n].flatMap((more) => [limit + more, -limit + more, limit / 10n + more, more]);
  for (const left of near) {
    for (const right of near) {
      for (const [scale, other] of [
        [2, 2],
        [0, 1],
        [3, 0],
      ] as const) {
        const common = BigInt(Math.max(scale, other));
        const [one, two] = [left * 10n ** (common - BigInt(scale)), right * 10n ** (common - BigInt(other))];
        const [a, b] = [new Decimal(left, scale), new Decimal(right, other)];
        expect(a.add(b).compare(new Decimal(one + two, Number(common)))).toBe(0);
        expect(a.subtract(b).compare(new Decimal(one - two, Number(common)))).toBe(0);
        expect(a.compare(b)).toBe(one < two ? -1 : one > two ? 1 : 0);
        expect(a.add(b).toString()).toBe(new Decimal(one + two, Number(common)).toString());
        expect(Decimal.parse(a.toString())?.units).toBe(left);
        expect(a.negate().units).toBe(-left);
        expect(a.units).toBe(left);
      }
    }
  }
});

test("a hundred thousand odd amounts add up to the last digit", () => {
  let sum = Decimal.zero;
  for (let row = 0; row < 100_000; row++) sum = sum.add(parse("1950000.15"));
  expect(sum.toString()).toBe("195000015000.00");
});

test("numbers compare by value, not by spelling", () => {
  fc.assert(
    fc.property(written, written, (left, right) => {
      const { a, b } = aligned(left, right);
      expect(parse(left.text).compare(parse(right.text))).toBe(a < b ? -1 : a > b ? 1 : 0);
      expect(parse(left.text).equals(parse(right.text))).toBe(a === b);
      expect(parse(left.text).equals(parse(left.text).add(parse("0.000")))).toBe(true);
    }),
  );
});

test("sign, zero and wholeness follow from the value of a number", () => {
  const said = (text: string) => {
    const number = parse(text);
    return { sign: number.sign, isZero: number.isZero, isWhole: number.fits(0) };
  };
  expect(said("-0.01")).toEqual({ sign: -1, isZero: false, isWhole: false });
  expect(said("0.00")).toEqual({ sign: 0, isZero: true, isWhole: true });
  expect(said("5.00")).toEqual({ sign: 1, isZero: false, isWhole: true });
  expect(parse("5.10").negate().toString()).toBe("-5.10");
  expect(parse("-5.10").abs().toString()).toBe("5.10");
});

test("numbers are shown in groups of three with at least the expected digits, and never rounded", () => {
  expect(parse("4500000").grouped(2)).toBe("4,500,000.00");
  expect(parse("-4500000.5").grouped(2)).toBe("-4,500,000.50");
  expect(parse("1234.5678").grouped(2)).toBe("1,234.5678");
  expect(parse("999").grouped(0)).toBe("999");
  expect(parse("1000").grouped(0)).toBe("1,000");
  expect(parse("-0.001").grouped(0)).toBe("-0.001");
  fc.assert(
    fc.property(written, fc.nat(6), ({ text }, minScale) => {
      const grouped = parse(text).grouped(minScale);
      expect(parse(grouped.replaceAll(",", "")).equals(parse(text))).toBe(true);
      expect(grouped).toMatch(/^-?\d{1,3}(,\d{3})*(\.\d+)?$/);
      expect(grouped.split(".")[1]?.length ?? 0).toBeGreaterThanOrEqual(minScale);
    }),
  );
});

test("in JSON a decimal is a number with its own digits", () => {
  expect(JSON.stringify({ amount: parse("12345678901234567.10") })).toBe('{"amount":12345678901234567.10}');
});

test.each([
  "",
  " ",
  "-",
  ".",
  ".5",
  "5.",
  "+5",
  "1e3",
  "1,000",
  "1 000",
  "٥",
  "5\n",
  " 5",
  "1.2.3",
  "--1",
  "0x10",
  "NaN",
])("%j isn't a plain number", (text) => {
  expect(Decimal.parse(text)).toBeUndefined();
  expect(Decimal.parse(`123456789012345678${text}x`)).toBeUndefined();
});

test("the exponent of a JSON number is written out", () => {
  expect(["1.5e3", "25e-1", "1E+2", "-1.25e1", "0e0", "1.50", "1e-3"].map(read)).toEqual([
    "1500",
    "2.5",
    "100",
    "-12.5",
    "0",
    "1.50",
    "0.001",
  ]);
  expect(["1e", "e5", "1e1.5", "1e 5", "1.e5", "Infinity"].map(read)).toEqual(Array(6).fill(undefined));
});

test("a JSON number has the same value as in JavaScript", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e60, max: 1e60 }), (number) => {
      fc.pre(number === 0 || Math.abs(number) > 1e-60);
      expect(Number(Decimal.parseJson(JSON.stringify(number))?.toString())).toBe(number + 0);
    }),
  );
});

test("numbers beyond the limit are refused, however short their spelling is", () => {
  const most = "9".repeat(decimalMaxDigits);
  expect(Decimal.parse(most)?.toString()).toBe(most);
  expect(Decimal.parseJson(`1e${decimalMaxDigits - 1}`)?.toString()).toBe(`1${"0".repeat(decimalMaxDigits - 1)}`);
  expect(Decimal.parse(`${most}9`)).toBeUndefined();
  expect(Decimal.parse(`-${most}.9`)).toBeUndefined();
  expect(Decimal.parse("9".repeat(1_000_000))).toBeUndefined();
  for (const text of ["1e999999999", "1e-999999999", "-1e101", "1e101", "1e100", `1e${"9".repeat(1_000_000)}`]) {
    expect(Decimal.parseJson(text)).toBeUndefined();
  }
});
