import type { Trace } from "./trace.ts";

/** More traces would need too much memory: they are read again. */
const heldMaxCount = 20_000;

/** Reads traces once, if they are not too many, and yields them as often as needed. */
export function remembered(read: () => AsyncIterable<Trace>): () => AsyncIterable<Trace> {
  let whole: readonly Trace[] | undefined;
  return async function* traces() {
    if (whole !== undefined) {
      yield* whole;
      return;
    }
    let held: Trace[] | undefined = [];
    for await (const trace of read()) {
      if (held !== undefined && held.push(trace) > heldMaxCount) held = undefined;
      yield trace;
    }
    whole = held;
  };
}
