import { minorDigits } from "../../values/money/currency.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import type { Counterparts } from "./bookkeeping.ts";
import { comment, counterpart, tagsOf } from "./bookkeeping.ts";
import { plainText } from "./text/plain-text.ts";

/** Characters that are not allowed in the last part of an account's name. */
const beyondName = /[^\p{L}\p{N}._/-]/gu;
const equity = "equity:opening balances";
const others: Counterparts = {
  income: "income:unknown",
  expenses: "expenses:unknown",
  fees: "expenses:fees",
  clearing: "assets:partner:clearing",
};

/**
 * A journal for hledger, which ledger can read as well. Each row asserts the balance after it, so that the file checks
 * itself. The first transaction sets the balance, and changes nothing where the previous month's journal was read
 * before; a file that continues others asserts the balance that they should end with.
 */
export async function* encodeHledger(statement: StatementData): AsyncGenerator<string> {
  const { currency, opening, earliestDay, isChronological } = statement;
  const account = `assets:partner:${plainText(statement.accountNo).replaceAll(beyondName, "-")}`;
  const digits = minorDigits(currency);
  const money = (amount: Decimal) => `${amount.padded(digits)} ${currency}`;
  const checked = (balance: Decimal | undefined) =>
    balance === undefined || !isChronological ? "" : ` = ${money(balance)}`;

  yield head(statement, account, digits);
  if (opening !== undefined)
    yield statement.goesOn
      ? `\n${earliestDay} * opening balance\n  ${account}  ${money(Decimal.zero)} = ${money(opening)}\n`
      : `\n${earliestDay} * opening balance\n  ${account}  = ${money(opening)}\n  ${equity}\n`;
  for await (const lines of statement.lines()) {
    yield lines
      .map((line) => {
        const own = `${account}  ${money(changeOf(line))}${checked(line.balance)}`;
        return `\n${line.day} * ${headline(line)}\n${tags(line)}  ${own}\n  ${line.account ?? counterpart(line, others)}\n`;
      })
      .join("");
  }
}

function head(statement: StatementData, account: string, digits: number): string {
  const opened = statement.goesOn ? [] : [account, equity, ...Object.values(others), ...statement.ruleAccounts];
  const declared = opened.map((name) => `account ${name}\n`).join("");
  // On one line: ledger can't read the form of a currency without cents from a second one.
  return `${comment(statement)}\ncommodity 1000.${"0".repeat(digits)} ${statement.currency}\n${declared}`;
}

/** A comment line for each; a comma would end the value of a tag. */
function tags(line: StatementLine): string {
  return tagsOf(line)
    .map(([name, text]) => `  ; ${name}: ${text.replaceAll(",", ";")}\n`)
    .join("");
}

/** `(REFERENCE) sender | narration`, without what would end the code, the description or the sender. */
function headline({ reference, sender, narration }: StatementLine): string {
  const code = plainText(reference).replaceAll("(", "[").replaceAll(")", "]");
  const payee = plainText(sender).replaceAll("|", "/");
  const description = [payee, plainText(narration)].filter((part) => part !== "").join(" | ");
  return `(${code}) ${description.replaceAll(";", ",")}`.trimEnd();
}
