import type { Clock } from "../../host/host.ts";
import { formatDuration } from "../../values/time/duration.ts";
import type { NotTaken, EventDestination } from "./destination.ts";
import { asNotTaken } from "./destination.ts";
import type { Inbox, Kept, DeliveryOutcome, Watch } from "../inbox/inbox.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";

const secondMs = 1_000;
const firstWaitMs = secondMs;
const waitMaxMs = 5 * 60_000;
const givenUpAfterMs = 24 * 60 * 60_000;
/** No event is tried while no receiver runs, and a clock can jump a day ahead. */
const leastTries = 10;
/** How often to look for deliveries of ended receivers, and for requested ones. */
const lookMs = 5_000;

export interface ForwarderTools {
  readonly clock: Clock;
  readonly inbox: Pick<Inbox, "settle">;
  readonly watch: Watch;
  readonly recipient: EventDestination;
  readonly notes: RateLimitedLog;
}

/**
 * The state after an attempt. Retries wait 1 s, doubling up to 5 minutes. After 24 hours and `leastTries` attempts, the
 * event has failed.
 */
export function deliveryOutcome(event: Kept, notTaken: NotTaken | undefined, now: number): DeliveryOutcome {
  if (notTaken === undefined) return { state: "delivered", dueAt: null, problem: null };
  const { problem } = notTaken;
  const wantedAt = event.wantedAt ?? event.receivedAt;
  if (now - wantedAt >= givenUpAfterMs && event.tries + 1 >= leastTries)
    return { state: "failed", dueAt: null, problem };
  return { state: "new", dueAt: now + Math.min(firstWaitMs * 2 ** event.tries, waitMaxMs), problem };
}

/**
 * Delivers stored events from the inbox. An attempt whose outcome was not recorded, because the process was killed, is
 * repeated: twice is better than never.
 */
export class Forwarder {
  readonly #tools: ForwarderTools;
  readonly #underWay = new Map<number, Promise<void>>();
  /** Aborted to cancel attempts. */
  readonly #cut = new AbortController();
  #alarm = new AbortController();
  #isStopping = false;
  /** By the clock that never goes back. */
  #nextLookAt = 0;
  #running: Promise<void> | undefined;

  constructor(tools: ForwarderTools) {
    this.#tools = tools;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Called when an event may be due. */
  wake(): void {
    this.#alarm.abort();
  }

  /**
   * Delivers what is due now, once, without waiting for later attempts. Whatever is unfinished when `given` is aborted
   * is left to the next receiver.
   */
  async finish(given: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.wake();
    given.addEventListener("abort", () => this.#cut.abort(), { once: true });
    if (given.aborted) this.#cut.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#alarm = new AbortController();
      let restMs = lookMs;
      try {
        restMs = await this.#round();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#tools.notes.say("forwarding storage", `Nothing can be forwarded for now: ${why}`);
        if (this.#isStopping) this.#cut.abort();
      }
      if (this.#cut.signal.aborted || (this.#isStopping && this.#underWay.size === 0)) break;
      await this.#pause(restMs);
    }
    await Promise.all(this.#underWay.values());
  }

  /**
   * Starts due attempts, as many as the destination allows.
   * @returns after how long to look again, unless something happens before
   */
  async #round(): Promise<number> {
    const { clock, watch, recipient } = this.#tools;
    if (clock.elapsed() >= this.#nextLookAt) {
      await watch.adopt(clock.now(), clock.now() + waitMaxMs);
      this.#nextLookAt = clock.elapsed() + lookMs;
    }
    const free = recipient.maxAtOnce - this.#underWay.size;
    if (free <= 0) return lookMs;
    const due = await watch.due(clock.now(), recipient.maxAtOnce);
    const begun = due.filter(({ number }) => !this.#underWay.has(number)).slice(0, free);
    for (const event of begun) this.#begin(event);
    if (begun.length === free) return lookMs;
    const nextDueAt = (await watch.nextDueAt(clock.now())) ?? Infinity;
    return Math.min(nextDueAt - clock.now(), this.#nextLookAt - clock.elapsed());
  }

  #begin(event: Kept): void {
    const attempt = this.#deliver(event).finally(() => {
      this.#underWay.delete(event.number);
      this.wake();
    });
    this.#underWay.set(event.number, attempt);
  }

  async #deliver(event: Kept): Promise<void> {
    const { clock, recipient } = this.#tools;
    const { signal } = this.#cut;
    const notTaken = await recipient.deliver(event, signal).catch(asNotTaken);
    // We cancelled it, so its outcome is unknown.
    if (notTaken !== undefined && signal.aborted) return;
    const settlement = deliveryOutcome(event, notTaken, clock.now());
    if (await this.#record(event, settlement)) this.#report(event, settlement, clock.now());
  }

  /**
   * Records the outcome of an attempt, as soon as there is room. Until then, the event is not delivered again: its
   * receiver would get it once a second.
   * @returns false where the run ended before
   */
  async #record({ id, number }: Kept, settlement: DeliveryOutcome): Promise<boolean> {
    const { clock, inbox, notes } = this.#tools;
    const { signal } = this.#cut;
    for (;;) {
      try {
        await inbox.settle(number, settlement);
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        const why = error instanceof Error ? error.message : String(error);
        notes.say("forwarding storage", `What became of event ${id} cannot be recorded for now: ${why}`);
        await clock.sleep(firstWaitMs, signal).catch(() => undefined);
      }
    }
  }

  #report({ id }: Kept, { state, problem, dueAt }: DeliveryOutcome, now: number): void {
    const { recipient, notes } = this.#tools;
    if (state === "delivered") {
      if (notes.isOver("forwarding")) notes.say("forwarding again", `Events reach ${recipient.name} again.`);
    } else if (state === "failed") {
      notes.say(
        "given up",
        `Event ${id} was given up after 24 hours: ${problem ?? ""}. partner webhook inbox list --state failed`,
      );
    } else {
      const wait = formatDuration(Math.ceil(Math.max((dueAt ?? now) - now, 0) / secondMs) * secondMs);
      notes.say(
        "forwarding",
        `${recipient.name} does not take events: ${problem ?? ""}. Event ${id} is tried again in ${wait}, and so are others.`,
      );
    }
  }

  /** Waits so long, or until something happens. */
  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#alarm.signal, this.#cut.signal]);
    await this.#tools.clock.sleep(Math.max(ms, 0), signal).catch(() => undefined);
  }
}
