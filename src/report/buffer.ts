import { Failure } from "../values/failure.ts";
import { textOf } from "./cell.ts";
import type { Batches, Row } from "./report.ts";

/** A million rows of a wallet statement stay within both limits, and need about 1 GB of memory. */
export const heldRowsMax = 1_000_000;
export const heldCharsMax = 256_000_000;

/**
 * Reads all rows into memory, where their fields must be known before the first is written.
 * @throws {Failure} usage when there are too many; `wayOut` is the hint
 */
export async function bufferRows(batches: Batches, wayOut: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let chars = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      for (const name in row) chars += textOf(row[name]).length;
    }
    if (rows.length > heldRowsMax || chars > heldCharsMax) throw tooMany(wayOut);
  }
  return rows;
}

function tooMany(wayOut: string): Failure {
  const limit = `${heldRowsMax.toLocaleString("en")} rows or ${heldCharsMax / 1_000_000} million characters`;
  return new Failure("usage", `The result is too large to be held in memory at once (more than ${limit}).`, {
    hint: wayOut,
  });
}
