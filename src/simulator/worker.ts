import type { Host } from "../host/host.ts";
import { attempt, waitAfter } from "../webhooks/send/delivery.ts";
import type { Chore, PostChore } from "./scheduling/job.ts";
import { settleCollection } from "./rules/collection-rules.ts";
import type { Keeper } from "./scheduling/persistence.ts";
import { advanceRemittance } from "./rules/remittance-rules.ts";
import type { Scene } from "./rules/rule.ts";

/**
 * Does the world's chores. Each is done as a whole, saved, and only then let go.
 * @param onPost told of each attempt to deliver something, once it is over
 */
export function worker(host: Host, keeper: Keeper, scene: () => Scene, onPost: (chore: PostChore) => void) {
  let wire: ReturnType<Host["transport"]> | undefined;
  const post = async (chore: PostChore, signal: AbortSignal) =>
    attempt(chore, { transport: await (wire ??= host.transport({})), ids: host.ids, signal });
  return async (chore: Chore, signal: AbortSignal): Promise<void> => {
    const posted = chore.kind === "post" ? await post(chore, signal) : undefined;
    if (chore.kind === "post") onPost(chore);
    const now = scene();
    now.world.chores.delete(chore);
    if (chore.kind === "settle") settleCollection(chore.transactionRef, now);
    if (chore.kind === "advance") advanceRemittance(chore, now);
    if (chore.kind === "rebook") now.world.bookAgain(chore.booking, chore.way, chore.look, now.nowMs);
    const again = chore.kind === "post" && posted?.outcome === "retry" ? nextAttempt(chore, now.nowMs) : undefined;
    if (again !== undefined) now.later(again);
    await keeper.save();
  };
}

/** The next attempt of a delivery that failed for now; undefined when there were enough. */
function nextAttempt(chore: PostChore, nowMs: number): PostChore | undefined {
  const failures = chore.failures + 1;
  const waitMs = waitAfter(failures);
  return waitMs === undefined ? undefined : { ...chore, failures, atMs: nowMs + waitMs };
}
