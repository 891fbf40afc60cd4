import { looksLikeReference, namesIn } from "../ledger/terms/names.ts";
import { folded } from "../values/text/folded.ts";
import type { BookedRow } from "./booked-row.ts";

/** What is kept of a debit: there can be a million of them. */
export type Debit = Pick<BookedRow, "account" | "change" | "ids">;

/** A debit under one of its ids; it is taken out of the lists of the other ids when they are read. */
interface Standing extends Debit {
  isBack: boolean;
}

/**
 * Finds money that came back: a credit of the amount of an earlier debit of its account, under one of the debit's ids,
 * or naming one. Rows are noted in the order of the statement.
 */
export class Returns {
  /** Debits that stand, by account, id and amount. */
  readonly #debits = new Map<string, Standing[]>();
  /** Amounts of all of them: few narrations have to be read. */
  readonly #amounts = new Set<string>();
  /** By the number of the credit in the ledger. */
  readonly #returned = new Map<number, Debit>();
  /** How many credits brought a debit back, by account, id and amount. */
  readonly #backs = new Map<string, number>();

  /** @param creditsOf how many earlier credits of its account have the id and the debit's amount */
  note({ number, account, change, ids, facts }: BookedRow, creditsOf: (id: string) => number): void {
    const amount = change.abs().trimmed();
    const keyOf = (id: string) => JSON.stringify([account.number, folded(id), amount]);
    if (change.sign < 0) {
      // What a customer paid goes back: a later payment under that reference is a new one.
      if (ids.some((id) => creditsOf(id) > (this.#backs.get(keyOf(id)) ?? 0))) return;
      this.#amounts.add(amount);
      const debit = { account, change, ids, isBack: false };
      for (const key of new Set(ids.map(keyOf))) {
        const known = this.#debits.get(key);
        if (known === undefined) this.#debits.set(key, [debit]);
        else known.push(debit);
      }
      return;
    }
    if (!this.#amounts.has(amount)) return;
    const named = namesIn(facts.narration, [facts.reference]).filter(looksLikeReference);
    for (const key of [...ids, ...named].map(keyOf)) {
      const debit = lastOf(this.#debits.get(key));
      if (debit === undefined) continue;
      debit.isBack = true;
      this.#returned.set(number, debit);
      for (const own of new Set(ids.map(keyOf))) this.#backs.set(own, (this.#backs.get(own) ?? 0) + 1);
      return;
    }
  }

  /** The debit that a row brought back; undefined for any other row. */
  of({ number }: Pick<BookedRow, "number">): Debit | undefined {
    return this.#returned.get(number);
  }
}

function lastOf(debits: Standing[] = []): Standing | undefined {
  while (debits.at(-1)?.isBack === true) debits.pop();
  return debits.at(-1);
}
