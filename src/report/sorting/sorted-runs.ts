import type { Files, Spool } from "../../host/files/files.ts";
import { Failure } from "../../values/failure.ts";
import type { Ranks, SortOrder } from "./sort.ts";
import { EncodedRows } from "./encoded-rows.ts";
import type { Batches, Row } from "../report.ts";
import { RunCursor } from "./run-cursor.ts";
import { discardAll, spillRows } from "./spill.ts";

/** How much is sorted in memory at a time; more than that goes to temporary files. */
export interface RunLimits {
  readonly rowsMax: number;
  readonly charsMax: number;
}
const runLimits: RunLimits = { rowsMax: 16_384, charsMax: 8_000_000 };
/** After this many runs, the next ones are twice as long: few rows need little memory, and many still fit. */
const runsOfALength = 64;
/** How many temporary files are open at once: enough for 15 million rows, or 7 billion characters. */
export const runsMax = 4 * runsOfALength;
const mergedSliceRows = 500;

/**
 * Sorts rows, however many: in an array if they fit into memory, else in runs that are written to temporary files, and
 * merged while they are read.
 * @throws {Failure} usage when even so there are too many | unavailable when the disk is full
 */
export async function sortBatches(
  batches: Batches,
  order: SortOrder,
  files: Pick<Files, "spool">,
  limits = runLimits,
): Promise<readonly Row[] | Batches> {
  const runs: Spool[] = [];
  const rows = new EncodedRows();
  let ranks: Ranks[] = [];
  try {
    for await (const batch of batches) {
      for (const row of batch) {
        rows.add(row);
        ranks.push(order.ranksOf(row));
        const length = 2 ** Math.floor(runs.length / runsOfALength);
        if (rows.count < limits.rowsMax * length && rows.chars < limits.charsMax * length) continue;
        if (runs.length === runsMax - 1) throw tooMany();
        runs.push(await spillRows(rows, order.placesOf(ranks), files));
        rows.clear();
        ranks = [];
      }
    }
    if (runs.length === 0) return rows.rows(order.placesOf(ranks));
    runs.push(await spillRows(rows, order.placesOf(ranks), files));
  } catch (error) {
    await discardAll(runs);
    throw error;
  }
  return merge(runs, order);
}

/**
 * Merges sorted runs. Cursors are in the order of their next rows; the first one gives its row, and moves to its new
 * place.
 */
async function* merge(runs: readonly Spool[], order: SortOrder): AsyncGenerator<readonly Row[]> {
  try {
    const cursors: RunCursor[] = [];
    for (const [run, spool] of runs.entries()) {
      const cursor = new RunCursor(run, spool, order);
      if (cursor.advance() || (await cursor.load())) insert(cursors, cursor);
    }
    let merged: Row[] = [];
    for (let first = cursors.shift(); first !== undefined; first = cursors.shift()) {
      merged.push(first.row);
      if (merged.length === mergedSliceRows) {
        yield merged;
        merged = [];
      }
      if (first.advance() || (await first.load())) insert(cursors, first);
    }
    yield merged;
  } finally {
    await discardAll(runs);
  }
}

/** Checks the front first: rows of one run often follow each other in the result, too. */
function insert(cursors: RunCursor[], cursor: RunCursor): void {
  const [first] = cursors;
  if (first === undefined || cursor.isBefore(first)) {
    cursors.unshift(cursor);
    return;
  }
  let low = 1;
  let high = cursors.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = cursors[middle];
    if (other === undefined || cursor.isBefore(other)) high = middle;
    else low = middle + 1;
  }
  cursors.splice(low, 0, cursor);
}

function tooMany(): Failure {
  return new Failure("usage", `The result is too large to be sorted: it takes more than ${runsMax} temporary files.`, {
    hint: "Ask for less at a time, for example a shorter period, or sort the file that --save writes.",
  });
}
