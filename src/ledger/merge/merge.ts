import type { Decimal } from "../../values/money/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import type { AccountKind } from "../ledger.ts";
import { isWithin } from "../places.ts";
import { endsOf, identityOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import type { Edits, HeldRow } from "../writer.ts";
import type { Alignment } from "./alignment.ts";
import { staying } from "./alignment.ts";
import { DaylessRows } from "./dayless-rows.ts";
import { editsOf } from "./edits.ts";
import { placesBeside } from "./places-beside.ts";
import type { Readings } from "./readings.ts";

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
  const alignment = alignmentOf(readings);
  const places = placesFor(readings, alignment);
  if (places === undefined) return undefined;
  const { matches } = alignment;
  const dayless = new DaylessRows({ ...readings, matches, ...edgesOf(readings) });
  const gone = goneRows(readings, matches, dayless);
  return { places, ...editsOf(readings, { ...alignment, places, dayless, gone }) };
}

/** Which held row each incoming row is, and which of them keep their places. */
function alignmentOf(readings: Readings): Alignment {
  const { held, incoming, kind } = readings;
  const matches = readings.matches.map((place, index) => (isSame(held[place], incoming[index], kind) ? place : -1));
  const matched = matches.flatMap((place, index) => (place < 0 ? [] : [index]));
  const stay = [...staying(matched.map((index) => matches[index] ?? -1))].map((at) => matched[at] ?? -1);
  return { matches, fixed: new Set(stay.filter((index) => !isStray(readings, index, held[matches[index] ?? -1]))) };
}

/** @returns the place of each incoming row; undefined where there is no room */
function placesFor(readings: Readings, { matches, fixed }: Alignment): readonly number[] | undefined {
  const { held, incoming } = readings;
  const placeOf = (index: number) => (fixed.has(index) ? held[matches[index] ?? -1]?.number : undefined);
  const kept = new Set([...fixed].map((index) => placeOf(index)));
  const occupied = new Set([...readings.taken, ...held.flatMap(({ number }) => (kept.has(number) ? [] : [number]))]);
  const came = new Set(matches);
  return placesBeside(
    {
      ...readings,
      fixed: incoming.map((_, index) => placeOf(index)),
      leftOut: held.filter(({ day }, place) => day === "" && !came.has(place)),
    },
    occupied,
  );
}

/** Held rows that the reading would show if the service still had them. */
function goneRows(
  { held, shown, startDay, endDay }: Readings,
  matches: readonly number[],
  dayless: DaylessRows,
): ReadonlySet<HeldRow> {
  const came = new Set(matches);
  const isGone = ({ day, number }: HeldRow, place: number) =>
    day === "" ? !shown.has(number) && dayless.isGone(place) : day >= startDay && day <= endDay;
  return new Set(held.filter((row, place) => !came.has(place) && isGone(row, place)));
}

/** Two texts can share a hash. */
function isSame(held: HeldRow | undefined, row: JsonObject | undefined, kind: AccountKind): boolean {
  if (held === undefined || row === undefined) return false;
  return held.raw === encodeRow(row) || identityOf(decodeRow(held.raw), kind) === identityOf(row, kind);
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
