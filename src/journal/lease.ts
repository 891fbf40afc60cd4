import type { Machine } from "../host/host.ts";

/**
 * How much later than its deadline an attempt may still be running: clocks of two machines differ, and a process can
 * be put to sleep.
 */
export const lateMarginMs = 10 * 60_000;

/** The process that holds an order, and when its attempt is over at the latest, in milliseconds since 1970. */
export interface Owner {
  /** `host.machine.processMark()` of that process. */
  readonly mark: string;
  readonly endsAt: number;
}

/**
 * True when the process that held an order is gone. On one machine the process itself can be checked, on Linux
 * reliably. From another machine or container it can't: then the owner counts as alive until its deadline and a margin
 * are over.
 * A wrong answer costs no money. An order that was `sending` is never sent again in any case, and one that was
 * `prepared` gets a new token, without which the old owner can't send it.
 */
export function isOwnerGone(owner: Owner, machine: Machine, now: number): boolean {
  const fate = machine.processFate(owner.mark);
  return fate === "ended" || (fate === "unclear" && now > owner.endsAt);
}
