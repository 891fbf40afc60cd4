import type { Decimal } from "../../values/money/decimal.ts";
import type { Gap, Step } from "./chain.ts";
import { followBalances, opening, sequenceOf } from "./chain.ts";
import type { ExportedRow, StatementRow } from "./export-state.ts";
import type { ReadRow } from "./matched-rows.ts";
import { matchRows, wholeKey } from "./matched-rows.ts";
import { rearranged } from "./rearranged.ts";

/** What earlier runs have exported. */
export interface Known {
  readonly rows: readonly ExportedRow[];
  /** A balance of the service that did not follow from the first run's last row. */
  readonly balanceNow: Decimal | undefined;
  /** True where breaks among these rows and after them are the service's own: a first run, or one after 0.1.0. */
  readonly isFirst: boolean;
  /** The first day of the first run: what is older and new was never a part of the export. Undefined in that run. */
  readonly startDate: string | undefined;
}

/** A statement as it was read. */
export interface Reading {
  /** In the service's order. */
  readonly rows: readonly ReadRow[];
  /** `YYYY-MM-DD`, both included. */
  readonly startDate: string;
  readonly endDate: string;
  /** The balances that the service gives now, in each of its ways; none where it doesn't, or where later days are left out. */
  readonly balancesNow: readonly Decimal[];
}

/** What is to be done with a reading. */
export type ExportPlan =
  | {
      readonly kind: "append";
      /** In the service's order. */
      readonly newRows: readonly ReadRow[];
      /** All rows as they are to be remembered, the new ones among them. */
      readonly rows: readonly StatementRow[];
      /** Breaks that are the service's own, and that nobody has been told of. */
      readonly breaks: readonly Gap[];
      readonly balanceNow: Decimal | undefined;
      /** Rows from before the first day of the export. */
      readonly leftOut: number;
    }
  /** Exported rows did not come again. */
  | { readonly kind: "changed"; readonly missing: readonly ExportedRow[]; readonly newRows: readonly ReadRow[] }
  | ({ readonly kind: "open" } & OpenPlaces);

/** What keeps a reading from being added. */
export interface OpenPlaces {
  /** Rows are missing between these, in what was read. */
  readonly gaps: readonly Gap[];
  /** New rows that are other rows once more. */
  readonly repeated: readonly StatementRow[];
}

/**
 * Decides from what was exported and what the service says now which rows are to be added. Nothing is added where a
 * balance does not follow from the one before, unless an earlier run has accepted that.
 */
export function planExport(known: Known, reading: Reading): ExportPlan {
  const older = olderRows(known, reading);
  if (older === 0) return planFrom(known, reading);
  const plan = planFrom({ ...known, rows: known.rows.slice(older) }, reading);
  return plan.kind === "append" ? { ...plan, rows: [...known.rows.slice(0, older), ...plan.rows] } : plan;
}

/**
 * How many of the exported rows stand before all that was read, and need no look: all but the last row before the
 * first that may have come. Most of a long export is older than a reading.
 */
function olderRows({ rows }: Known, reading: Reading): number {
  const isTold = (day: string) => day !== "" && day >= reading.startDate;
  if (!reading.rows.every(({ day }) => isTold(day)) || rows[0]?.day === "") return 0;
  const first = rows.findIndex(({ day }) => day === "" || day >= reading.startDate);
  return Math.max(0, (first < 0 ? rows.length : first) - 1);
}

function planFrom(known: Known, reading: Reading): ExportPlan {
  const { read, matches, leftOut } = relevant(known, reading.rows);
  const newRows = read.filter((_, index) => matches[index] === undefined);
  const came = new Set(matches);
  const missing = known.rows.filter(({ day }, place) => isWithin(day, reading) && !came.has(place));
  if (missing.length > 0) return { kind: "changed", missing, newRows };
  const steps = sequenceOf(known.rows, read, matches);
  const { gaps, closing } = followBalances(steps);
  const accepted = acceptedGaps(known, steps);
  const own = gaps.filter((gap) => accepted(gap));
  const open = gaps.filter((gap) => !own.includes(gap));
  const order = open.length === 0 ? steps : rearranged(steps, accepted);
  const end = order === steps ? closing : order && followBalances(order).closing;
  const atEnd = endGap(steps, end ?? closing, reading.balancesNow);
  const isEndKnown = atEnd === undefined || known.isFirst || isUsualGap(known, atEnd.left, reading.balancesNow);
  if (order === undefined || !isEndKnown) {
    const places = [...(order === undefined ? open : []), ...(atEnd === undefined || isEndKnown ? [] : [atEnd])];
    return { kind: "open", ...(repeatedAmong(known, steps, places.length, reading) ?? { gaps: places, repeated: [] }) };
  }
  return {
    kind: "append",
    newRows,
    rows: order.map(({ row }) => row),
    breaks: known.isFirst ? [...own, ...(atEnd === undefined ? [] : [atEnd])] : [],
    balanceNow: atEnd?.found,
    leftOut,
  };
}

/**
 * The same with every row once, where fewer places are open then: money that moved twice would have left another balance.
 * Undefined where repeated rows explain nothing.
 */
function repeatedAmong(
  known: Known,
  steps: readonly Step[],
  openCount: number,
  { balancesNow }: Reading,
): OpenPlaces | undefined {
  const once = onceEach(steps);
  if (once.length === steps.length) return undefined;
  const accepted = acceptedGaps(known, once);
  const { gaps, closing } = followBalances(once);
  const atEnd = endGap(once, closing, balancesNow);
  const isEndKnown = atEnd === undefined || isUsualGap(known, atEnd.left, balancesNow);
  const left = [...gaps.filter((gap) => !accepted(gap)), ...(isEndKnown ? [] : [atEnd])];
  if (left.length >= openCount) return undefined;
  const kept = new Set(once);
  return { gaps: left, repeated: steps.filter((step) => !kept.has(step)).map(({ row }) => row) };
}

/** The rows without the new ones that are another one once more, in line, day and balance. */
function onceEach(steps: readonly Step[]): Step[] {
  const seen = new Set(steps.filter((step) => step.known !== undefined).map(({ row }) => wholeKey(row)));
  return steps.filter(({ row, known }) => {
    if (known !== undefined || row.balance === undefined) return true;
    const key = wholeKey(row);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The rows without those that are new and older than the export. */
function relevant({ rows, startDate = "" }: Known, all: readonly ReadRow[]) {
  const matches = matchRows(rows, all);
  const places = [...all.keys()].filter((index) => {
    const day = all[index]?.day ?? "";
    return matches[index] !== undefined || day === "" || day >= startDate;
  });
  return {
    read: places.flatMap((index) => all[index] ?? []),
    matches: places.map((index) => matches[index]),
    leftOut: all.length - places.length,
  };
}

/** Rows without a day come in whatever period the service puts them. */
function isWithin(day: string, { startDate, endDate }: Reading): boolean {
  return day !== "" && day >= startDate && day <= endDate;
}

/** Tells the breaks of which earlier runs have known: they are remembered as rows that do not follow each other. */
function acceptedGaps(known: Known, steps: readonly Step[]): (gap: Gap) => boolean {
  if (known.isFirst) {
    if (known.rows.length === 0) return () => true;
    // Which of them followed each other 0.1.0 does not say.
    return ({ after, before }) => after.known !== undefined && before?.known !== undefined;
  }
  const places = new Map(steps.map((step, place) => [step, place]));
  return ({ after, before, found }) => {
    const from = knownAt(steps, places.get(after) ?? 0, -1);
    const to = before && knownAt(steps, places.get(before) ?? 0, 1);
    if (from === undefined) return false;
    const isAfterAll = from === known.rows.length - 1 && to === undefined;
    if (isAfterAll) return known.balanceNow?.equals(found) === true;
    return to === from + 1 && isBreak(known.rows[from], known.rows[to]);
  };
}

/** The place of the nearest exported row, from one of the steps in a direction. */
function knownAt(steps: readonly Step[], from: number, direction: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < steps.length; at += direction) {
    const known = steps[at]?.known;
    if (known !== undefined) return known;
  }
  return undefined;
}

function isBreak(one: ExportedRow | undefined, next: ExportedRow | undefined): boolean {
  const found = next && opening(next);
  if (one?.balance === undefined || found === undefined) return true;
  return !one.balance.equals(found);
}

/** The gap after all rows; undefined where the service says nothing else, or nothing. */
function endGap(steps: readonly Step[], closing: Decimal | undefined, now: readonly Decimal[]): Gap | undefined {
  const [found] = now;
  const after = steps.at(-1);
  if (found === undefined || after === undefined || closing === undefined || isOneOf(now, closing)) return undefined;
  return { after, before: undefined, left: closing, found };
}

/** True where the service's balance has been as far from its last row since the first run. */
function isUsualGap({ rows, balanceNow }: Known, closing: Decimal, now: readonly Decimal[]): boolean {
  const last = rows.at(-1)?.balance;
  const usual = last && balanceNow?.subtract(last);
  return usual !== undefined && isOneOf(now, closing.add(usual));
}

function isOneOf(amounts: readonly Decimal[], wanted: Decimal | undefined): boolean {
  return wanted !== undefined && amounts.some((amount) => amount.equals(wanted));
}
