import { expect, test } from "vitest";
import { totalsOf } from "../../src/statements/totals.ts";
import { Numeral } from "../../src/values/json.ts";

test("balances that are not valid amounts are not counted, and the totals say so", () => {
  const wallets = [
    { currency: "TZS", balance: new Numeral("1500") },
    { currency: "TZS", balance: "soon" },
    { currency: "TZS", balance: "1,000" },
    { currency: "TZS", balance: "" },
    { currency: "KES", balance: true },
    { balance: new Numeral("2.50") },
  ];
  expect(totalsOf(wallets)).toEqual([
    "total without a currency 2.50",
    "total TZS 1,500.00",
    "1 balance in KES isn't a valid amount and is not counted",
    "2 balances in TZS aren't amounts and are not counted",
  ]);
});
