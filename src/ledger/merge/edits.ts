import type { JsonObject } from "../../values/json.ts";
import type { AccountKind } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import type { RowFacts } from "../row-facts.ts";
import { factsOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import type { ChangeNote, Edits, HeldRow, Insertion, Shift } from "../writer.ts";
import type { Alignment } from "./alignment.ts";
import type { DaylessRows } from "./dayless-rows.ts";
import type { Readings } from "./readings.ts";
import { ShiftedBalances } from "./shifted-balances.ts";

/** What is known of a reading before its rows are walked through. */
interface Walk extends Alignment {
  /** The place of each incoming row from now on. */
  readonly places: readonly number[];
  readonly dayless: DaylessRows;
  readonly gone: ReadonlySet<HeldRow>;
}

/** What has to be edited where a reading differs from the held rows. */
export function editsOf(readings: Readings, walk: Walk): Edits {
  return new EditWalk(readings, walk).collect();
}

/** Walks through held and incoming rows in their order, oldest first. */
class EditWalk {
  readonly #readings: Readings;
  readonly #walk: Walk;
  readonly #pairs: Pairs;
  readonly #insertions: Insertion[] = [];
  readonly #shifts: Shift[] = [];
  readonly #moves: Edits["moves"][number][] = [];
  readonly #changes: ChangeNote[] = [];
  readonly #balances = new ShiftedBalances();
  /** The index of the next held row. */
  #nextHeld = 0;

  constructor(readings: Readings, walk: Walk) {
    this.#readings = readings;
    this.#walk = walk;
    const fresh = readings.incoming.filter((_, index) => walk.matches[index] === -1);
    this.#pairs = pairsOf(walk.gone, fresh, readings.kind);
  }

  collect(): Edits {
    const { held, incoming, bounds } = this.#readings;
    const { matches, fixed, places } = this.#walk;
    const lastKnown = lastFixedIndex(fixed, bounds);
    for (const [index, row] of incoming.entries()) {
      const match = matches[index] ?? -1;
      const [known, place] = [held[match], places[index] ?? 0];
      if (known === undefined) {
        this.#insertions.push({ place, row });
        this.#noteNew(row, index < lastKnown);
        continue;
      }
      if (fixed.has(index)) this.#passTo(match);
      else this.#moves.push({ number: known.number, place });
      this.#noteKnown(known, row);
    }
    this.#passTo(held.length);
    return {
      insertions: this.#insertions,
      shifts: this.#shifts,
      moves: this.#moves,
      gone: [...this.#walk.gone].map(({ number }) => number),
      changes: this.#changes,
    };
  }

  /** Passes the held rows before this index; those among them that are gone no longer count in later balances. */
  #passTo(end: number): void {
    for (const row of this.#readings.held.slice(this.#nextHeld, end)) {
      if (!this.#walk.gone.has(row)) continue;
      const facts = this.#factsOfGone(row);
      this.#balances.take(facts.change, -1);
      if (!this.#pairs.old.has(row)) this.#changes.push(noteOf("vanished", facts, decodeRow(row.raw), null));
    }
    this.#nextHeld = Math.max(this.#nextHeld, end);
  }

  #noteNew(row: JsonObject, isBeforeKnown: boolean): void {
    const facts = factsOf(row, this.#readings.kind);
    this.#balances.take(facts.change, 1);
    const old = this.#pairs.oldOf.get(row);
    if (old !== undefined) this.#changes.push(noteOf("changed", this.#factsOfGone(old), decodeRow(old.raw), row));
    else if (isLate(facts, isBeforeKnown, this.#readings)) this.#changes.push(noteOf("late", facts, null, row));
  }

  #noteKnown(known: HeldRow, row: JsonObject): void {
    const { kind } = this.#readings;
    const facts = factsOf(row, kind);
    if (encodeRow(row) === known.raw) {
      if (!this.#balances.explain(facts.balance, facts.balance)) this.#changes.push(noteOf("changed", facts, row, row));
      return;
    }
    const old = decodeRow(known.raw);
    const before = factsOf(old, kind);
    this.#shifts.push({ number: known.number, old, row });
    if (!this.#balances.explain(before.balance, facts.balance)) this.#changes.push(noteOf("changed", before, old, row));
  }

  #factsOfGone(row: HeldRow): RowFacts {
    const facts = factsOf(decodeRow(row.raw), this.#readings.kind);
    return facts.day === "" ? { ...facts, day: this.#walk.dayless.dayOf(row) } : facts;
  }
}

/** Deleted rows, and the new rows that replace them. */
interface Pairs {
  readonly oldOf: ReadonlyMap<JsonObject, HeldRow>;
  readonly old: ReadonlySet<HeldRow>;
}

/** Pairs deleted rows with new rows of the same reference: these rows have changed. */
function pairsOf(gone: Iterable<HeldRow>, fresh: readonly JsonObject[], kind: AccountKind): Pairs {
  const byReference = new Map<string, HeldRow[]>();
  for (const row of gone) {
    const { reference } = factsOf(decodeRow(row.raw), kind);
    if (reference === "") continue;
    const same = byReference.get(reference);
    if (same === undefined) byReference.set(reference, [row]);
    else same.push(row);
  }
  const oldOf = new Map<JsonObject, HeldRow>();
  for (const row of fresh) {
    const old = byReference.get(factsOf(row, kind).reference)?.shift();
    if (old !== undefined) oldOf.set(row, old);
  }
  return { oldOf, old: new Set(oldOf.values()) };
}

/** The last index that a known row follows. */
function lastFixedIndex(fixed: ReadonlySet<number>, { after }: Bounds): number {
  return after === undefined ? Math.max(-1, ...fixed) : Number.POSITIVE_INFINITY;
}

/** A new row of days that were read before is late, unless it comes after all known rows on the last day. */
function isLate({ day }: RowFacts, isBeforeKnown: boolean, { read }: Readings): boolean {
  if (read === null || (day !== "" && day < read.firstDay)) return false;
  return isBeforeKnown || (day !== "" && day < read.lastDay);
}

function noteOf(
  kind: ChangeNote["kind"],
  { reference, day }: RowFacts,
  old: JsonObject | null,
  row: JsonObject | null,
): ChangeNote {
  return { kind, reference, day, old, new: row };
}
