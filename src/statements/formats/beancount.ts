import { minorDigits } from "../../values/money/currency.ts";
import { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import type { Counterparts } from "./bookkeeping.ts";
import { comment, counterpart } from "./bookkeeping.ts";
import { plainText } from "./plain-text.ts";

/** What may not stand in a part of an account's name. */
const beyondName = /[^A-Za-z0-9-]/g;
/** No day follows it. */
const lastDay = "9999-12-31";
const equity = "Equity:Opening-Balances";
const others: Counterparts = { income: "Income:Unknown", expenses: "Expenses:Unknown", fees: "Expenses:Fees" };

/**
 * A ledger for beancount. It knows balances only at the beginning of a day: what the account held after the last row of
 * each day is checked on the next one, to the last digit.
 */
export async function* encodeBeancount(statement: StatementData): AsyncGenerator<string> {
  const { currency, opening, earliestDay, isChronological } = statement;
  const account = `Assets:Partner:A-${plainText(statement.accountNo).replaceAll(beyondName, "-")}`;
  const digits = minorDigits(currency);
  const money = (amount: Decimal) => `${amount.padded(digits)} ${currency}`;
  const posting = (name: string, amount: Decimal) => `  ${name}  ${money(amount)}\n`;
  const check = (line: StatementLine | undefined) => {
    if (line?.balance === undefined || !isChronological || line.day === lastDay) return "";
    const nextDay = Day.parse(line.day)?.addDays(1).toString();
    return `\n${nextDay} balance ${account}  ${line.balance.padded(digits)} ~ 0 ${currency}\n`;
  };

  yield head(statement, account);
  if (opening !== undefined)
    yield `\n${earliestDay} * "Opening balance"\n${posting(account, opening)}${posting(equity, opening.negate())}`;
  let last: StatementLine | undefined;
  for await (const lines of statement.lines()) {
    let text = "";
    for (const line of lines) {
      if (last !== undefined && last.day !== line.day) text += check(last);
      const change = changeOf(line);
      text += `\n${line.day} * ${headline(line)}\n${posting(account, change)}${posting(counterpart(line, others), change.negate())}`;
      last = line;
    }
    yield text;
  }
  yield check(last);
}

function head(statement: StatementData, account: string): string {
  const { currency, earliestDay } = statement;
  const opened = [account, equity, ...Object.values(others)].map((name) => `${earliestDay} open ${name}\n`).join("");
  return `${comment(statement)}\noption "operating_currency" "${currency}"\n${opened}`;
}

/** `"sender" "narration"`, and the reference as metadata. */
function headline({ reference, sender, narration }: StatementLine): string {
  const [payee, id] = [plainText(sender), plainText(reference)];
  return `${payee === "" ? "" : `${quoted(payee)} `}${quoted(plainText(narration))}\n  reference: ${quoted(id)}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
