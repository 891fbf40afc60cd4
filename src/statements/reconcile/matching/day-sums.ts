import type { RowStore } from "../rows/row-store.ts";
import { noDay } from "../rows/row-store.ts";
import { joinEntries, joinRows } from "./parts.ts";
import type { RowStores } from "./sides.ts";
import { sumOf } from "./sides.ts";

/** All that is left of one day and one direction on one side. */
interface DaySum {
  readonly day: number;
  readonly rows: readonly number[];
  readonly sum: number;
}

/**
 * Matches all that is left of a day on one side, its credits or its debits, with the one row of the other side that is
 * their sum: on a day within the window, where nothing else could be it. Entries with references of their own are at
 * most probable parts of a row that names none of them, so they wait until rows of equal amounts are paired.
 */
export function matchDaySums(sides: RowStores, verdict: "matched" | "probable"): number {
  const { statement, book } = sides;
  const [rows, entries] = [leftOf(statement), leftOf(book)];
  if (rows.length === 0 || entries.length === 0) return 0;
  const found = findSums(sides, { side: statement, rows }, { side: book, rows: entries }, (day, entry) =>
    joinRows(sides, day, entry, verdict),
  );
  const stillRows = rows.filter((row) => statement.isOpen(row));
  const stillEntries = entries.filter((entry) => book.isOpen(entry));
  const isProof = (day: readonly number[]) => day.every((entry) => book.referenceOf(entry) === 0);
  return (
    found +
    findSums(
      sides,
      { side: book, rows: stillEntries },
      { side: statement, rows: stillRows },
      (day, row) => joinEntries(sides, row, day, verdict),
      (day) => verdict === "probable" || isProof(day),
    )
  );
}

interface Left {
  readonly side: RowStore;
  readonly rows: readonly number[];
}

/** Joins days of one side with the single row of the other that is their sum. @returns how many */
function findSums(
  sides: RowStores,
  several: Left,
  ones: Left,
  join: (rows: readonly number[], one: number) => void,
  isMeant: (rows: readonly number[]) => boolean = () => true,
): number {
  const sums = daySums(sides, several);
  if (sums.length === 0) return 0;
  const bySum = Map.groupBy(sums, ({ sum }) => sum);
  const singles = Map.groupBy(several.rows, (row) => several.side.amountOf(row));
  const rivals = Map.groupBy(
    ones.rows.filter((one) => bySum.has(ones.side.amountOf(one))),
    (one) => ones.side.amountOf(one),
  );
  const near = (one: number, day: number) => Math.abs(ones.side.dayOf(one) - day) <= sides.span.windowDays;
  let count = 0;
  for (const [sum, days] of bySum) {
    for (const { day, rows } of days) {
      const [one, other] = (rivals.get(sum) ?? []).filter((row) => near(row, day));
      if (one === undefined || other !== undefined) continue;
      const isOnlyDay = days.every((rival) => rival.day === day || !near(one, rival.day));
      const isNoSingle = !(singles.get(sum) ?? []).some((row) => near(one, several.side.dayOf(row)));
      if (!isOnlyDay || !isNoSingle || !isMeant(rows) || !ones.side.isOpen(one)) continue;
      join(rows, one);
      count += 1;
    }
  }
  return count;
}

/** By day and direction, where there are two rows or more. */
function daySums(sides: RowStores, { side, rows }: Left): DaySum[] {
  const { codes } = sides;
  const groups = Map.groupBy(rows, (row) => side.dayOf(row) * 2 + (codes.compare(side.amountOf(row), 0) < 0 ? 1 : 0));
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({ day: side.dayOf(group[0] ?? 0), rows: group, sum: sumOf(sides, side, group) }));
}

/**
 * Open rows that could be a part: not a fee, not zero, with a day, not far from the period, and certainly of this
 * account.
 */
function leftOf(side: RowStore): number[] {
  return [...side.openRows()].filter(
    (row) =>
      !side.isFee(row) &&
      side.hasAmount(row) &&
      side.amountOf(row) !== 0 &&
      side.dayOf(row) !== noDay &&
      !side.isFar(row) &&
      !side.isPerhaps(row),
  );
}
