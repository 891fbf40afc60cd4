import type { Host } from "../host/host.ts";
import type { PlainPost } from "../host/http/plain-post.ts";
import type { DeliveryAttempt } from "../webhooks/send/delivery.ts";
import { attempt, waitAfter } from "../webhooks/send/delivery.ts";
import type { Job, PostJob } from "./scheduling/job.ts";
import { settleCollection } from "./rules/collection-rules.ts";
import type { Persistence } from "./scheduling/persistence.ts";
import { settlePayout } from "./rules/payout-rules.ts";
import { advanceRemittance } from "./rules/remittance-rules.ts";
import type { RuleContext } from "./rules/rule.ts";

/** How to deliver, and whom to notify. */
export interface Delivering {
  open(): Promise<PlainPost>;
  /** Called after each attempt; `againInMs` says when the next one follows, if one does. */
  onPost(job: PostJob, sent: DeliveryAttempt, againInMs: number | undefined): void;
}

/** Performs the world's jobs. A job's removal, effects and follow-ups are saved together. */
export function worker(host: Host, persistence: Persistence, context: () => RuleContext, delivering: Delivering) {
  let opening: Promise<PlainPost> | undefined;
  const post = async (job: PostJob, signal: AbortSignal) =>
    attempt(job, { post: await (opening ??= delivering.open()), ids: host.ids, signal });
  return async (job: Job, signal: AbortSignal): Promise<void> => {
    const posted = job.kind === "post" ? await post(job, signal) : undefined;
    const now = context();
    const again = job.kind === "post" && posted?.outcome === "retry" ? nextAttempt(job, now.nowMs) : undefined;
    if (job.kind === "post" && posted !== undefined) delivering.onPost(job, posted, again && again.atMs - now.nowMs);
    now.world.chores.delete(job);
    if (job.kind === "settle") settleCollection(job.transactionRef, now);
    if (job.kind === "pay") settlePayout(job.transactionRef, now);
    if (job.kind === "advance") advanceRemittance(job, now);
    if (job.kind === "rebook") now.world.bookAgain(job.booking, job.way, job.look, now.nowMs);
    if (again !== undefined) now.later(again);
    await persistence.save();
  };
}

/** The next attempt of a delivery that failed; undefined when there were enough. */
function nextAttempt(job: PostJob, nowMs: number): PostJob | undefined {
  const failures = job.failures + 1;
  const waitMs = waitAfter(failures);
  return waitMs === undefined ? undefined : { ...job, failures, atMs: nowMs + waitMs };
}
