import type { JsonObject } from "../../values/json.ts";
import type { Accounting } from "./accounting.ts";
import type { MerchantAccount, MerchantMovement } from "./merchant-account.ts";
import type { Wallet, WalletMovement } from "./wallet.ts";

/** Posts movements: each to two ledger lines, and as rows of the accounts' statements. */
export class Postings {
  readonly #ledger: Accounting;
  readonly #accounts: ReadonlyMap<string, MerchantAccount>;

  constructor(ledger: Accounting, accounts: ReadonlyMap<string, MerchantAccount>) {
    this.#ledger = ledger;
    this.#accounts = accounts;
  }

  /** From one wallet to another. */
  between(from: Wallet, to: Wallet, movement: WalletMovement): JsonObject[] {
    this.#ledger.post(movement.amount, from.line, to.line);
    return [recordOut(from, movement), to.record(movement)];
  }

  /** From a wallet to the partner's main account. */
  toMainAccount(wallet: Wallet, movement: WalletMovement): JsonObject[] {
    this.#ledger.post(movement.amount, wallet.line, this.#ledger.line("main account", wallet.name.currency));
    return [recordOut(wallet, movement)];
  }

  /** From a wallet to a receiver outside of the service. */
  toOutside(wallet: Wallet, movement: WalletMovement): JsonObject[] {
    this.#ledger.post(movement.amount, wallet.line, this.#ledger.outside(wallet.name.currency));
    return [recordOut(wallet, movement)];
  }

  /** The service's fee, from a wallet. */
  fee(wallet: Wallet, movement: WalletMovement): JsonObject {
    this.#ledger.post(movement.amount, wallet.line, this.#ledger.line("fees", wallet.name.currency));
    return recordOut(wallet, movement);
  }

  /** A collection into a wallet. */
  collect(wallet: Wallet, movement: WalletMovement): JsonObject[] {
    const { currency } = wallet.name;
    const isBacked = this.merchantAccountOf(currency) !== undefined;
    const payer = isBacked ? this.#ledger.line("backing", currency) : this.#ledger.outside(currency);
    this.#ledger.post(movement.amount, payer, wallet.line);
    return [wallet.record(movement)];
  }

  /** Cash from outside into a merchant account. */
  toMerchant(account: MerchantAccount, movement: MerchantMovement): JsonObject {
    this.#ledger.post(movement.amount, this.#ledger.outside(account.name.currency), account.line);
    return account.record(movement);
  }

  /** The merchant account for collections in this currency. */
  merchantAccountOf(currency: string): MerchantAccount | undefined {
    return [...this.#accounts.values()].find(({ name }) => name.currency === currency);
  }
}

function recordOut(wallet: Wallet, movement: WalletMovement): JsonObject {
  return wallet.record({ ...movement, amount: movement.amount.negate() });
}
