import type { TextHints } from "../../values/text/text-hints.ts";
import type { Trace, TraceSource } from "../trace.ts";
import type { NumbersIndex } from "./trail.ts";

/** Traces that are read at once. */
const togetherMax = 500;

/**
 * A source that reads what its index finds; everything where a set of terms is empty, or the index is damaged.
 * @param read reads the traces with these numbers
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
 * A source on a server, which searches texts itself; everything where every text may match.
 * @param read reads the traces that may match; undefined where the server can't tell
 */
export function hinted(all: TraceSource, read: (hints: TextHints) => AsyncIterable<Trace> | undefined): TraceSource {
  return {
    ...all,
    traces: (sought, isKnown, hints) =>
      (hints === undefined ? undefined : read(hints)) ?? all.traces(sought, isKnown, hints),
  };
}
