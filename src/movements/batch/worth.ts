import type { MovementKind } from "../../journal/movement.ts";
import { amountOf } from "../../values/amount.ts";
import { Decimal } from "../../values/decimal.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import type { MoneyOrder } from "../order.ts";

/** An amount and what it is of; undefined where nobody says which currency a wallet has. */
export interface Worth {
  readonly amount: Decimal;
  readonly currency: string | undefined;
}

/** The wallets of the account by their numbers; undefined where the list could not be had. */
export type WalletIndex = ReadonlyMap<string, JsonObject> | undefined;

interface Place {
  readonly amount: string;
  /** The field that says the currency, or the wallet that has one. */
  readonly currency?: string;
  readonly wallet?: string;
}

const places: Readonly<Record<MovementKind, Place>> = {
  transfer: { amount: "amount", wallet: "from" },
  withdraw: { amount: "amount", wallet: "accountNo" },
  collect: { amount: "amount" },
  remit: { amount: "receiverAmount", currency: "receiverCurrency" },
};
/** Spec 4.5 names channels of Tanzania alone. */
const collectCurrency = "TZS";

export function indexWallets(wallets: readonly JsonObject[] | undefined): WalletIndex {
  return wallets && new Map(wallets.map((wallet) => [textOf(wallet["accountNo"]) ?? "", wallet]));
}

/** What an order moves, in the currency of the wallet that pays, or that the request names. */
export function worthOf({ kind, input }: MoneyOrder, wallets: WalletIndex): Worth {
  const { amount, currency, wallet } = places[kind];
  const field = (name: string): JsonValue | undefined => Reflect.get(input, name);
  const named = currency === undefined ? undefined : textOf(field(currency));
  const held = wallet === undefined ? collectCurrency : currencyOf(textOf(field(wallet)) ?? "", wallets);
  return { amount: amountOf(field(amount)) ?? Decimal.zero, currency: named ?? held };
}

/** The currency of a wallet; undefined where nobody says. */
export function currencyOf(accountNo: string, wallets: WalletIndex): string | undefined {
  return textOf(wallets?.get(accountNo)?.["currency"]);
}

/** How many rows, and how much of each currency, in the order in which they first came. */
export class Tally {
  count = 0;
  readonly #totals = new Map<string | undefined, Decimal>();

  add({ amount, currency }: Worth): void {
    this.count += 1;
    this.#totals.set(currency, (this.#totals.get(currency) ?? Decimal.zero).add(amount));
  }

  get totals(): readonly Worth[] {
    return [...this.#totals].map(([currency, amount]) => ({ currency, amount }));
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
