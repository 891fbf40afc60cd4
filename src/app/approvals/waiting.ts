import type { Approvals } from "../../approvals/approvals.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { isOver } from "../../approvals/submitted-batch.ts";
import { Failure, interruption } from "../../values/failure.ts";
import type { Session } from "../session.ts";
import { findSubmitted } from "./submitted.ts";

/** How often to look where no notification arrives; none is sent for a batch that expires. */
const lookEveryMs = 5_000;

/**
 * Waits until nothing more happens to a batch.
 * @param forMs how long at most; undefined for as long as it takes
 * @throws {Failure} interrupted
 */
export async function waitForEnd(
  id: string,
  approvals: Approvals,
  forMs: number | undefined,
  { host: { clock, signal } }: Session,
): Promise<{ readonly batch: SubmittedBatch; readonly ending: Failure | undefined }> {
  const startedMs = clock.elapsed();
  for (;;) {
    await approvals.news.listen(signal);
    const batch = await findSubmitted(approvals, id);
    if (batch.state === "done") return { batch, ending: undefined };
    if (isOver(batch.state)) return { batch, ending: nothingComes(batch) };
    const leftMs = forMs === undefined ? lookEveryMs : startedMs + forMs - clock.elapsed();
    if (leftMs <= 0) return { batch, ending: timeIsOver(batch) };
    await approvals.news.wait(Math.min(leftMs, lookEveryMs), signal);
    if (signal.aborted) throw interruption(signal);
  }
}

function nothingComes({ id, state, verdict }: SubmittedBatch): Failure {
  const by = verdict?.decision === "rejected" ? ` by ${verdict.by}` : "";
  const what = state === "expired" ? "has expired" : `was ${state}${by}`;
  return new Failure("refused", `Batch ${id} ${what}; no more of it is sent.`, {
    hint: "Its maker can submit it again: partner batch submit FILE",
  });
}

function timeIsOver({ id, state }: SubmittedBatch): Failure {
  return new Failure("pending", `The time ran out: batch ${id} is ${state}.`, {
    hint: `Wait for it again: partner batch wait ${id}`,
  });
}
