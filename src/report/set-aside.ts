import type { Files, Spool } from "../host/files.ts";
import type { JsonObject } from "../values/json.ts";
import { textLines } from "../values/text-lines.ts";
import { rowPacker, rowUnpacker } from "./packed-row.ts";
import type { Row } from "./report.ts";
import { explained, explainSpool } from "./write-trouble.ts";

/** Rows that become text in one go. */
const sliceRows = 100;

/**
 * Rows in a temporary file, for what cannot go out in the order in which it comes.
 * @throws {Failure} unavailable when the disk for them is full
 */
export async function setAside(rows: readonly Row[], files: Pick<Files, "spool">): Promise<Spool> {
  const spool = files.spool(0);
  const pack = rowPacker();
  await explained(async () => {
    for (let start = 0; start < rows.length; start += sliceRows)
      await spool.write(
        rows
          .slice(start, start + sliceRows)
          .map(pack)
          .join(""),
      );
  }, explainSpool);
  return spool;
}

/** The rows that were set aside, in slices none of which is empty. `pieceMaxBytes` says how much is read at a time. */
export async function* rowsOf(spool: Spool, pieceMaxBytes?: number): AsyncGenerator<readonly JsonObject[]> {
  const unpack = rowUnpacker();
  for await (const lines of textLines(spool.chunks(pieceMaxBytes))) {
    const rows = lines.map(unpack).filter((row) => row !== undefined);
    if (rows.length > 0) yield rows;
  }
}

export async function discardAll(spools: readonly Spool[]): Promise<void> {
  for (const spool of spools) await spool.discard();
}
