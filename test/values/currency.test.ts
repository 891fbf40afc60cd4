import { expect, test } from "vitest";
import { isCurrency, minorDigits } from "../../src/values/money/currency.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { formatMoney } from "../../src/values/money/money.ts";

test("currencies have the minor digits of the standard, not those of a locale", () => {
  const expected = { TZS: 2, KES: 2, UGX: 0, JPY: 0, KWD: 3, CLF: 4, USD: 2, RWF: 0, MGA: 2, IQD: 3 };
  expect(Object.fromEntries(Object.keys(expected).map((code) => [code, minorDigits(code)]))).toEqual(expected);
});

test("every currency in use today is known", () => {
  const retired = new Set(["ANG", "BGN", "CUC", "HRK", "SLL", "ZWL"]);
  const unpayable = new Set(["XDR", "XSU"]);
  const known = Intl.supportedValuesOf("currency").filter((code) => !retired.has(code) && !unpayable.has(code));
  const current = known.filter((code) => !isCurrency(code));
  expect(current).toEqual([]);
});

test.each(["tzs", "TZ", "", "XXX", "XTS", "XAU", "ZZZ", "constructor", "TZS ", "DEM"])(
  "%j isn't a currency",
  (code) => {
    expect(isCurrency(code)).toBe(false);
  },
);

test("money shows at least its currency's digits, and more only when they aren't zeros", () => {
  expect(formatMoney(new Decimal(4500000n, 0), "TZS")).toBe("4,500,000.00");
  expect(formatMoney(new Decimal(15n, 1), "KWD")).toBe("1.500");
  expect(formatMoney(new Decimal(1500n, 0), "JPY")).toBe("1,500");
  expect(formatMoney(new Decimal(150050n, 2), "JPY")).toBe("1,500.50");
  expect(formatMoney(new Decimal(1000005n, 3), "TZS")).toBe("1,000.005");
  expect(formatMoney(new Decimal(39476469500n, 3), "TZS")).toBe("39,476,469.50");
  expect(formatMoney(new Decimal(-5n, 0), undefined)).toBe("-5.00");
});
