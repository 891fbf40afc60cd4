import type { Machine } from "../host/host.ts";

/**
 * How much later than its deadline an attempt may still be running: clocks of two machines differ, and a process can
 * be put to sleep.
 */
export const lateMarginMs = 10 * 60_000;

/** The process that holds an order, and until when it can be at it. */
export interface Owner {
  /** `host.machine.processMark()` of that process. */
  readonly mark: string;
  readonly endsAt: number;
}

/**
 * True when the process that holds an order does so no longer. On one machine that is told from the process itself,
 * on Linux beyond doubt. From another machine or another container it cannot be told: then the owner counts as
 * alive until its deadline and a margin are over.
 *
 * To be wrong costs no money. An order that was `sending` is never sent again whatever is thought of its owner, and one
 * that was `prepared` is taken over with a token that the old owner does not have when it wants to send.
 */
export function isGone(owner: Owner, machine: Machine, now: number): boolean {
  const fate = machine.processFate(owner.mark);
  return fate === "ended" || (fate === "unclear" && now > owner.endsAt);
}
