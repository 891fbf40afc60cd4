import type { Decimal } from "../../values/money/decimal.ts";
import type { ReadRow, ExportRow } from "./packed-rows.ts";

/** Marks an exported row that was not read again. */
const notRead = -1;

/** A row in the order in which the balances follow each other. */
export interface ChainStep {
  readonly row: ExportRow;
  /** Its index among the exported rows; undefined for a new one. */
  readonly known: number | undefined;
}

/** Two rows between which something is missing, or a row and a balance that the service gave. */
export interface BalanceGap {
  /** Undefined where the balance is that of a run without rows. */
  readonly after: ChainStep | undefined;
  /** Undefined where the balance is the current one. */
  readonly before: ChainStep | undefined;
  /** The balance after the row before the gap, and the balance before the row after it. */
  readonly left: Decimal;
  readonly found: Decimal;
}

/**
 * The rows oldest first. Spec is silent on their order: the one in which more balances follow from the one before is
 * believed. If they are equal, the dates decide.
 * @returns indexes of `rows`
 */
export function oldestFirstIndexes(rows: readonly ReadRow[]): number[] {
  const places = [...rows.keys()];
  let [forward, backward] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (next === undefined || row.balance === undefined || next.balance === undefined) continue;
    if (opening(next)?.equals(row.balance) === true) forward += 1;
    if (opening(row)?.equals(next.balance) === true) backward += 1;
  }
  const isNewestFirst = forward === backward ? (rows[0]?.at ?? "") > (rows.at(-1)?.at ?? "") : backward > forward;
  return isNewestFirst ? places.toReversed() : places;
}

/**
 * The exported rows and those that were read, as one sequence: a row that was not read stays after the row before it.
 */
export function sequenceOf(
  known: readonly ExportRow[],
  read: readonly ReadRow[],
  matches: readonly (number | undefined)[],
): ChainStep[] {
  const places = oldestFirstIndexes(read);
  const readAs = new Int32Array(known.length).fill(notRead);
  for (const [index, place] of matches.entries()) if (place !== undefined) readAs[place] = index;
  const following = new Map<number, ChainStep[]>();
  let last = notRead;
  for (const [place, row] of known.entries()) {
    const index = readAs[place] ?? notRead;
    if (index !== notRead) last = index;
    else {
      const step = { row, known: place };
      const others = following.get(last);
      if (others === undefined) following.set(last, [step]);
      else others.push(step);
    }
  }
  const steps = [...(following.get(notRead) ?? [])];
  for (const index of places) {
    const row = read[index];
    if (row === undefined) continue;
    steps.push({ row, known: matches[index] });
    for (const step of following.get(index) ?? []) steps.push(step);
  }
  return steps;
}

/** Where a balance does not follow from the one before, and the balance after all rows. */
export function followBalances(steps: Iterable<ChainStep>): { gaps: BalanceGap[]; closing: Decimal | undefined } {
  const gaps: BalanceGap[] = [];
  let closing: Decimal | undefined;
  let after: ChainStep | undefined;
  for (const before of steps) {
    const { balance, change } = before.row;
    const found = opening(before.row);
    if (after !== undefined && closing !== undefined && found !== undefined && !found.equals(closing))
      gaps.push({ after, before, left: closing, found });
    // Where the service names no balance, it follows from the amount.
    closing = balance ?? (change && closing?.add(change));
    after = before;
  }
  return { gaps, closing };
}

/** The balance before a row; undefined where the service does not say enough. */
export function opening({ balance, change }: Pick<ExportRow, "balance" | "change">): Decimal | undefined {
  return change && balance?.subtract(change);
}
