import type { Host } from "../src/host/host.ts";
import type { StopSignal } from "../src/values/failure.ts";

/** Every signal that asks a run to stop, with the exit code of a run that it stops. */
export const stopSignals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 143],
] as const satisfies readonly (readonly [StopSignal, number])[];

/** A person who stops a run: once, and then for good. */
export interface Person {
  /** Goes into a run's host. */
  readonly host: Pick<Host, "signal" | "giveUp">;
  /** The first call asks the run to stop, the second one to give up. */
  readonly stop: (signal: StopSignal) => void;
}

export function person(): Person {
  const [first, second] = [new AbortController(), new AbortController()];
  return {
    host: { signal: first.signal, giveUp: second.signal },
    stop: (signal) => (first.signal.aborted ? second : first).abort(signal),
  };
}
