import { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import type { AccountKind } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { isWithin } from "../places.ts";
import { identityWithoutPeople, isRedacted } from "../redacted-row.ts";
import type { RowFacts } from "../row-facts.ts";
import { factsOf, identityOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import type { HeldRow } from "../writer.ts";

/** A reading next to the held rows of its days: what decides about rows without a value date. */
interface Reading {
  readonly kind: AccountKind;
  /** In order, with every held row that has no value date. */
  readonly held: readonly HeldRow[];
  /** Oldest first. */
  readonly incoming: readonly JsonObject[];
  /** For each incoming row the place of its held one; -1 for a new row. */
  readonly matches: readonly number[];
  /** What the account held before the rows of these days, and after them; undefined where that is not known. */
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  /** The places of the rows of other days next to those held. */
  readonly bounds: Bounds;
  /** True where no later row was read before. */
  readonly isEnd: boolean;
}

/** A held row without a value date that the reading leaves out. */
interface LeftOut {
  readonly place: number;
  /** All but value date and balances, and of a redacted row all but personal data. */
  readonly identity: string;
  /** True where personal data was replaced, by the value date that it had then. */
  readonly isBare: boolean;
  readonly facts: RowFacts;
}

/**
 * Indexes of the incoming rows that match the nearest held rows with a value date, before and after. The index before
 * the first incoming row means the opening balance, the one after the last the closing balance.
 */
interface Neighbours {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/**
 * Decides which held rows without a value date are gone. The service may show such a row in any period, so a reading
 * that leaves it out proves nothing, unless the balances of its neighbours follow without it, or the same row comes
 * with a value date. Where the balances between its neighbours lack its amount, it is still there.
 */
export class DaylessRows {
  readonly #reading: Reading;
  /** The facts of incoming rows, filled as needed. */
  readonly #facts = new Map<number, RowFacts>();
  readonly #gone: ReadonlySet<number>;
  #days: ReadonlyMap<HeldRow, string> | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#gone = new Set(this.#findGone());
  }

  /** Whether the reading shows that the row at this place is gone. */
  isGone(place: number): boolean {
    return this.#gone.has(place);
  }

  /**
   * The day that a row without a value date counted for: that of the row before it; empty where none before it has one.
   */
  dayOf(row: HeldRow): string {
    this.#days ??= daysBefore(this.#reading.held);
    return this.#days.get(row) ?? "";
  }

  /** The places of the rows that are gone. */
  *#findGone(): Generator<number> {
    const { kind, held, matches } = this.#reading;
    const came = new Set(matches);
    const leftOut = held.flatMap(({ day, raw }, place) => {
      if (day !== "" || came.has(place)) return [];
      const row = decodeRow(raw);
      const isBare = isRedacted(row);
      return [{ place, identity: undated(row, kind, isBare), isBare, facts: factsOf(row, kind) }];
    });
    if (leftOut.length === 0) return;
    const fresh = this.#freshRows(leftOut);
    const neighbours = this.#neighbours();
    const between = ({ place }: LeftOut) => `${neighbours[place]?.from} ${neighbours[place]?.to}`;
    for (const together of Map.groupBy(leftOut, between).values()) {
      const lack = this.#lackOf(together, neighbours[together[0]?.place ?? 0]);
      const isShown = ({ identity }: LeftOut) => (fresh.get(identity) ?? []).length > 0;
      // Rows that came nowhere else explain a missing amount first: equal ones alone, or with the others that are left.
      let rest = lack;
      const hidden = together.filter((row) => !isShown(row));
      let others = sumOf(hidden);
      for (const equal of equalRows(hidden)) {
        others = others.subtract(sumOf(equal));
        const gone = goneCount(equal, lack) ?? goneCount(equal, lack?.subtract(others)) ?? 0;
        others = others.add(sumOf(equal.slice(gone)));
        rest = rest?.subtract(sumOf(equal.slice(gone)));
        for (const { place } of equal.slice(0, gone)) yield place;
      }
      for (const equal of equalRows(together.filter(isShown))) {
        const shown = fresh.get(equal[0]?.identity ?? "") ?? [];
        const count = goneCount(equal, rest) ?? Math.min(shown.length, equal.length);
        const balances = new Set(shown.splice(0, count).map((row) => factsOf(row, kind).balance?.toString()));
        const isFirst = ({ facts }: LeftOut) => balances.has(facts.balance?.toString());
        const order = [...equal.filter(isFirst), ...equal.filter((row) => !isFirst(row))];
        for (const { place } of order.slice(0, count)) yield place;
      }
    }
  }

  /** New rows by what they share with those that are left out. */
  #freshRows(leftOut: readonly LeftOut[]): ReadonlyMap<string, JsonObject[]> {
    const { kind, incoming, matches } = this.#reading;
    const bare = new Set(leftOut.flatMap(({ identity, isBare }) => (isBare ? identity : [])));
    return Map.groupBy(
      incoming.filter((_, index) => matches[index] === -1),
      (row) => {
        const without = bare.size === 0 ? "" : undated(row, kind, true);
        return bare.has(without) ? without : undated(row, kind, false);
      },
    );
  }

  /** By the places of held rows. */
  #neighbours(): readonly Neighbours[] {
    const { held, incoming, matches, bounds, closing, isEnd } = this.#reading;
    const end = closing === undefined ? incoming.length - 1 : incoming.length;
    const indexes = new Map(matches.map((place, index) => [place, index]));
    const dated = held.map(({ day }, place) => (day === "" ? undefined : indexes.get(place)));
    const from: (number | undefined)[] = [];
    for (const [place, { number }] of held.entries())
      from.push(dated[place - 1] ?? from[place - 1] ?? (isWithin(bounds, number) ? -1 : undefined));
    const to: (number | undefined)[] = [];
    for (let place = held.length - 1; place >= 0; place -= 1)
      to[place] = dated[place + 1] ?? to[place + 1] ?? (isEnd ? end : undefined);
    return from.map((index, place) => ({ from: index, to: to[place] }));
  }

  /**
   * The amount that the balances between neighbours lack; undefined where the balances are not known, or where the rows
   * left out between them add up to zero.
   */
  #lackOf(leftOut: readonly LeftOut[], neighbours: Neighbours | undefined): Decimal | undefined {
    const { from, to } = neighbours ?? {};
    if (from === undefined || to === undefined || from >= to) return undefined;
    let [balance, lack, follows] = [this.#factsAt(from).balance, Decimal.zero, true];
    for (let index = from + 1; index <= to; index += 1) {
      const { change, balance: next } = this.#factsAt(index);
      if (balance === undefined || change === undefined || next === undefined) return undefined;
      const step = next.subtract(balance.add(change));
      [balance, lack, follows] = [next, lack.add(step), follows && step.isZero];
    }
    return lack.isZero && (!follows || sumOf(leftOut).isZero) ? undefined : lack;
  }

  #factsAt(index: number): Pick<RowFacts, "change" | "balance"> {
    const { kind, incoming, opening, closing } = this.#reading;
    if (index < 0) return { change: undefined, balance: opening };
    if (index >= incoming.length) return { change: Decimal.zero, balance: closing };
    const known = this.#facts.get(index) ?? factsOf(incoming[index] ?? {}, kind);
    this.#facts.set(index, known);
    return known;
  }
}

/**
 * How many of several equal rows are gone, by the amount that the balances around them lack; undefined where that
 * decides nothing.
 */
function goneCount(equal: readonly LeftOut[], lack: Decimal | undefined): number | undefined {
  if (lack === undefined || sumOf(equal).isZero) return undefined;
  return [...equal.keys(), equal.length].findLast((count) => sumOf(equal.slice(count)).equals(lack));
}

/** For each row without a day, the day of the last row before it that has one. */
function daysBefore(held: readonly HeldRow[]): ReadonlyMap<HeldRow, string> {
  const days = new Map<HeldRow, string>();
  let last = "";
  for (const row of held)
    if (row.day === "") days.set(row, last);
    else last = row.day;
  return days;
}

function equalRows(rows: readonly LeftOut[]): Iterable<readonly LeftOut[]> {
  return Map.groupBy(rows, ({ identity }) => identity).values();
}

function sumOf(rows: readonly LeftOut[]): Decimal {
  return rows.reduce((sum, { facts }) => sum.add(facts.change ?? Decimal.zero), Decimal.zero);
}

/** What tells the row from others, its value date apart, and where it is to be bare its personal data. */
function undated(row: JsonObject, kind: AccountKind, isBare: boolean): string {
  const without = { ...row, valueDate: null };
  return isBare ? identityWithoutPeople(without, kind) : identityOf(without, kind);
}
