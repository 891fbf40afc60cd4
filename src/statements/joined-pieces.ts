import type { Rows } from "../contract/endpoint.ts";
import { dayOfTimestamp } from "../values/wall-time.ts";
import { textIn } from "./entry.ts";

/**
 * The statements of days that follow each other as one statement, which may be read again like each of them. Where
 * rows come newest first, so do the pieces.
 */
export async function joinPieces(pieces: readonly Rows[]): Promise<Rows> {
  const ordered = (await isNewestFirst(pieces)) ? pieces.toReversed() : pieces;
  return {
    async *[Symbol.asyncIterator]() {
      for (const piece of ordered) yield* piece;
    },
  };
}

/** Decided by the first piece in which rows of two days stand. */
async function isNewestFirst(pieces: readonly Rows[]): Promise<boolean> {
  for (const piece of pieces) {
    let first: string | undefined;
    for await (const batch of piece) {
      for (const row of batch) {
        const day = dayOfTimestamp(textIn(row, "valueDate"));
        first ??= day;
        if (first !== undefined && day !== undefined && day !== first) return day < first;
      }
    }
  }
  return false;
}
