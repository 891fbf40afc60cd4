import type { Files, Spool } from "../host/files.ts";
import { Failure } from "../values/failure.ts";
import { textOf } from "./cell.ts";
import type { RowOrder } from "./order.ts";
import type { Batches, Row } from "./report.ts";
import { discardAll, rowsOf, setAside } from "./set-aside.ts";

/** What is sorted in memory at a time; beyond, it takes a temporary file for each time. */
export interface RunLimits {
  readonly rowsMax: number;
  readonly charsMax: number;
}
const runLimits: RunLimits = { rowsMax: 16_384, charsMax: 8_000_000 };
/** After so many runs those that follow are twice as long: few rows take little memory, and many still find room. */
const runsOfALength = 64;
/** Temporary files that are open at once: 15 million rows, or 7 billion characters. */
export const runsMax = 4 * runsOfALength;
/** What is read of each run at a time: all of them are read at once. */
const pieceMaxBytes = 32 * 1024;
const mergedSliceRows = 500;

/**
 * The rows in order, however many they are: an array while they fit into memory, else runs that were sorted one by one,
 * set aside and are merged while they are read.
 * @throws {Failure} usage when they are too many even so | unavailable when the disk for them is full
 */
export async function sortBatches(
  batches: Batches,
  order: RowOrder,
  files: Pick<Files, "spool">,
  limits = runLimits,
): Promise<readonly Row[] | Batches> {
  const runs: Spool[] = [];
  try {
    let rows: Row[] = [];
    let chars = 0;
    for await (const batch of batches) {
      for (const row of batch) {
        rows.push(row);
        for (const name in row) chars += textOf(row[name]).length;
        const length = 2 ** Math.floor(runs.length / runsOfALength);
        if (rows.length < limits.rowsMax * length && chars < limits.charsMax * length) continue;
        if (runs.length === runsMax - 1) throw tooMany();
        runs.push(await setAside(order.sort(rows), files));
        rows = [];
        chars = 0;
      }
    }
    if (runs.length === 0) return order.sort(rows);
    runs.push(await setAside(order.sort(rows), files));
  } catch (error) {
    await discardAll(runs);
    throw error;
  }
  return merge(runs, order);
}

/** A run that is being read: its next row and how that ranks. */
interface Cursor {
  readonly run: number;
  readonly rows: AsyncGenerator<readonly Row[]>;
  slice: readonly Row[];
  at: number;
  row: Row;
  ranks: ReturnType<RowOrder["ranksOf"]>;
}

/** The cursors stand in the order of their next rows; the first is taken and finds its new place. */
async function* merge(runs: readonly Spool[], order: RowOrder): AsyncGenerator<readonly Row[]> {
  try {
    const cursors: Cursor[] = [];
    for (const [run, spool] of runs.entries()) {
      const cursor: Cursor = { run, rows: rowsOf(spool, pieceMaxBytes), slice: [], at: 0, row: {}, ranks: [] };
      if (await advance(cursor, order)) insert(cursors, cursor, order);
    }
    let merged: Row[] = [];
    for (let first = cursors.shift(); first !== undefined; first = cursors.shift()) {
      merged.push(first.row);
      if (merged.length === mergedSliceRows) {
        yield merged;
        merged = [];
      }
      if (await advance(first, order)) insert(cursors, first, order);
    }
    yield merged;
  } finally {
    await discardAll(runs);
  }
}

function insert(cursors: Cursor[], cursor: Cursor, order: RowOrder): void {
  let low = 0;
  let high = cursors.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = cursors[middle];
    // Equal rows stay as they came: the earlier run's go first.
    const difference = other === undefined ? 0 : order.compare(other.ranks, cursor.ranks) || other.run - cursor.run;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  cursors.splice(low, 0, cursor);
}

async function advance(cursor: Cursor, order: RowOrder): Promise<boolean> {
  if (cursor.at === cursor.slice.length) {
    const next = await cursor.rows.next();
    if (next.done === true) return false;
    cursor.slice = next.value;
    cursor.at = 0;
  }
  const row = cursor.slice[cursor.at];
  if (row === undefined) return false;
  cursor.at += 1;
  cursor.row = row;
  cursor.ranks = order.ranksOf(row);
  return true;
}

function tooMany(): Failure {
  return new Failure("usage", `The result is too large to be sorted: it takes more than ${runsMax} temporary files.`, {
    hint: "Ask for less at a time, for example a shorter period, or sort the file that --save writes.",
  });
}
