import type { Decimal } from "../values/decimal.ts";
import { amountOf } from "../values/amount.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject } from "../values/json.ts";
import { formatMoney } from "../values/money.ts";

/** What the wallets say about one end of a movement. */
export interface WalletSeen {
  readonly accountNo: string;
  readonly name: string | undefined;
  readonly currency: string | undefined;
  readonly type: string | undefined;
  readonly balance: Decimal | undefined;
}

/** A wallet out of the list; only its number where the list could not be had or does not name it. */
export function walletSeen(wallets: readonly JsonObject[] | undefined, accountNo: string): WalletSeen {
  const wallet = wallets?.find((candidate) => candidate["accountNo"] === accountNo);
  return {
    accountNo,
    name: textOf(wallet?.["accountName"]),
    currency: textOf(wallet?.["currency"]),
    type: textOf(wallet?.["type"]),
    balance: amountOf(wallet?.["balance"]) ?? undefined,
  };
}

/** `9000112233 Zoë Payouts, 42,829,996.50 TZS → 42,824,996.50 TZS`. */
export function walletLine(wallet: WalletSeen, change: Decimal): string {
  const { accountNo, name, currency, balance } = wallet;
  const who = name === undefined ? accountNo : `${accountNo} ${name}`;
  if (balance === undefined) return who;
  const [before, after] = [balance, balance.add(change)].map((amount) => formatMoney(amount, currency));
  return `${who}, ${before} → ${after} ${currency ?? ""}`.trimEnd();
}

/** Spec 4.7: the ends are two wallets. */
export function sameWalletFaults(from: string | undefined, to: string | undefined): Failure[] {
  if (from === undefined || from !== to) return [];
  return [faultOfTo(`A transfer from ${from} to itself moves nothing.`, "Name another wallet: partner wallets list")];
}

/** Spec 4.7: they are of one currency. */
export function currencyFaults(from: WalletSeen, to: WalletSeen): Failure[] {
  if (from.currency === undefined || to.currency === undefined || from.currency === to.currency) return [];
  const currencies = `${from.accountNo} is in ${from.currency} and ${to.accountNo} in ${to.currency}`;
  const hint = "Name a wallet of the same currency: partner wallets list";
  return [faultOfTo(`${currencies}; a transfer has one currency.`, hint)];
}

function faultOfTo(message: string, hint: string): Failure {
  return new Failure("usage", message, { hint, money: "not moved", details: { "--to": message } });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
