import type { Rows } from "../contract/endpoint.ts";
import { dayOfTimestamp } from "../values/time/wall-time.ts";
import { textIn } from "./entry.ts";

/**
 * Statements of consecutive periods as one statement, which may be read again like each of them. Where rows come newest
 * first, so do the pieces.
 */
export async function joinPieces(pieces: readonly Rows[]): Promise<Rows> {
  const ordered = (await isNewestFirst(pieces)) ? pieces.toReversed() : pieces;
  return {
    async *[Symbol.asyncIterator]() {
      for (const piece of ordered) yield* piece;
    },
  };
}

/** Decided by the first piece with rows of two days, else by the first one with two times. */
async function isNewestFirst(pieces: readonly Rows[]): Promise<boolean> {
  let byTime: boolean | undefined;
  for (const piece of pieces) {
    let first: string | undefined;
    for await (const batch of piece) {
      for (const row of batch) {
        const time = textIn(row, "valueDate");
        const day = dayOfTimestamp(time);
        if (day === undefined) continue;
        first ??= time;
        if (day !== dayOfTimestamp(first)) return time < first;
        if (time !== first) byTime ??= time < first;
      }
    }
  }
  return byTime ?? false;
}
