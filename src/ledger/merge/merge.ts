import type { JsonObject } from "../../values/json.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import type { AccountKind } from "../ledger.ts";
import type { Bounds } from "../places.ts";
import { isWithin } from "../places.ts";
import type { RowFacts } from "../row-facts.ts";
import { endsOf, factsOf, identityOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import type { ChangeNote, Edits, HeldRow, Insertion, Shift } from "../writer.ts";
import { staying } from "./alignment.ts";
import { DaylessRows } from "./dayless-rows.ts";
import { placesBeside } from "./places-beside.ts";
import { ShiftedBalances } from "./shifted-balances.ts";

/** A reading next to what the ledger holds of the same days. */
export interface Readings {
  readonly kind: AccountKind;
  /** In order. */
  readonly held: readonly HeldRow[];
  /** Oldest first, with the place in `held` of the row that each is; -1 for a new one. */
  readonly incoming: readonly JsonObject[];
  readonly matches: readonly number[];
  /** The days that were asked for, both included. */
  readonly startDay: string;
  readonly endDay: string;
  /** The sync has read every day from this one up to `startDay`. */
  readonly since: string;
  /** The places of rows without a value date that the sync has read on those days. */
  readonly shown: ReadonlySet<number>;
  /** What the account holds after the last row; undefined where that is not known. */
  readonly live: Decimal | undefined;
  /** The days that were read whole before; null where none were. */
  readonly read: { readonly firstDay: string; readonly lastDay: string } | null;
  /** The places of the rows of other days next to those held. */
  readonly bounds: Bounds;
  /** The rows at the bounds. */
  readonly before: HeldRow | undefined;
  readonly after: HeldRow | undefined;
  /** Places within the bounds that are occupied, also by deleted rows. */
  readonly taken: ReadonlySet<number>;
}

/** What a reading changes. */
export interface Merged extends Edits {
  /** The place of each row of the reading from now on. */
  readonly places: readonly number[];
}

/**
 * Compares a reading with the held rows: which rows are new, late, changed, gone, or have another balance because of
 * those.
 * @returns undefined where there is no room between two places: the rows have to be spread first
 */
export function mergeRows(readings: Readings): Merged | undefined {
  const { kind, held, incoming, bounds } = readings;
  const matches = readings.matches.map((place, index) => (isSame(held[place], incoming[index], kind) ? place : -1));
  const matched = matches.flatMap((place, index) => (place < 0 ? [] : [index]));
  const stay = staying(matched.map((index) => matches[index] ?? -1));
  const known = (index: number) => held[matches[index] ?? -1];
  const fixed = new Set(
    [...stay].map((at) => matched[at] ?? -1).filter((index) => !isStray(readings, index, known(index))),
  );
  const kept = new Set([...fixed].map((index) => known(index)?.number));
  const occupied = new Set([...readings.taken, ...held.flatMap(({ number }) => (kept.has(number) ? [] : [number]))]);
  const came = new Set(matches);
  const places = placesBeside(
    {
      ...readings,
      fixed: incoming.map((_, index) => (fixed.has(index) ? known(index)?.number : undefined)),
      leftOut: held.filter(({ day }, place) => day === "" && !came.has(place)),
    },
    occupied,
  );
  if (places === undefined) return undefined;
  const dayless = new DaylessRows({ kind, held, incoming, matches, bounds, ...edgesOf(readings) });
  const isGone = (row: HeldRow, place: number) =>
    row.day === "" ? !readings.shown.has(row.number) && dayless.isGone(place) : isAsked(row, readings);
  const gone = held.filter((row, place) => !came.has(place) && isGone(row, place));
  const pairs = pairsOf(
    gone,
    incoming.filter((_, index) => matches[index] === -1),
    kind,
  );
  const [insertions, shifts, moves, changes]: [Insertion[], Shift[], Edits["moves"][number][], ChangeNote[]] = [
    [],
    [],
    [],
    [],
  ];
  const isGoneNow = new Set(gone);
  const balances = new ShiftedBalances();
  const goneFacts = (row: HeldRow) => {
    const facts = factsOf(decodeRow(row.raw), kind);
    return facts.day === "" ? { ...facts, day: dayless.dayOf(row) } : facts;
  };
  let lastFixed = -1;
  const isBehindAll = lastFixedIndex(fixed, bounds);
  const dropUpTo = (end: number) => {
    for (const row of held.slice(lastFixed + 1, end)) {
      if (!isGoneNow.has(row)) continue;
      const facts = goneFacts(row);
      balances.take(facts.change, -1);
      if (!pairs.old.has(row)) changes.push(noteOf("vanished", facts, decodeRow(row.raw), null));
    }
    lastFixed = Math.max(lastFixed, end);
  };
  for (const [index, row] of incoming.entries()) {
    const place = matches[index] ?? -1;
    const own = held[place];
    const target = places[index] ?? 0;
    if (own === undefined) {
      insertions.push({ place: target, row });
      const facts = factsOf(row, kind);
      const old = pairs.oldOf.get(row);
      balances.take(facts.change, 1);
      if (old !== undefined) changes.push(noteOf("changed", goneFacts(old), decodeRow(old.raw), row));
      else if (isLate(facts, index < isBehindAll, readings)) changes.push(noteOf("late", facts, null, row));
      continue;
    }
    if (fixed.has(index)) dropUpTo(place);
    else moves.push({ number: own.number, place: target });
    const raw = encodeRow(row);
    const old = raw === own.raw ? row : decodeRow(own.raw);
    const facts = factsOf(row, kind);
    const was = old === row ? facts : factsOf(old, kind);
    if (old !== row) shifts.push({ number: own.number, old, row });
    if (!balances.explain(was.balance, facts.balance)) changes.push(noteOf("changed", was, old, row));
  }
  dropUpTo(held.length);
  return { places, insertions, shifts, moves, gone: gone.map(({ number }) => number), changes };
}

/** Two texts can share a hash. */
function isSame(held: HeldRow | undefined, row: JsonObject | undefined, kind: AccountKind): boolean {
  if (held === undefined || row === undefined) return false;
  return held.raw === encodeRow(row) || identityOf(decodeRow(held.raw), kind) === identityOf(row, kind);
}

function isAsked({ day }: HeldRow, { startDay, endDay }: Readings): boolean {
  return day >= startDay && day <= endDay;
}

/**
 * True where a row without a value date stands among rows of other days, and the balances follow where the reading
 * shows it.
 */
function isStray(readings: Readings, index: number, own: HeldRow | undefined): boolean {
  const { kind, incoming, bounds, before, after, live } = readings;
  if (own?.day !== "" || isWithin(bounds, own.number)) return false;
  const { opening, closing } = endsOf(incoming[index], kind);
  const left = incoming[index - 1] ?? (before && decodeRow(before.raw));
  const right = incoming[index + 1] ?? (after && decodeRow(after.raw));
  const next = right === undefined ? live : endsOf(right, kind).opening;
  return isSameAmount(endsOf(left, kind).closing, opening) && isSameAmount(closing, next);
}

function isSameAmount(one: Decimal | undefined, other: Decimal | undefined): boolean {
  return one !== undefined && other !== undefined && one.equals(other);
}

/** What the account held before the rows of these days, and after them, where the sync has read all of that. */
function edgesOf({ kind, held, before, bounds, since, live, read, endDay }: Readings) {
  const first = before ?? held[0];
  const isRead = since <= (before?.day ?? read?.firstDay ?? "");
  const ends = endsOf(isRead && first ? decodeRow(first.raw) : undefined, kind);
  return {
    opening: before === undefined ? ends.opening : ends.closing,
    closing: live,
    isEnd: bounds.after === undefined && read !== null && endDay >= read.lastDay,
  };
}

/** Pairs deleted rows with new rows of the same reference: these rows have changed. */
function pairsOf(gone: readonly HeldRow[], fresh: readonly JsonObject[], kind: AccountKind) {
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
