import type { Sought } from "../../ledger/terms/term.ts";
import type { Trace } from "../trace.ts";

/** What a trace can be found by. */
export type FindableTrace = Pick<Trace, "ids" | "aliases" | "words" | "parties" | "amounts" | "shortens">;

/** Something with a number in its source. */
export interface Numbered {
  readonly number: number;
  readonly findable: FindableTrace;
}

/**
 * A source that is indexed incrementally: each change has a line, and line numbers only grow. A machine has one source
 * of each kind.
 */
export interface Trail {
  readonly kind: keyof typeof trailNumbers;
  /** Identifies the source: another file in its place has another origin. */
  readonly origin: string;
  /** False where reading all of it is faster than building an index. */
  isLong(): boolean;
  /**
   * The last line of the next stretch after `line`, small enough for one transaction; undefined where there is none.
   */
  stretchAfter(line: number): number | undefined;
  /** A mark that identifies the line; undefined where it is gone. */
  markOf(line: number): string | undefined;
  /** What has changed in the lines after `line`, up to `last`. */
  changed(line: number, last: number): Iterable<Numbered>;
}

/** The numbers of the sources in the index. */
export const trailNumbers = { orders: 1, events: 2 } as const;

/** An index of one source. */
export interface NumbersIndex {
  /** The numbers of what may match, ascending. Undefined where all of the source has to be read. */
  numbersWith(sought: Sought): readonly number[] | undefined;
}
