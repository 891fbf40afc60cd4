import type { JsonObject } from "../../values/json.ts";
import type { AccountKind } from "../ledger.ts";
import { factsOf, identityOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import type { HeldRow } from "../writer.ts";

/** A reading beside what is held of its days, as far as rows without a value date depend on it. */
interface Reading {
  readonly kind: AccountKind;
  /** In their order, with every row that has no value date. */
  readonly held: readonly HeldRow[];
  /** Oldest first. */
  readonly incoming: readonly JsonObject[];
  /** For each incoming row the place of its held one; -1 for a new row. */
  readonly matches: readonly number[];
  /** True where no row is behind those held. */
  readonly isEnd: boolean;
}

/**
 * Held rows without a value date, which the service may show in any period: a reading that leaves one out says nothing
 * of it, unless the same row comes with a value date, or its neighbours follow from each other without it.
 */
export class DaylessRows {
  readonly #reading: Reading;
  /** By the place of a held row. */
  readonly #indexes: ReadonlyMap<number, number>;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#indexes = new Map(reading.matches.flatMap((place, index) => (place < 0 ? [] : [[place, index] as const])));
  }

  /** Whether the reading shows that the row at this place is gone. */
  isGone(place: number): boolean {
    const { kind, held, incoming, isEnd } = this.#reading;
    const row = decodeRow(held[place]?.raw ?? "{}");
    if (this.#isReplaced(row)) return true;
    if ((factsOf(row, kind).change?.sign ?? 0) === 0) return false;
    const from = this.#neighbour(place, -1);
    const to = this.#neighbour(place, 1) ?? (isEnd ? incoming.length - 1 : undefined);
    return from !== undefined && to !== undefined && from < to && this.#follows(from, to);
  }

  /** The day that the row at this place counted for: that of the row before it; empty where none has one. */
  dayOf(place: number): string {
    const { held } = this.#reading;
    return held.slice(0, place + 1).findLast(({ day }) => day !== "")?.day ?? "";
  }

  #isReplaced(row: JsonObject): boolean {
    const { kind, incoming, matches } = this.#reading;
    const own = undated(row, kind);
    return incoming.some((other, index) => matches[index] === -1 && undated(other, kind) === own);
  }

  /** The incoming row that is the nearest held one with a value date. */
  #neighbour(place: number, step: -1 | 1): number | undefined {
    const { held } = this.#reading;
    for (let at = place + step; at >= 0 && at < held.length; at += step) {
      const index = this.#indexes.get(at);
      if (index !== undefined && held[at]?.day !== "") return index;
    }
    return undefined;
  }

  /** Whether the balances of incoming rows follow from each other. */
  #follows(from: number, to: number): boolean {
    const { kind, incoming } = this.#reading;
    const [first, ...others] = incoming.slice(from, to + 1).map((row) => factsOf(row, kind));
    let balance = first?.balance;
    for (const { change, balance: next } of others) {
      if (balance === undefined || change === undefined || next?.equals(balance.add(change)) !== true) return false;
      balance = next;
    }
    return true;
  }
}

/** What tells the row from others, its value date apart. */
function undated(row: JsonObject, kind: AccountKind): string {
  return identityOf({ ...row, valueDate: null }, kind);
}
