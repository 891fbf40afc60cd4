import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AmountCodes } from "../../../src/statements/reconcile/amount-codes.ts";
import { StatedAmount, statedAmount } from "../../../src/statements/reconcile/stated-amount.ts";
import { amountOf } from "../../../src/values/amount.ts";
import { Decimal } from "../../../src/values/decimal.ts";
import { Numeral } from "../../../src/values/json.ts";
import { borderDecimals } from "./border-decimals.ts";

function stated(amount: Decimal): StatedAmount {
  return statedAmount(new Numeral(amount.toString())) ?? new StatedAmount(Number.NaN, 0);
}

test("an amount of a statement is what it is to everybody else, with all of its digits", () => {
  const odd = ["-0.00", "007.50", "1e2", "1.", ".5", "-", "+5", "", " 1", "1,5", "0x10", "999999999999999", "1.2.3"];
  const texts = fc.oneof(
    borderDecimals.map((amount) => amount.toString()),
    fc.constantFrom(...odd),
    fc.string({ unit: fc.constantFrom(..."0123456789.-e ".split("")), maxLength: 17 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const amount = statedAmount(text);
      const exact = amountOf(text);
      expect(amount ? amount.exact.toString() : amount).toBe(exact ? exact.toString() : exact);
      expect(amount?.scale).toBe(exact?.scale);
      expect(amount?.isZero).toBe(exact?.isZero);
    }),
  );
});

test("its hundredths are the code that the book's amounts are compared by", () => {
  fc.assert(
    fc.property(borderDecimals, (amount) => {
      const { hundredths, exact } = stated(amount);
      const code = new AmountCodes().codeOf(amount);
      expect(Number.isNaN(hundredths) ? code : hundredths).toBe(code);
      expect(stated(amount).negate().exact.toString()).toBe(amount.negate().toString());
      expect(exact.toString()).toBe(amount.toString());
    }),
  );
});

test("a balance follows from the one before exactly, or not at all", () => {
  fc.assert(
    fc.property(borderDecimals, borderDecimals, fc.constantFrom("0", "0.01", "0.00001", "-1"), (one, other, more) => {
      const sum = one.add(other);
      const off = sum.add(Decimal.parse(more) ?? Decimal.zero);
      expect(stated(sum).isSumOf(stated(one), stated(other))).toBe(true);
      expect(stated(off).isSumOf(stated(one), stated(other))).toBe(off.equals(sum));
    }),
  );
});
