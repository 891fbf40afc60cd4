import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { plainText } from "./plain-text.ts";

/** The accounts on the other side of a row, until a person knows better. */
export interface Counterparts {
  readonly income: string;
  readonly expenses: string;
  readonly fees: string;
}

/** The account that the other half of a booking goes to. */
export function counterpart(line: StatementLine, { income, expenses, fees }: Counterparts): string {
  if (line.isFee) return fees;
  return changeOf(line).sign < 0 ? expenses : income;
}

/** What a file for bookkeepers is, in a comment at its top. */
export function comment({ accountKind, accountNo, period, isChronological }: StatementData): string {
  const what = accountKind === "wallet" ? "Wallet" : "Merchant account";
  const days = `${period.startDate.toString()} to ${period.endDate.toString()}`;
  const unchecked = isChronological ? "" : "; The rows are not in the order of their days: no balance is checked.\n";
  return `; ${what} ${plainText(accountNo)}, ${days}\n${unchecked}`;
}
