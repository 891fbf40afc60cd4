import { minorDigits } from "../../values/money/currency.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { StatementData, StatementLine } from "./format.ts";
import { changeOf } from "./format.ts";
import type { Counterparts } from "./bookkeeping.ts";
import { comment, counterpart } from "./bookkeeping.ts";
import { plainText } from "./plain-text.ts";

/** What may not stand in the last part of an account's name. */
const beyondName = /[^\p{L}\p{N}._/-]/gu;
const equity = "equity:opening balances";
const others: Counterparts = { income: "income:unknown", expenses: "expenses:unknown", fees: "expenses:fees" };

/**
 * A journal for hledger, which ledger reads, too. Each row says what the account holds after it, so that the file
 * checks itself while it is read. The first transaction sets the balance, and changes nothing where the journal of the
 * month before was read first.
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
    yield `\n${earliestDay} * opening balance\n  ${account}  = ${money(opening)}\n  ${equity}\n`;
  for await (const lines of statement.lines()) {
    yield lines
      .map((line) => {
        const own = `${account}  ${money(changeOf(line))}${checked(line.balance)}`;
        return `\n${line.day} * ${headline(line)}\n  ${own}\n  ${counterpart(line, others)}\n`;
      })
      .join("");
  }
}

function head(statement: StatementData, account: string, digits: number): string {
  const declared = [account, equity, ...Object.values(others)].map((name) => `account ${name}\n`).join("");
  const sample = `1000.${"0".repeat(digits)}`;
  return `${comment(statement)}\ncommodity ${statement.currency}\n  format ${sample} ${statement.currency}\n${declared}`;
}

/** `(REFERENCE) sender | narration`, without what would end the code, the description or the sender. */
function headline({ reference, sender, narration }: StatementLine): string {
  const code = plainText(reference).replaceAll("(", "[").replaceAll(")", "]");
  const payee = plainText(sender).replaceAll("|", "/");
  const description = [payee, plainText(narration)].filter((part) => part !== "").join(" | ");
  return `(${code}) ${description.replaceAll(";", ",")}`.trimEnd();
}
