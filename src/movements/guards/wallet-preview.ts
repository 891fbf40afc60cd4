import type { Decimal } from "../../values/money/decimal.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { JsonObject } from "../../values/json.ts";
import { formatMoney } from "../../values/money/money.ts";

/** What the wallets say about one end of a movement. */
export interface WalletSeen {
  readonly accountNo: string;
  readonly name: string | undefined;
  readonly currency: string | undefined;
  readonly type: string | undefined;
  readonly balance: Decimal | undefined;
}

/** A wallet from the list; only its number where the list is not available or lacks it. */
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

/** `5,000.00 TZS`; an amount without a currency says that it isn't known. */
export function walletMoney({ currency }: WalletSeen, amount: Decimal): string {
  return `${formatMoney(amount, currency)} ${currency ?? "(currency not known)"}`;
}

/**
 * `9000112233 Zoë Payouts, 42,829,996.50 TZS → 42,824,996.50 TZS`, and a remark where that is below zero.
 * @param nickname what the profile calls the wallet
 * @param hasFee true where the service also books a fee
 */
export function walletLine(wallet: WalletSeen, change: Decimal, nickname?: string, hasFee = false): string {
  const { accountNo, name, currency, balance } = wallet;
  const number = nickname === undefined ? accountNo : `${accountNo} (${nickname})`;
  const who = name === undefined ? number : `${number} ${name}`;
  if (balance === undefined) return who;
  const [before, after] = [balance, balance.add(change)].map((amount) => formatMoney(amount, currency));
  const short = balance.add(change).sign < 0 ? " (not enough)" : "";
  return `${`${who}, ${before} → ${after} ${currency ?? ""}`.trimEnd()}${hasFee ? " before fees" : ""}${short}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
