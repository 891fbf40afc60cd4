import type { Batches, Findings, Row, RowsReport } from "../../report/report.ts";
import { Failure, interruption } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { Sent } from "./sending.ts";

/** What is shown of each attempt. */
export const attemptFields: readonly Field[] = [
  { name: "id", kind: "id", role: "what" },
  { name: "attempt", kind: "count", role: "detail" },
  { name: "at", kind: "time", role: "when" },
  { name: "status", kind: "count", role: "detail" },
  { name: "outcome", kind: "id", role: "state" },
  { name: "ms", kind: "count", role: "detail" },
];

/** What became of the deliveries so far. */
interface Tally {
  delivered: number;
  failed: number;
  reached: boolean;
  /** The last attempt that did not deliver. */
  trouble: Sent | undefined;
}

export interface SendingFacts {
  /** How many deliveries there are to make. */
  readonly count: number;
  /** How many rows are shown at a time. */
  readonly batchRows: number;
  readonly signal: AbortSignal;
  /** True where the signatures are bad on purpose. */
  readonly isForged: boolean;
}

/**
 * A row for each attempt, as it is made, and how the run ends: well when all were delivered.
 */
export function sendingReport(
  attempts: AsyncIterable<Sent>,
  { count, batchRows, signal, isForged }: SendingFacts,
): RowsReport {
  const tally: Tally = { delivered: 0, failed: 0, reached: false, trouble: undefined };
  return {
    shape: "rows",
    columns: attemptFields,
    rows: rowsOf(attempts, batchRows, tally, signal),
    whenEmpty: "Nothing was sent.",
    mustShow: true,
    findings: () => findingsOf(tally, { count, signal, isForged }),
  };
}

async function* rowsOf(attempts: AsyncIterable<Sent>, batchRows: number, tally: Tally, signal: AbortSignal): Batches {
  let batch: Row[] = [];
  try {
    for await (const sent of attempts) {
      count(sent, tally);
      batch.push(rowOf(sent));
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // What was sent until then is shown all the same.
    if (!signal.aborted) throw error;
  }
  if (batch.length > 0) yield batch;
}

function count(sent: Sent, tally: Tally): void {
  if (sent.outcome === "delivered") tally.delivered += 1;
  else tally.trouble = sent;
  if (sent.outcome === "failed") tally.failed += 1;
  tally.reached ||= sent.reached;
}

function rowOf({ id, attempt, atMs, status, outcome, tookMs }: Sent): Row {
  return {
    id: id ?? null,
    attempt: Numeral.of(attempt),
    at: isoDarEsSalaam(atMs),
    status: status === undefined ? null : Numeral.of(status),
    outcome,
    ms: Numeral.of(tookMs),
  };
}

function findingsOf(tally: Tally, { count, signal, isForged }: Omit<SendingFacts, "batchRows">): Findings {
  const { delivered, reached, trouble } = tally;
  const said = `${delivered} of ${count} were delivered.`;
  if (delivered === count) return { notes: [count === 1 ? "It was delivered." : `All ${count} were delivered.`] };
  if (signal.aborted) return { notes: [said], carried: interruption(signal) };
  const why = trouble === undefined ? "" : ` The last attempt: ${answerOf(trouble)}.`;
  const carried = reached
    ? new Failure("incomplete", `${said}${why}`, { hint: hintFor(trouble, isForged) })
    : new Failure("unavailable", `Nothing could be reached.${why}`, {
        hint: "Check that the receiver runs, and its address.",
      });
  return { notes: [], carried };
}

function hintFor(trouble: Sent | undefined, isForged: boolean): string {
  if (isForged && trouble?.status === 401) return "With --bad-signature 401 is what a receiver has to answer.";
  return trouble?.status === 401
    ? "401 says that the signature was not accepted: compare the receiver's key with the one of this profile."
    : "Look into the receiver's log, and send again.";
}

/** What an attempt was answered with, in words that follow a colon. */
export function answerOf({ status, trouble }: Sent): string {
  return status === undefined ? withoutEnding(trouble ?? "none", ".") : `HTTP ${status}`;
}
