import type { Batches, Findings, Row, RowsReport } from "../../report/report.ts";
import { Failure, interruption } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { SentDelivery } from "./sending.ts";

/** The columns of an attempt. */
export const attemptFields: readonly Field[] = [
  { name: "id", kind: "id", role: "what" },
  { name: "attempt", kind: "count", role: "detail" },
  { name: "at", kind: "time", role: "when" },
  { name: "status", kind: "count", role: "detail" },
  { name: "outcome", kind: "id", role: "state" },
  { name: "ms", kind: "count", role: "detail" },
];

/** The deliveries so far, by outcome. */
interface Tally {
  delivered: number;
  /** How many were answered with the expected status. */
  expected: number;
  failed: number;
  reached: boolean;
  /** The last attempt without the wanted result. */
  unexpected: SentDelivery | undefined;
}

export interface SendingFacts {
  /** How many deliveries there are to make. */
  readonly count: number;
  /** How many rows are shown at a time. */
  readonly batchRows: number;
  readonly signal: AbortSignal;
  /** True where the signatures are wrong on purpose. */
  readonly isForged: boolean;
  /** The expected status of every answer, where it isn't a success. */
  readonly expected?: number | undefined;
}

/** A row for each attempt, as it is made. The run succeeds if all were delivered, or got the expected status. */
export function sendingReport(
  attempts: AsyncIterable<SentDelivery>,
  { batchRows, ...facts }: SendingFacts,
): RowsReport {
  const tally: Tally = { delivered: 0, expected: 0, failed: 0, reached: false, unexpected: undefined };
  return {
    shape: "rows",
    columns: attemptFields,
    rows: rowsOf(attempts, batchRows, tally, facts),
    whenEmpty: "Nothing was sent.",
    mustShow: true,
    findings: () => findingsOf(tally, facts),
  };
}

async function* rowsOf(
  attempts: AsyncIterable<SentDelivery>,
  batchRows: number,
  tally: Tally,
  { signal, expected }: Omit<SendingFacts, "batchRows">,
): Batches {
  let batch: Row[] = [];
  try {
    for await (const sent of attempts) {
      count(sent, tally, expected);
      batch.push(rowOf(sent));
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // Attempts made so far are shown anyway.
    if (!signal.aborted) throw error;
  }
  if (batch.length > 0) yield batch;
}

function count(sent: SentDelivery, tally: Tally, expected: number | undefined): void {
  tally.reached ||= sent.reached;
  if (sent.status !== undefined && sent.status === expected) {
    tally.expected += 1;
    return;
  }
  // A success is a problem where another status was expected.
  if (sent.outcome === "delivered" && expected !== undefined) tally.unexpected = sent;
  if (sent.outcome === "delivered") tally.delivered += 1;
  else tally.unexpected = sent;
  if (sent.outcome === "failed") tally.failed += 1;
}

function rowOf({ id, attempt, atMs, status, outcome, tookMs }: SentDelivery): Row {
  return {
    id: id ?? null,
    attempt: Numeral.of(attempt),
    at: isoDarEsSalaam(atMs),
    status: status === undefined ? null : Numeral.of(status),
    outcome,
    ms: Numeral.of(tookMs),
  };
}

function findingsOf(tally: Tally, { count, signal, isForged, expected }: Omit<SendingFacts, "batchRows">): Findings {
  const { reached, unexpected } = tally;
  const done = expected === undefined ? "delivered" : `answered with ${expected}`;
  const well = expected === undefined ? tally.delivered : tally.expected;
  const said = `${well} of ${count} were ${done}.`;
  if (well === count) return { notes: [count === 1 ? `It was ${done}.` : `All ${count} were ${done}.`] };
  if (signal.aborted) return { notes: [said], carried: interruption(signal) };
  const why = unexpected === undefined ? "" : ` The last attempt: ${answerOf(unexpected)}.`;
  const carried = reached
    ? new Failure("incomplete", `${said}${why}`, { hint: hintFor(unexpected, isForged, expected) })
    : new Failure("unavailable", `Nothing could be reached.${why}`, {
        hint: "Check that the receiver runs, and its address.",
      });
  return { notes: [], carried };
}

function hintFor(unexpected: SentDelivery | undefined, isForged: boolean, expected: number | undefined): string {
  if (expected !== undefined) return `--expect ${expected} wants this answer to every webhook.`;
  if (isForged && unexpected?.status === 401) return "With --bad-signature, a receiver has to answer 401: --expect 401";
  return unexpected?.status === 401
    ? "401 says that the signature was not accepted: compare the receiver's key with the one of this profile."
    : "Look into the receiver's log, and send again.";
}

/** The answer to an attempt, in words that follow a colon. */
export function answerOf({ status, reason }: SentDelivery): string {
  return status === undefined ? withoutEnding(reason ?? "none", ".") : `HTTP ${status}`;
}
