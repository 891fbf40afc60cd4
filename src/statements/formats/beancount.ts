import { minorDigits } from "../../values/money/currency.ts";
import { Day } from "../../values/time/day.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import type { Counterparts } from "./bookkeeping.ts";
import { comment, counterpart, tagsOf } from "./bookkeeping.ts";
import { plainText } from "./text/plain-text.ts";

/** Characters that are not allowed in a part of an account's name. */
const beyondName = /[^A-Za-z0-9-]/g;
/** The last possible day. */
const lastDay = "9999-12-31";

/**
 * A ledger for beancount. It checks balances only at the beginning of a day, so the balance after each day's last row
 * is asserted on the next day, to the last digit.
 */
export async function* encodeBeancount(statement: StatementData): AsyncGenerator<string> {
  const { currency, opening, earliestDay, isChronological } = statement;
  const { account, equity, others, named } = accountsOf(statement);
  const digits = minorDigits(currency);
  const money = (amount: Decimal) => `${amount.padded(digits)} ${currency}`;
  const posting = (name: string, amount: Decimal) => `  ${name}  ${money(amount)}\n`;
  const check = (line: StatementLine | undefined) => {
    if (line?.balance === undefined || !isChronological || line.day === lastDay) return "";
    const nextDay = Day.parse(line.day)?.addDays(1).toString();
    return `\n${nextDay} balance ${account}  ${line.balance.padded(digits)} ~ 0 ${currency}\n`;
  };

  yield head(statement);
  if (opening !== undefined && statement.goesOn)
    yield `\n${earliestDay} balance ${account}  ${opening.padded(digits)} ~ 0 ${currency}\n`;
  else if (opening !== undefined)
    yield `\n${earliestDay} * "Opening balance"\n${posting(account, opening)}${posting(equity, opening.negate())}`;
  let last: StatementLine | undefined;
  for await (const lines of statement.lines()) {
    let text = "";
    for (const line of lines) {
      if (last !== undefined && last.day !== line.day) text += check(last);
      const change = changeOf(line);
      const other = line.account === undefined ? counterpart(line, others) : named(line.account);
      text += `\n${line.day} * ${headline(line)}\n${posting(account, change)}${posting(other, change.negate())}`;
      last = line;
    }
    yield text;
  }
  yield check(last);
}

/**
 * The accounts of a file. beancount refuses an account that is opened twice, so each wallet has accounts of its own on
 * the other side, and the files of several wallets can be read together.
 */
function accountsOf({ accountNo }: StatementData) {
  const own = `A-${plainText(accountNo).replaceAll(beyondName, "-")}`;
  const others: Counterparts = {
    income: `Income:Unknown:${own}`,
    expenses: `Expenses:Unknown:${own}`,
    fees: `Expenses:Fees:${own}`,
    clearing: `Assets:Partner:Clearing:${own}`,
  };
  return {
    account: `Assets:Partner:${own}`,
    equity: `Equity:Opening-Balances:${own}`,
    others,
    /** A rule's account also gets a subaccount for each wallet. */
    named: (account: string) => `${account}:${own}`,
  };
}

function head(statement: StatementData): string {
  const { currency, earliestDay, goesOn } = statement;
  const { account, equity, others, named } = accountsOf(statement);
  const all = goesOn ? [] : [account, equity, ...Object.values(others), ...statement.ruleAccounts.map(named)];
  const opened = all.map((name) => `${earliestDay} open ${name}\n`).join("");
  return `${comment(statement)}\noption "operating_currency" "${currency}"\n${opened}`;
}

/** `"sender" "narration"`, and as metadata the reference and what else is known about the payer. */
function headline(line: StatementLine): string {
  const { reference, sender, narration } = line;
  const [payee, id] = [plainText(sender), plainText(reference)];
  const more = tagsOf(line).map(([name, text]) => `\n  ${name}: ${quoted(text)}`);
  return `${payee === "" ? "" : `${quoted(payee)} `}${quoted(plainText(narration))}\n  reference: ${quoted(id)}${more.join("")}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
