import type { Clock } from "../../host/host.ts";
import type { DeliveryAttempt, Courier } from "./delivery.ts";
import { attempt, waitAfter } from "./delivery.ts";

/** A webhook to send: the same bytes at each attempt. */
export interface Outgoing {
  /** `transaction.id`; undefined where the payload has none. */
  readonly id: string | undefined;
  readonly body: string;
}

/** How deliveries are made. */
export interface SendingPlan {
  readonly url: string;
  readonly retries: number;
  /** How many times shorter its waits are than the service's. */
  readonly speed: number;
  /** The expected status: a delivery that gets it is not retried. */
  readonly expected?: number | undefined;
}

/** An attempt that was made. */
export interface SentDelivery extends DeliveryAttempt {
  readonly id: string | undefined;
  /** 1 for a delivery's first attempt. */
  readonly attempt: number;
  /** When it began, milliseconds since 1970 UTC, and how long it took. */
  readonly atMs: number;
  readonly tookMs: number;
}

/** A delivery that failed for now. */
interface Waiting {
  readonly outgoing: Outgoing;
  readonly failures: number;
  readonly dueMs: number;
}

export interface Sender {
  readonly courier: Courier;
  readonly clock: Clock;
  /** Called before it waits because only retries are left, with the last failed attempt. */
  onWait(waitMs: number, waiting: number, last: SentDelivery): void;
}

/**
 * Delivers each webhook by the service's own rules, one attempt after the other, and yields each attempt. A failed
 * delivery does not delay the next one: it is retried when it is due. It ends when nothing is left, or at the courier's
 * signal.
 */
export async function* send(all: Iterable<Outgoing>, plan: SendingPlan, sender: Sender): AsyncGenerator<SentDelivery> {
  const { clock, courier } = sender;
  const queue: Waiting[] = [];
  const fresh = all[Symbol.iterator]();
  let last: SentDelivery | undefined;
  for (;;) {
    const next = await nextOf(
      queue,
      fresh,
      async (waitMs) => {
        if (last !== undefined) sender.onWait(waitMs, queue.length, last);
        await clock.sleep(waitMs, courier.signal);
      },
      clock,
    );
    if (next === undefined) return;
    const [atMs, beganMs] = [clock.now(), clock.elapsed()];
    const result = await attempt({ url: plan.url, body: next.outgoing.body }, courier);
    const failures = next.failures + 1;
    const isFinal = result.outcome !== "retry" || (result.status !== undefined && result.status === plan.expected);
    const waitMs = !isFinal ? waitAfter(failures, plan.retries) : undefined;
    if (waitMs !== undefined) enqueue(queue, { ...next, failures, dueMs: clock.elapsed() + waitMs / plan.speed });
    const outcome = result.outcome === "retry" && waitMs === undefined ? "failed" : result.outcome;
    const tookMs = Math.round(clock.elapsed() - beganMs);
    const sent = { ...result, outcome, id: next.outgoing.id, attempt: failures, atMs, tookMs };
    if (outcome !== "delivered") last = sent;
    yield sent;
  }
}

/** Due retries come first, then new webhooks, then retries that have to wait. */
async function nextOf(
  queue: Waiting[],
  fresh: Iterator<Outgoing>,
  wait: (ms: number) => Promise<void>,
  clock: Clock,
): Promise<Waiting | undefined> {
  const [first] = queue;
  if (first !== undefined && first.dueMs <= clock.elapsed()) return queue.shift();
  const next = fresh.next();
  if (next.done !== true) return { outgoing: next.value, failures: 0, dueMs: 0 };
  if (first === undefined) return undefined;
  await wait(Math.max(first.dueMs - clock.elapsed(), 0));
  return queue.shift();
}

/** Keeps the queue in the order in which deliveries are due. */
function enqueue(queue: Waiting[], one: Waiting): void {
  const later = queue.findLastIndex(({ dueMs }) => dueMs <= one.dueMs);
  queue.splice(later + 1, 0, one);
}
