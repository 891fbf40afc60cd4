import { expect, test } from "vitest";
import { dayLimitViolation, transferLimitViolation } from "../../src/movements/guards/limits.ts";
import { noSums } from "../../src/journal/spending.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { Numeral } from "../../src/values/json.ts";

const limits = new Map([["TZS", new Decimal(1000, 0)]]);
const amount = new Numeral("5");

test.each([
  ["transfer", {}],
  ["withdraw", { amount: "much", accountNo: "1" }],
  ["remit", { receiverAmount: amount, receiverCurrency: "TZS" }],
  ["remit", { senderAmount: amount, senderCurrency: "USD" }],
] as const)("a %s of %j, whose amount cannot be read, breaks every limit", (kind, input) => {
  const order = { kind, input, limits, currencyOf: undefined };
  expect(transferLimitViolation(order)).toBe("its amount cannot be read");
  expect(dayLimitViolation(order, noSums)).toBe("its amount cannot be read");
});
