import { withdraw } from "../../contract/wallets.ts";
import type { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Numeral } from "../../values/json.ts";
import type { MoneyOrder } from "../order.ts";

export interface WithdrawRequest {
  readonly account: string;
  readonly amount: Decimal;
  readonly narration: string;
  readonly reference: string;
  /** The day that a person gave; today is filled in otherwise. */
  readonly date: Day | undefined;
  readonly today: Day;
}

/** Spec 4.10. `externalRef` is our reference. */
export function withdrawOrder({ account, amount, narration, reference, date, today }: WithdrawRequest): MoneyOrder {
  const input = {
    amount: new Numeral(amount.toString()),
    accountNo: account,
    transactionDate: (date ?? today).toString(),
    narration,
    externalRef: reference,
  };
  const volatile = date === undefined ? ["transactionDate"] : [];
  return { kind: "withdraw", endpoint: withdraw, reference, input, volatile };
}
