import { Decimal } from "../../values/money/decimal.ts";

/**
 * The kinds of ledger lines.
 * - `wallet`: one wallet
 * - `merchant account`: one merchant collection account at the bank
 * - `main account`: receives withdrawals and pays remittances
 * - `fees`: the service's earnings
 * - `outside`: subscribers, beneficiaries and other banks
 * - `backing`: the counterpart of wallets that hold collections. Their cash is in the merchant account, and is not
 *   counted twice.
 */
export type LedgerKind = "wallet" | "merchant account" | "main account" | "fees" | "outside" | "backing";

export interface LedgerLine {
  readonly kind: LedgerKind;
  /** The account number, or the currency where there is one line per currency. */
  readonly name: string;
  readonly currency: string;
  readonly balance: Decimal;
}

interface OpenLine extends LedgerLine {
  balance: Decimal;
}

/**
 * A ledger with double entries: every posting adds up to zero, so no money appears or disappears, and in each currency
 * all lines add up to zero at any moment.
 */
export class Accounting {
  readonly #lines = new Map<string, OpenLine>();

  /** The line of that kind and name; a new line starts at zero. */
  line(kind: LedgerKind, currency: string, name = currency): LedgerLine {
    return this.#open(kind, currency, name);
  }

  /** The line of everything outside of the service. */
  outside(currency: string): LedgerLine {
    return this.line("outside", currency);
  }

  /** Moves an amount from one line to another. */
  post(amount: Decimal, from: LedgerLine, to: LedgerLine): void {
    if (from.currency !== to.currency) throw new Error("A posting must stay within one currency.");
    const giver = this.#open(from.kind, from.currency, from.name);
    const taker = this.#open(to.kind, to.currency, to.name);
    giver.balance = giver.balance.subtract(amount);
    taker.balance = taker.balance.add(amount);
  }

  /** All lines with their current balances. */
  lines(): readonly LedgerLine[] {
    return [...this.#lines.values()].map((line) => ({ ...line }));
  }

  /** Restores a line from a file; the caller checks `addsUp` after the last one. */
  restore(line: LedgerLine): void {
    this.#open(line.kind, line.currency, line.name).balance = line.balance;
  }

  /** True while the lines of each currency add up to zero. */
  get addsUp(): boolean {
    const sums = new Map<string, Decimal>();
    for (const { currency, balance } of this.#lines.values()) {
      sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(balance));
    }
    return [...sums.values()].every((sum) => sum.isZero);
  }

  #open(kind: LedgerKind, currency: string, name: string): OpenLine {
    const key = `${kind} ${name}`;
    const line = this.#lines.get(key) ?? { kind, name, currency, balance: Decimal.zero };
    this.#lines.set(key, line);
    return line;
  }
}
