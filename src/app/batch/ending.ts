import type { BatchRowCounts } from "../../movements/batch/result.ts";
import type { BatchRun } from "../../movements/batch/run.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { describeCounts } from "./counts.ts";

/**
 * How a batch ends: by the gravest outcome of its rows, or by a signal that came before any of them left. Undefined
 * where all of them are done.
 */
export function batchEnding(
  id: string,
  counts: BatchRowCounts,
  run?: Pick<BatchRun, "stopped" | "sentCount"> &
    Partial<Pick<BatchRun, "isDoubted" | "left" | "leftHint">> & { isApproved?: boolean },
): Failure | undefined {
  const { stopped, sentCount = 0, isDoubted = true } = run ?? {};
  const [unknown, left] = [counts.of("unknown"), counts.of("unsent") + counts.of("refused") + counts.of("reversed")];
  const why = stopped === undefined ? "" : ` ${stopped.message}`;
  const all = counts.total;
  if (unknown > 0)
    return new Failure("unknown", `The outcome of ${unknown} of ${counted(all, "row")} is unknown.${why}`, {
      hint: `Do not send ${unknown === 1 ? "it" : "them"} again. Find out: partner journal resolve --all. Then run the same batch again; it sends what is left.`,
      money: "unknown",
      details: { batch: `${id}: ${describeCounts(counts)}` },
    });
  if (left === 0) return undefined;
  const leftHint = run?.left?.size === left ? run.leftHint : undefined;
  const isInterrupted = stopped?.ending === "interrupted" && sentCount === 0;
  return new Failure(
    isInterrupted ? "interrupted" : "incomplete",
    `Of ${counted(all, "row")}, ${left} ${left === 1 ? "is" : "are"} not done.${why}`,
    {
      hint:
        hintOf(stopped?.hint, sentCount) ??
        `See why in its rows. ${hintOf(leftHint, sentCount) ?? again(counts, run?.isApproved)}`,
      money: counts.of("accepted") > 0 ? "moved" : all === left && !isDoubted ? "not moved" : "none",
      details: { batch: `${id}: ${describeCounts(counts)}` },
      signal: stopped?.signal,
    },
  );
}

/** A refused row is refused again unless it is corrected, and an approved file cannot be corrected. */
function again(counts: BatchRowCounts, isApproved = false): string {
  return counts.of("refused") > 0 && !isApproved
    ? "Correct the refused rows in the file, and run it again: rows that are done are not sent again."
    : "Run the same batch again: rows that are done are not sent again.";
}

/**
 * The hint of a failure that stopped a run or left its rows. It must not say that nothing was sent, since other rows may
 * have been.
 */
function hintOf(hint: string | undefined, sentCount: number): string | undefined {
  return sentCount === 0 ? hint : hint?.replace(/^Nothing was sent\. /, "");
}
