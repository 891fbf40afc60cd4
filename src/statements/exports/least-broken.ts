import type { Decimal } from "../../values/money/decimal.ts";
import type { BalanceGap, ChainStep } from "./chain.ts";
import { followBalances, opening } from "./chain.ts";
import type { ExportRow } from "./packed-rows.ts";
import { wholeKey } from "./matched-rows.ts";
import { rearranged } from "./rearranged.ts";

/** What earlier runs have exported. */
export interface ExportedBefore {
  readonly rows: readonly ExportRow[];
  /** A balance of the service that does not follow from the first run's last row. */
  readonly balanceNow: Decimal | undefined;
  /** The balances that the service gave while it showed no rows; none where it showed one, or gave none. */
  readonly openings: readonly Decimal[];
  /** True where breaks among these rows and after them are the service's own: a first run, or one after 0.1.0. */
  readonly isFirst: boolean;
  /** The first day of the first run: new rows from before it are not part of the export. Undefined in that run. */
  readonly startDate: string | undefined;
}

/** Rows in an order in which they may have been booked, and where their balances do not follow. */
export interface RowChain {
  readonly steps: readonly ChainStep[];
  /** The service's own breaks: of a first run, or known since one. */
  readonly own: readonly BalanceGap[];
  /** Places where rows are missing. */
  readonly open: readonly BalanceGap[];
  /** The gap between the last row and the balance that the service gives now. */
  readonly atEnd: BalanceGap | undefined;
}

/**
 * The service's order where no balance contradicts it. Otherwise an order with fewer missing rows, or for a first run
 * with fewer breaks, if there is one.
 */
export function leastBroken(known: ExportedBefore, steps: readonly ChainStep[], now: readonly Decimal[]): RowChain {
  const served = chainOf(known, steps, now);
  if (served.open.length + served.own.length === 0) return served;
  const order = rearranged(steps, known.openings);
  if (order === undefined) return served;
  const other = chainOf(known, order, now);
  if (other.open.length !== served.open.length) return other.open.length < served.open.length ? other : served;
  // A break that an earlier run accepted stays where it was.
  if (known.rows.length > 0 || other.own.length >= served.own.length) return served;
  return other.own.length === 0 || onceEach(steps).length === steps.length ? other : served;
}

/** The rows without new ones that repeat another in line, day and balance. */
export function onceEach(steps: readonly ChainStep[]): ChainStep[] {
  const seen = new Set(steps.filter((step) => step.known !== undefined).map(({ row }) => wholeKey(row)));
  return steps.filter(({ row, known }) => {
    if (known !== undefined || row.balance === undefined) return true;
    const key = wholeKey(row);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function chainOf(known: ExportedBefore, steps: readonly ChainStep[], now: readonly Decimal[]): RowChain {
  const { gaps, closing } = followBalances(steps);
  const isAccepted = acceptedGaps(known, steps);
  const own = gaps.filter(isAccepted);
  const open = gaps.filter((gap) => !own.includes(gap));
  const atStart = startGap(known, steps, closing, now);
  if (atStart !== undefined) open.unshift(atStart);
  const atEnd = endGap(steps, closing, now);
  if (atEnd !== undefined) {
    const isUsual = known.isFirst || isUsualGap(known, steps, atEnd.left, now);
    (isUsual ? own : open).push(atEnd);
  }
  return { steps, own, open, atEnd };
}

/** Recognizes breaks that earlier runs accepted: they are stored as rows that do not follow each other. */
function acceptedGaps(known: ExportedBefore, steps: readonly ChainStep[]): (gap: BalanceGap) => boolean {
  if (known.isFirst) {
    if (known.rows.length === 0) return () => true;
    // 0.1.0 did not record which of them followed each other.
    return ({ after, before }) => after?.known !== undefined && before?.known !== undefined;
  }
  let places: ReadonlyMap<ChainStep, number> | undefined;
  return ({ after, before, found }) => {
    places ??= new Map(steps.map((step, place) => [step, place]));
    const from = after && knownAt(steps, places.get(after) ?? 0, -1);
    const to = before && knownAt(steps, places.get(before) ?? 0, 1);
    if (from === undefined) return false;
    const isAfterAll = from === known.rows.length - 1 && to === undefined;
    if (isAfterAll) return known.balanceNow?.equals(found) === true;
    return to === from + 1 && isBreak(known.rows[from], known.rows[to]);
  };
}

/** The index of the nearest exported row, from a step on in one direction. */
function knownAt(steps: readonly ChainStep[], from: number, direction: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < steps.length; at += direction) {
    const known = steps[at]?.known;
    if (known !== undefined) return known;
  }
  return undefined;
}

function isBreak(one: ExportRow | undefined, next: ExportRow | undefined): boolean {
  const found = next && opening(next);
  if (one?.balance === undefined || found === undefined) return true;
  return !one.balance.equals(found);
}

/**
 * The gap before all rows, where a run without rows recorded the account's balance. That balance may include rows that
 * were shown later. Undefined where nothing is missing, or the service gives too little.
 */
function startGap(
  { rows, openings }: ExportedBefore,
  steps: readonly ChainStep[],
  closing: Decimal | undefined,
  now: readonly Decimal[],
): BalanceGap | undefined {
  const [left] = openings;
  if (rows.length > 0 || left === undefined) return undefined;
  const [before] = steps;
  const found = before === undefined ? now[0] : opening(before.row);
  if (found === undefined || isOneOf(openings, found)) return undefined;
  if (before === undefined && now.some((amount) => isOneOf(openings, amount))) return undefined;
  if (steps.some(({ row }) => isOneOf(openings, row.balance))) return undefined;
  const isUsual = before !== undefined && closing !== undefined && isUsualSince(openings, found, closing, now);
  return isUsual ? undefined : { after: undefined, before, left, found };
}

/** The gap after all rows; undefined where the service's balance agrees, or it gives none. */
function endGap(
  steps: readonly ChainStep[],
  closing: Decimal | undefined,
  now: readonly Decimal[],
): BalanceGap | undefined {
  const [found] = now;
  const after = steps.at(-1);
  if (found === undefined || after === undefined || closing === undefined || isOneOf(now, closing)) return undefined;
  return { after, before: undefined, left: closing, found };
}

/** True where the service's balance has differed from its rows by the same amount since the first run. */
function isUsualGap(
  { rows, balanceNow, openings }: ExportedBefore,
  steps: readonly ChainStep[],
  closing: Decimal,
  now: readonly Decimal[],
): boolean {
  const [last, first] = [rows.at(-1)?.balance, steps[0] && opening(steps[0].row)];
  if (rows.length === 0) return first !== undefined && isUsualSince(openings, first, closing, now);
  return last !== undefined && balanceNow !== undefined && isUsualSince([balanceNow], last, closing, now);
}

/** True where the service's balance differed from its rows then by the same amount as now. */
function isUsualSince(given: readonly Decimal[], rows: Decimal, closing: Decimal, now: readonly Decimal[]): boolean {
  return given.some((amount) => isOneOf(now, closing.add(amount.subtract(rows))));
}

function isOneOf(amounts: readonly Decimal[], wanted: Decimal | undefined): boolean {
  return wanted !== undefined && amounts.some((amount) => amount.equals(wanted));
}
