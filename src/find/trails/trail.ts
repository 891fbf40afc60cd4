import type { Sought } from "../../ledger/terms/term.ts";
import type { Trace } from "../trace.ts";

/** By what a trace can be found. */
export type Findable = Pick<Trace, "ids" | "aliases" | "words" | "parties" | "amounts" | "shortens">;

/** Something with a number in its source. */
export interface Numbered {
  readonly number: number;
  readonly findable: Findable;
}

/**
 * A source whose index goes on where it ended: each change of it has a line, and lines only grow. Two sources of a
 * machine have two kinds.
 */
export interface Trail {
  readonly kind: keyof typeof trailNumbers;
  /** What tells the source from another one of its kind, such as an exchanged file. */
  readonly origin: string;
  /** False where all of it is read faster than an index is made. */
  isLong(): boolean;
  /** The last line of the next stretch, small enough for one transaction; undefined where nothing comes after `line`. */
  stretchAfter(line: number): number | undefined;
  /** What the line of that number is known by; undefined where it is gone. */
  markOf(line: number): string | undefined;
  /** What has changed in the lines after `line`, up to `last`. */
  changed(line: number, last: number): Iterable<Numbered>;
}

/** The numbers of the sources in the index. */
export const trailNumbers = { orders: 1, events: 2 } as const;

/** An index of one source. */
export interface NumbersIndex {
  /** The numbers of what can be meant, upwards; some of it is not. Undefined where all of the source has to be read. */
  numbersWith(sought: Sought): readonly number[] | undefined;
}
