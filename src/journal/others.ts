import { Decimal } from "../values/decimal.ts";
import type { Guard } from "./journal.ts";
import type { StoredFilter } from "./listing.ts";
import { isMeant } from "./listing.ts";
import type { Movement } from "./movement.ts";

/**
 * What other orders weigh together, remembered from one look to the next, so that a batch doesn't read all of its rows
 * again for each of them. No movement takes a step without an event, so the events since the last look name all that
 * changed; what is not sent yet is looked at each time, since its process may end without a word.
 */
export class Others {
  readonly #filter: StoredFilter;
  readonly #weights = new Map<string, Decimal>();
  readonly #prepared = new Set<string>();
  #sum = Decimal.zero;
  /** The number of the last event that is counted in; undefined before the first look. */
  lastEvent: number | undefined;

  constructor(filter: StoredFilter) {
    this.#filter = filter;
  }

  isOf(filter: StoredFilter): boolean {
    return JSON.stringify(filter) === JSON.stringify(this.#filter);
  }

  get sum(): Decimal {
    return this.#sum;
  }

  /** Ids of those that may change without an event. */
  get restless(): readonly string[] {
    return [...this.#prepared];
  }

  /** Counts a movement for what it is now, in place of what it was. */
  weigh(movement: Movement, { weigh }: Pick<Guard, "weigh">): void {
    const { id, state } = movement;
    this.#sum = this.#sum.subtract(this.#weights.get(id) ?? Decimal.zero);
    this.#weights.delete(id);
    this.#prepared.delete(id);
    if (!this.#counts(movement)) return;
    const weight = weigh(movement);
    this.#sum = this.#sum.add(weight);
    this.#weights.set(id, weight);
    if (state === "prepared") this.#prepared.add(id);
  }

  #counts(movement: Movement): boolean {
    const { scope, kind, openedAt, batch } = movement;
    const wanted = this.#filter;
    if (wanted.scopes?.includes(scope) === false) return false;
    if (wanted.kinds?.includes(kind) === false || openedAt < (wanted.since ?? openedAt)) return false;
    if (wanted.batch !== undefined && batch?.id !== wanted.batch) return false;
    return isMeant(movement, this.#filter);
  }
}
