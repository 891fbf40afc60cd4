import type { Files, Spool } from "../host/files.ts";
import type { JsonObject } from "../values/json.ts";
import { textLines } from "../values/text-lines.ts";
import { packRow, unpackRow } from "./packed-row.ts";
import type { Row } from "./report.ts";
import { explained, explainSpool } from "./write-trouble.ts";

/**
 * Rows in a temporary file, for what cannot go out in the order in which it comes.
 * @throws {Failure} unavailable when the disk for them is full
 */
export async function setAside(rows: readonly Row[], files: Pick<Files, "spool">): Promise<Spool> {
  const spool = files.spool(0);
  await explained(async () => {
    for (const row of rows) await spool.write(`${packRow(row)}\n`);
  }, explainSpool);
  return spool;
}

/** The rows that were set aside, in slices none of which is empty. */
export async function* rowsOf(spool: Spool): AsyncGenerator<readonly JsonObject[]> {
  for await (const lines of textLines(spool.chunks())) yield lines.map(unpackRow);
}

export async function discardAll(spools: readonly Spool[]): Promise<void> {
  for (const spool of spools) await spool.discard();
}
