import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { option } from "../../cli/line/input.ts";
import { programWords } from "../../cli/program-words.ts";
import { jsonRecord } from "../../report/json.ts";
import type { Row } from "../../report/report.ts";
import { quote } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import { submittedRow } from "./submitted-report.ts";

const programTimeoutMs = 60_000;

/** A program that tells people about a batch. */
export const notifyFlag = {
  notify: option({
    value: '"CMD"',
    summary: "Run CMD at the end, without a shell, with the batch as JSON on its stdin.",
    group: "four eyes",
    read: programWords('"./tell-the-checkers.sh --mail"'),
  }),
} as const;

/**
 * Runs the program of `--notify`. Its stdout is dropped, because ours belongs to the result. Its failure doesn't affect
 * the batch, and is only noted.
 * @param more further facts about the batch
 */
export async function notify(
  words: readonly string[] | undefined,
  batch: SubmittedBatch,
  session: Session,
  more: Row = {},
): Promise<void> {
  if (words === undefined) return;
  const [command = "", ...args] = words;
  const input = jsonRecord(
    { ...submittedRow(batch), ...more },
    { documented: new Map(), wanted: undefined },
    "one line",
  );
  const { host } = session;
  const program = { command, args, input, streams: "discard", timeoutMs: programTimeoutMs } as const;
  const problem = await host.run({ ...program, ownGroup: true, signal: host.signal }).then(
    ({ exit }) => (exit === 0 ? undefined : `it ended with exit code ${exit}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem === undefined) return;
  await session.note(`Warning: --notify ${quote(command)} failed for batch ${batch.id}: ${problem}.`);
}
