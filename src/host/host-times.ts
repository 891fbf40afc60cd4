import type { Clock } from "./host.ts";

/** What a host's two clocks say at one moment, in milliseconds: one may be set, the other may stop during a suspension. */
export interface HostTimes {
  readonly now: number;
  readonly elapsed: number;
}

export function hostTimes(clock: Pick<Clock, "now" | "elapsed">): HostTimes {
  return { now: clock.now(), elapsed: clock.elapsed() };
}
