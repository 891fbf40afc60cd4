import type { Findings } from "../report/report.ts";
import { currencyOf } from "../report/table/table-cell.ts";
import { amountOf } from "../values/money/amount.ts";
import type { Decimal } from "../values/money/decimal.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject } from "../values/json.ts";
import { formatMoney } from "../values/money/money.ts";

/** Compares the available balance with its minimum. A missing balance counts as below it. */
export function minimumBalanceFindings(balance: JsonObject, accountNo: string, floor: Decimal): Findings {
  const available = amountOf(balance["availableBalance"]);
  if (available && available.compare(floor) >= 0) return { notes: [] };
  const currency = currencyOf(balance);
  const money = (amount: Decimal) => `${currency === undefined ? "" : `${currency} `}${formatMoney(amount, currency)}`;
  const is = available ? `is ${money(available)}` : "was not named by the service";
  const message = `The available balance of ${accountNo} ${is}; it should be at least ${money(floor)}.`;
  return { notes: [], failure: new Failure("mismatch", message, { hint: "Move money there before it is needed." }) };
}
