import type { Files, Spool } from "../../host/files/files.ts";
import type { JsonObject } from "../../values/json.ts";
import { textLines } from "../../values/text/text-lines.ts";
import { rowUnpacker } from "./row-encoding.ts";
import type { EncodedRows } from "./encoded-rows.ts";
import { explained, explainSpool } from "../write-failures.ts";

/** Rows that are decoded in one go. */
const sliceRows = 500;

/**
 * Writes the rows at these positions to a temporary file, in this order.
 * @throws {Failure} unavailable when the disk is full
 */
export async function spillRows(
  rows: EncodedRows,
  places: readonly number[],
  files: Pick<Files, "spool">,
): Promise<Spool> {
  const spool = files.spool(0);
  await explained(async () => {
    for (const line of rows.lines(places)) await spool.write(line);
    // Many spools wait at once: none should keep in memory what can be in its file.
    await spool.flush();
  }, explainSpool);
  return spool;
}

/** The rows of a temporary file, in slices that are never empty. */
export async function* rowsOf(spool: Spool): AsyncGenerator<readonly JsonObject[]> {
  const unpack = rowUnpacker();
  for await (const lines of textLines(spool.chunks())) {
    for (let start = 0; start < lines.length; start += sliceRows) {
      const rows = lines
        .slice(start, start + sliceRows)
        .map(unpack)
        .filter((row) => row !== undefined);
      if (rows.length > 0) yield rows;
    }
  }
}

export async function discardAll(spools: readonly Spool[]): Promise<void> {
  for (const spool of spools) await spool.discard();
}
