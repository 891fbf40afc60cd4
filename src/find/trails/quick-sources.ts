import type { TextHints } from "../../values/text/text-hints.ts";
import type { Trace, TraceSource } from "../trace.ts";
import type { NumbersIndex } from "./trail.ts";

/** Traces that are read at once. */
const togetherMax = 500;

/**
 * A source that reads what its index gives; all of it where something is sought that has no terms, or the index is
 * damaged.
 * @param read the traces with these numbers
 */
export function indexed(
  all: TraceSource,
  index: NumbersIndex,
  read: (numbers: readonly number[]) => Iterable<Trace>,
): TraceSource {
  return {
    ...all,
    async *traces(sought, isKnown, hints) {
      const isOfAll = sought.some((terms) => terms.length === 0);
      const numbers = isOfAll ? undefined : index.numbersWith(sought);
      if (numbers === undefined) yield* all.traces(sought, isKnown, hints);
      else for (let at = 0; at < numbers.length; at += togetherMax) yield* read(numbers.slice(at, at + togetherMax));
    },
  };
}

/**
 * A source on a server, which looks into texts itself; all of it where every text may be meant.
 * @param read the traces that may hold what is sought; undefined where the server cannot tell
 */
export function hinted(all: TraceSource, read: (hints: TextHints) => AsyncIterable<Trace> | undefined): TraceSource {
  return {
    ...all,
    traces: (sought, isKnown, hints) =>
      (hints === undefined ? undefined : read(hints)) ?? all.traces(sought, isKnown, hints),
  };
}
