import { Decimal } from "../../values/money/decimal.ts";

/**
 * What a line of the books stands for.
 *
 * - `wallet`: one wallet
 * - `merchant account`: one merchant collection account at the bank
 * - `main account`: where withdrawals go to and remittances are paid from
 * - `fees`: what the service earned
 * - `outside`: everybody else: subscribers, beneficiaries, banks
 * - `backing`: the cash of a collection lies in the merchant account, and the wallet is a claim on it. Here stands the
 *   claim's other side, so that the same money is never counted twice.
 */
export type LedgerKind = "wallet" | "merchant account" | "main account" | "fees" | "outside" | "backing";

export interface LedgerLine {
  readonly kind: LedgerKind;
  /** The account number, or the currency where there is one line for each. */
  readonly name: string;
  readonly currency: string;
  readonly balance: Decimal;
}

interface OpenLine extends LedgerLine {
  balance: Decimal;
}

/**
 * The books, kept by double entry: every posting adds up to zero, so money can move but neither come from nowhere nor
 * get lost, and for each currency all lines together are zero at any moment.
 */
export class Accounting {
  readonly #lines = new Map<string, OpenLine>();

  /** The line of that kind and name, opened at zero when it is met for the first time. */
  line(kind: LedgerKind, currency: string, name = currency): LedgerLine {
    return this.#open(kind, currency, name);
  }

  /** Moves an amount from one line to another. */
  post(amount: Decimal, from: LedgerLine, to: LedgerLine): void {
    if (from.currency !== to.currency) throw new Error("A posting must stay within one currency.");
    const giver = this.#open(from.kind, from.currency, from.name);
    const taker = this.#open(to.kind, to.currency, to.name);
    giver.balance = giver.balance.subtract(amount);
    taker.balance = taker.balance.add(amount);
  }

  /** All lines as they stand now. */
  lines(): readonly LedgerLine[] {
    return [...this.#lines.values()].map((line) => ({ ...line }));
  }

  /** Takes over a line that was kept in a file; whoever does it checks that all lines still add up. */
  restore(line: LedgerLine): void {
    this.#open(line.kind, line.currency, line.name).balance = line.balance;
  }

  /** True while the lines of each currency are zero together. */
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
