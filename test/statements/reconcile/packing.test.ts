import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AmountCodes, ExactSum } from "../../../src/statements/packing/amount-codes.ts";
import { StringTable } from "../../../src/statements/reconcile/rows/string-table.ts";
import { Decimal } from "../../../src/values/money/decimal.ts";
import { borderDecimals } from "./border-decimals.ts";

test("equal amounts have the same code, and different amounts different codes", () => {
  fc.assert(
    fc.property(borderDecimals, borderDecimals, fc.integer({ min: 0, max: 5 }), (one, other, zeros) => {
      const codes = new AmountCodes();
      const widened = one.add(new Decimal(0n, one.scale + zeros));
      expect(codes.codeOf(widened)).toBe(codes.codeOf(one));
      expect(codes.codeOf(one) === codes.codeOf(other)).toBe(one.equals(other));
      expect(Math.sign(codes.compare(codes.codeOf(one), codes.codeOf(other)))).toBe(one.compare(other));
    }),
  );
});

test("an amount is returned with all of its digits", () => {
  fc.assert(
    fc.property(borderDecimals, (amount) => {
      const codes = new AmountCodes();
      const code = codes.codeOf(amount);
      expect(codes.amountOf(code, amount.scale).toString()).toBe(amount.toString());
      expect(codes.textOf(code, amount.scale)).toBe(amount.toString());
      expect(Number(codes.textOf(code, 0))).toBe(Number(amount.toString()));
    }),
  );
});

test("sums are exact, with the scale of the longest part", () => {
  fc.assert(
    fc.property(fc.array(borderDecimals), (parts) => {
      const codes = new AmountCodes();
      const sum = new ExactSum(codes);
      for (const part of parts) sum.add(codes.codeOf(part), part.scale);
      const expected = parts.reduce((a, b) => a.add(b), Decimal.zero);
      expect(sum.value.toString()).toBe(expected.toString());
      const [one = Decimal.zero, other = Decimal.zero] = parts;
      const both = codes.sumOf(codes.codeOf(one), codes.negative(codes.codeOf(other)));
      expect(codes.amountOf(both, 0).equals(one.subtract(other))).toBe(true);
    }),
  );
});

test("each text is stored once and returned unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 12 })), (list) => {
      const texts = new StringTable();
      const ids = list.map((text) => texts.idOf(text));
      expect(ids.map((id) => texts.textOf(id))).toEqual(list);
      expect(texts.count).toBe(new Set([...list, ""]).size);
      expect(list.map((text) => texts.find(text))).toEqual(ids);
      expect(texts.find("one that is too long to be among them")).toBeUndefined();
      const [one = "", other = ""] = list;
      expect(Math.sign(texts.compare(texts.idOf(one), texts.idOf(other)))).toBe(one < other ? -1 : one > other ? 1 : 0);
    }),
  );
});

test("20,000 texts and very long ones stay distinct", () => {
  const texts = new StringTable();
  const list = Array.from({ length: 20_000 }, (_, index) => `FT${index}`).concat([
    "x".repeat(100_000),
    "x".repeat(100_001),
  ]);
  const ids = list.map((text) => texts.idOf(text));
  expect(new Set(ids).size).toBe(list.length);
  expect(ids.map((id) => texts.textOf(id))).toEqual(list);
});
