import type { ReadRow, ExportRow } from "./packed-rows.ts";
import { isElsewhere, writtenDay } from "../../values/time/wall-time.ts";
import { PlacesByKey } from "./places-by-key.ts";

/**
 * Matches each row with the exported one that has its line in the file, its day and its balance. Where no balance
 * agrees, line and day decide, because the service may have recalculated balances; where no day is remembered, the
 * line. Equal rows are matched as often as they were exported.
 * @returns for each row, the index of the exported one; undefined for a new row
 */
export function matchRows(known: readonly ExportRow[], read: readonly ReadRow[]): readonly (number | undefined)[] {
  const matches: (number | undefined)[] = Array.from({ length: read.length }, () => undefined);
  const taken = new Uint8Array(known.length);
  let left = read.length;
  let free = known.length;
  for (const [keyOf, readKeyOf] of passes) {
    if (left === 0 || free === 0) break;
    const places = new PlacesByKey((place) => keyAt(known, place, keyOf));
    // Added last to first, so that the first of equal rows is taken first.
    for (let place = known.length - 1; place >= 0; place--) if (taken[place] === 0) places.add(place);
    for (const [index, row] of read.entries()) {
      if (matches[index] !== undefined) continue;
      const place = places.take(readKeyOf(row));
      if (place === undefined) continue;
      matches[index] = place;
      taken[place] = 1;
      left -= 1;
      free -= 1;
    }
  }
  return matches;
}

function keyAt(rows: readonly ExportRow[], place: number, keyOf: KeyOf): string | undefined {
  const row = rows[place];
  return row && keyOf(row);
}

type KeyOf = (row: ExportRow) => string | undefined;

/** The same text for rows that agree in line, day and balance. */
export function wholeKey({ day, line, balance }: ExportRow): string {
  return `${day}\n${balance === undefined ? "" : balance.trimmed()}\n${line}`;
}

const dayKey: KeyOf = ({ day, line }) => `${day}\n${line}`;
/** An earlier version used the day of a timestamp with a zone as it is written. */
const writtenDayKey = ({ at, line }: ReadRow): string | undefined =>
  isElsewhere(at) ? `${writtenDay(at)}\n${line}` : undefined;
const lineKey: KeyOf = ({ line }) => line;
/** A row without a day may be any row with its line. */
const dayless: KeyOf = ({ day, line }) => (day === "" ? line : undefined);

/** The keys of exported rows and of rows that were read, pass by pass. */
const passes: readonly (readonly [KeyOf, (row: ReadRow) => string | undefined])[] = [
  [wholeKey, wholeKey],
  [dayKey, dayKey],
  [dayKey, writtenDayKey],
  [dayless, lineKey],
  [lineKey, dayless],
];
