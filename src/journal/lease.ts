import type { HostTimes } from "../host/host-times.ts";
import { hostTimes } from "../host/host-times.ts";
import type { Clock, Machine } from "../host/host.ts";

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

/** The time by which the deadlines of attempts are written and judged, in milliseconds since 1970. */
export interface LeaseTime {
  /** No later than the true time: by it, others' attempts are over. */
  earliest(): number;
  /** No earlier than the true time: by it, the end of an own attempt is written. */
  latest(): number;
}

/** The time of one machine, for a journal that only its own processes write. */
export function machineTime(clock: Clock): LeaseTime {
  const now = () => clock.now();
  return { earliest: now, latest: now };
}

/**
 * The time of a server that several hosts share, so that a host whose clock is wrong neither calls others' attempts
 * over nor ends its own too early. It goes on by both clocks of this host: one may be set, the other may stop while the
 * host is suspended.
 * @param serverNow the server's time as it answered just now, in milliseconds since 1970
 * @param asked the host's own times before it asked: it may have been suspended since the server took its time
 */
export function serverTime(clock: Clock, serverNow: number, asked: HostTimes): LeaseTime {
  const since = (start: HostTimes) => {
    const { now, elapsed } = hostTimes(clock);
    return [serverNow + now - start.now, serverNow + elapsed - start.elapsed];
  };
  const answered = hostTimes(clock);
  // What has elapsed has fractions, and a deadline is kept as whole milliseconds.
  return {
    earliest: () => Math.floor(Math.min(...since(answered))),
    latest: () => Math.ceil(Math.max(...since(asked))),
  };
}
