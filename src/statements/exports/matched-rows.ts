import type { Decimal } from "../../values/money/decimal.ts";
import type { ExportedRow, StatementRow } from "./export-state.ts";

/** A row as the service gives it now. */
export interface ReadRow extends StatementRow {
  /** Its value date as the service writes it. */
  readonly at: string;
}

/**
 * Which exported row each row is: its line in the file, its day and its balance agree. Where no balance does, the line
 * and the day decide, because the service may have worked out balances anew; where no day is remembered, the line. Rows
 * that are alike are matched as often as they were exported.
 * @returns by the place of the row, the place of the exported one; undefined for a new row
 */
export function matchRows(known: readonly ExportedRow[], read: readonly ReadRow[]): readonly (number | undefined)[] {
  const matches: (number | undefined)[] = Array.from({ length: read.length }, () => undefined);
  const taken = new Set<number>();
  let left = read.length;
  for (const [keyOf, readKeyOf] of passes) {
    if (left === 0 || taken.size === known.length) break;
    const places = new Map<string, number[]>();
    for (const [place, row] of known.entries()) {
      const key = taken.has(place) ? undefined : keyOf(row);
      const same = key === undefined ? undefined : places.get(key);
      if (same !== undefined) same.push(place);
      else if (key !== undefined) places.set(key, [place]);
    }
    for (const same of places.values()) same.reverse();
    for (const [index, row] of read.entries()) {
      if (matches[index] !== undefined) continue;
      const key = readKeyOf(row);
      const place = key === undefined ? undefined : places.get(key)?.pop();
      if (place === undefined) continue;
      matches[index] = place;
      taken.add(place);
      left -= 1;
    }
  }
  return matches;
}

type KeyOf = (row: StatementRow) => string | undefined;

/** The same text for rows that agree in all that is remembered of them. */
export function wholeKey({ day, line, balance }: StatementRow): string {
  return `${day}\n${balance === undefined ? "" : amountKey(balance)}\n${line}`;
}

const dayKey: KeyOf = ({ day, line }) => `${day}\n${line}`;
const lineKey: KeyOf = ({ line }) => line;
/** Rows without a day may be any of their line. */
const dayless: KeyOf = ({ day, line }) => (day === "" ? line : undefined);

/** How exported rows are told apart, and how those that were read are. */
const passes: readonly (readonly [KeyOf, KeyOf])[] = [
  [wholeKey, wholeKey],
  [dayKey, dayKey],
  [dayless, lineKey],
  [lineKey, dayless],
];

/** The same text for 5, 5.0 and 5.00. */
export function amountKey(amount: Decimal): string {
  const text = amount.toString();
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
