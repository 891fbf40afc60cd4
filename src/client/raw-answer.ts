import type { Endpoint } from "../contract/endpoint.ts";
import type { Spool } from "../host/files/files.ts";
import { decodeAnswer, decodeRows } from "./answer.ts";
import { documentMaxBytes } from "./limits.ts";
import type { Asked } from "./refusal.ts";
import { hiddenRefusal } from "./refusal.ts";

/**
 * Checks an answer that is passed on without decoding: it must be JSON, and not a refusal under a success status. A
 * long list is read row by row.
 * @throws {JsonError | Failure}
 */
export async function checkRawAnswer(
  answer: Spool,
  { response }: Endpoint<"reads">,
  asked: Asked,
  signal: AbortSignal,
): Promise<void> {
  if (response.kind === "rows" && answer.sizeBytes > documentMaxBytes) {
    const rows = decodeRows(answer, response.at, asked, signal)[Symbol.asyncIterator]();
    while ((await rows.next()).done !== true);
    return;
  }
  const refused = hiddenRefusal(await decodeAnswer(answer), asked);
  if (refused !== undefined) throw refused;
}
