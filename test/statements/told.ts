import { Decimal } from "../../src/values/money/decimal.ts";
import type { Asked } from "../commands/served.ts";
import { ask, ok } from "../commands/served.ts";
import type { World } from "../memory-host.ts";

/** A row of a statement, as short as a test can write it. */
export interface Told {
  readonly ref?: string;
  /** `YYYY-MM-DD HH:mm:ss`. */
  readonly at?: string;
  readonly narration?: string;
  readonly sender?: string;
  /** Signed, with the digits to be sent. */
  readonly amount: string;
  /** The balance after the row; by default it follows from the row before; null for none. */
  readonly balance?: string | null;
}

export type AccountKind = "wallet" | "merchant";

export const accounts: Readonly<Record<AccountKind, string>> = { wallet: "9000112233", merchant: "015A8XX787600" };
export const bothKinds: readonly AccountKind[] = ["wallet", "merchant"];

/** The body of the service's answer: rows whose balances follow from each other, starting at `opening`. */
export function statementBody(kind: AccountKind, rows: readonly Told[], opening = "1000.00"): string {
  let held = decimal(opening);
  const entries = rows.map((row) => {
    held = held.add(decimal(row.amount));
    const balance = row.balance === undefined ? held.padded(2) : row.balance;
    return kind === "wallet" ? walletEntry(row, balance) : merchantEntry(row, balance);
  });
  const list = `[${entries.join(",")}]`;
  if (kind === "wallet") return list;
  const result = `{"accountNo":"${accounts.merchant}","statement":${list}}`;
  return `{"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-01T08:00:00+03:00","result":${result}}`;
}

/** The same rows newest first, with the same balances. */
export function newestFirst(body: string): string {
  const start = body.indexOf("[");
  const entries = body.slice(start + 1, body.lastIndexOf("]")).split("},{");
  const bare = entries.map((entry) => entry.replace(/^\{|\}$/g, "")).toReversed();
  return `${body.slice(0, start + 1)}{${bare.join("},{")}}${body.slice(body.lastIndexOf("]"))}`;
}

/** The answer to the request for the account's balance. */
export function balanceBody(kind: AccountKind, currency = "TZS", available = "1000.00"): string {
  const held = `"availableBalance":${available},"currentBalance":${available},"accountNo":"${accounts[kind]}","accountName":"Zoë & Sons"`;
  return kind === "wallet"
    ? `{${held},"currencyCode":"${currency}"}`
    : `{"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-01T08:00:00+03:00","result":{${held},"currency":"${currency}"}}`;
}

export interface Exported extends Asked {
  /** The summary's line on stderr. */
  readonly summary: string;
}

/**
 * Exports February 2026 of an account with this statement. The further answers are the balance and the statement of the
 * days since.
 */
export async function exported(
  format: string,
  kind: AccountKind,
  body: string,
  {
    flags = "",
    world,
    answers = [balanceBody(kind), statementBody(kind, [])],
  }: { flags?: string; world?: World; answers?: readonly string[] } = {},
): Promise<Exported> {
  const command = kind === "wallet" ? "wallet statement" : "account statement";
  const line = `${command} ${accounts[kind]} --month 2026-02 ${format === "" ? "" : `--output ${format}`} ${flags}`;
  const ended = await ask(line, [body, ...answers].map(ok), world);
  return { ...ended, summary: ended.stderr.split("\n").find((text) => / rows?, /.test(text)) ?? "" };
}

export function decimal(text: string): Decimal {
  const value = Decimal.parse(text);
  if (value === undefined) throw new Error(`${text} isn't a number`);
  return value;
}

function walletEntry(row: Told, balance: string | null): string {
  const { ref = "R1", at = "2026-02-10 08:00:00", narration = "n" } = row;
  return `{"tranRefNo":${JSON.stringify(ref)},"valueDate":"${at}","txnDate":"2026-01-02 08:00:00","narration":${JSON.stringify(narration)},"debitOrCredit":"${isDebit(row) ? "DR" : "CR"}","amountCredited":${creditOf(row)},"amountDebited":${debitOf(row)},"balance":${balance}}`;
}

function merchantEntry(row: Told, balance: string | null): string {
  const { ref = "R1", at = "2026-02-10 08:00:00", narration = "n", sender } = row;
  const time = `${at.replace(" ", "T")}+03:00`;
  return `{"transactionId":null,"reference":${JSON.stringify(ref)},"creditOrDebit":"${isDebit(row) ? "DEBIT" : "CREDIT"}","transactionDate":"${time}","valueDate":"${time}","narration":${JSON.stringify(narration)},"currency":"TZS","amountCredit":${creditOf(row)},"amountDebit":${debitOf(row)},"availableBalance":${balance},"currentBalance":${balance},"senderAccountName":${JSON.stringify(sender ?? null)}}`;
}

function isDebit({ amount }: Told): boolean {
  return amount.startsWith("-");
}

function creditOf(row: Told): string {
  return isDebit(row) ? "0" : row.amount;
}

function debitOf(row: Told): string {
  return isDebit(row) ? row.amount.slice(1) : '""';
}
