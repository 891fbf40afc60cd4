import type { Decimal } from "../../values/money/decimal.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { JsonObject } from "../../values/json.ts";

/** Spec 2.2 and 2.5: there are two balances, and the list of fields names one of them differently from the example. */
const balanceNames = ["availableBalance", "currentBalance", "bookedBalance"];

/** What an account holds, in each of the ways that the service says it; none where it does not. */
export function saidBalances(balance: JsonObject): readonly Decimal[] {
  return balanceNames.flatMap((name) => amountOf(balance[name]) ?? []);
}
