import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import { plainText } from "./text/plain-text.ts";

/** The accounts on the other side of a row, until a person knows better. */
export interface Counterparts {
  readonly income: string;
  readonly expenses: string;
  readonly fees: string;
  /** The transit account, where the two halves of a transfer between own wallets cancel out. */
  readonly clearing: string;
}

/** The account that the other half of a booking goes to, unless a rule has named one. */
export function counterpart(line: StatementLine, others: Counterparts): string {
  const { income, expenses, fees, clearing } = others;
  if (line.isFee) return fees;
  if (line.isOwnTransfer) return clearing;
  return changeOf(line).sign < 0 ? expenses : income;
}

/** The comment at the top of a file for bookkeepers, which says what it is. */
export function comment({ accountKind, accountNo, period, isChronological, verdict }: StatementData): string {
  const what = accountKind === "wallet" ? "Wallet" : "Merchant account";
  const days = `${period.startDate.toString()} to ${period.endDate.toString()}`;
  const unchecked = isChronological ? "" : "; The rows are not in the order of their days: no balance is checked.\n";
  return `; ${what} ${plainText(accountNo)}, ${days}\n; ${plainText(verdict)}\n${unchecked}`;
}

/** What merchant accounts say about the payer, under names that can be tags. */
export function tagsOf({ paymentReference, sender, senderAccount, senderBank }: StatementLine): [string, string][] {
  const all = { paymentReference, senderAccountName: sender, senderAccountNo: senderAccount, bank: senderBank };
  return Object.entries(all).flatMap(([name, text]): [string, string][] => {
    const plain = plainText(text);
    return plain === "" ? [] : [[name, plain]];
  });
}
