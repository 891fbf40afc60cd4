import type { Decimal } from "../../values/money/decimal.ts";
import type { BalanceGap, ChainStep } from "./chain.ts";
import { sequenceOf } from "./chain.ts";
import type { ReadRow, ExportRow } from "./packed-rows.ts";
import { matchRows } from "./matched-rows.ts";
import type { ExportedBefore } from "./least-broken.ts";
import { leastBroken, onceEach } from "./least-broken.ts";

/** A statement as it was read. */
export interface ReadStatement {
  /** In the service's order. */
  readonly rows: readonly ReadRow[];
  /** `YYYY-MM-DD`, both included. */
  readonly startDate: string;
  readonly endDate: string;
  /**
   * The balances that the service gives now (it may give more than one); none where it gives none, or where later days
   * are left out.
   */
  readonly balancesNow: readonly Decimal[];
}

/** What to do with a reading. */
export type ExportPlan =
  | {
      readonly kind: "append";
      /** In the service's order. */
      readonly newRows: readonly ReadRow[];
      /** All rows to store, new ones included. */
      readonly rows: readonly ExportRow[];
      /** Breaks in the service's own rows that have not been reported yet. */
      readonly breaks: readonly BalanceGap[];
      /** True where each balance follows from the one before, in the order of storing. */
      readonly isUnbroken: boolean;
      readonly balanceNow: Decimal | undefined;
      /** Rows from before the first day of the export. */
      readonly leftOut: number;
    }
  /** Exported rows are missing from the reading. */
  | { readonly kind: "changed"; readonly missing: readonly ExportRow[]; readonly newRows: readonly ReadRow[] }
  | ({ readonly kind: "open" } & OpenPlaces);

/** Why a reading can't be added. */
export interface OpenPlaces {
  /** Breaks in the reading, where rows are missing. */
  readonly gaps: readonly BalanceGap[];
  /** New rows that repeat other rows. */
  readonly repeated: readonly ExportRow[];
}

/**
 * Decides from the exported rows and the service's current ones which rows to add. Nothing is added where a balance
 * does not follow from the one before, unless an earlier run accepted that break.
 */
export function planExport(known: ExportedBefore, reading: ReadStatement): ExportPlan {
  const older = olderRows(known, reading);
  if (older === 0) return planFrom(known, reading);
  const plan = planFrom({ ...known, rows: known.rows.slice(older) }, reading);
  return plan.kind === "append" ? { ...plan, rows: [...known.rows.slice(0, older), ...plan.rows] } : plan;
}

/**
 * How many of the exported rows come before everything that was read, and need no check: those before the first that
 * may be in the reading, except the last of them. Most of a long export is older than a reading.
 */
function olderRows({ rows }: ExportedBefore, reading: ReadStatement): number {
  const isInReading = (day: string) => day !== "" && day >= reading.startDate;
  if (!reading.rows.every(({ day }) => isInReading(day)) || rows[0]?.day === "") return 0;
  const first = rows.findIndex(({ day }) => day === "" || day >= reading.startDate);
  return Math.max(0, (first < 0 ? rows.length : first) - 1);
}

function planFrom(known: ExportedBefore, reading: ReadStatement): ExportPlan {
  const { read, matches, leftOut } = relevant(known, reading.rows);
  const newRows = read.filter((_, index) => matches[index] === undefined);
  const came = new Uint8Array(known.rows.length);
  for (const place of matches) if (place !== undefined) came[place] = 1;
  const isMissing = (row: ExportRow) => isWithin(row.day, reading) || isDatedNow(row, newRows);
  const missing = known.rows.filter((row, place) => came[place] === 0 && isMissing(row));
  if (missing.length > 0) return { kind: "changed", missing, newRows };
  const steps = sequenceOf(known.rows, read, matches);
  const chain = leastBroken(known, steps, reading.balancesNow);
  if (chain.open.length > 0)
    return {
      kind: "open",
      ...(repeatedAmong(known, steps, chain.open.length, reading) ?? { gaps: chain.open, repeated: [] }),
    };
  return {
    kind: "append",
    newRows,
    rows: chain.steps.map(({ row }) => row),
    breaks: known.isFirst ? chain.own : [],
    isUnbroken: chain.own.length === 0,
    balanceNow: chain.atEnd?.found,
    leftOut,
  };
}

/**
 * The same with each row once, where that leaves fewer places open: if the money had moved twice, the balance would
 * differ. Undefined where repeated rows explain nothing.
 */
function repeatedAmong(
  known: ExportedBefore,
  steps: readonly ChainStep[],
  openCount: number,
  { balancesNow }: ReadStatement,
): OpenPlaces | undefined {
  const once = onceEach(steps);
  if (once.length === steps.length) return undefined;
  const { open } = leastBroken(known, once, balancesNow);
  if (open.length >= openCount) return undefined;
  const kept = new Set(once);
  return { gaps: open, repeated: steps.filter((step) => !kept.has(step)).map(({ row }) => row) };
}

/** The rows without new ones that are older than the export. */
function relevant({ rows, startDate = "" }: ExportedBefore, all: readonly ReadRow[]) {
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

/** True where an exported row without a value date now has one: a new row has its reference, amount and balance. */
function isDatedNow({ day, reference, change, balance }: ExportRow, newRows: readonly ReadRow[]): boolean {
  if (day !== "" || reference === "" || change === undefined || balance === undefined) return false;
  return newRows.some(
    (row) =>
      row.day !== "" &&
      row.reference === reference &&
      row.change?.equals(change) === true &&
      row.balance?.equals(balance) === true,
  );
}

/** False for a row without a day: the service may put it in any period. */
function isWithin(day: string, { startDate, endDate }: ReadStatement): boolean {
  return day !== "" && day >= startDate && day <= endDate;
}
