import type { OrderLines, RedactionTools } from "./redacted-order.ts";

/** A row of a statement as JSON text, and the reference that it was noted under. */
export interface NotedRow {
  readonly reference: string;
  readonly row: string;
}

/** Gives a noted row without personal data; undefined where it has none, or is too young. */
export type SeenCover = (noted: NotedRow) => NotedRow | undefined;

/**
 * `over`: nothing was decided about it, or became of its orders, since a time; `redacted`: its file, texts and names are
 * gone; `young`: it was submitted or decided about since then; `open`: it is not over, or its orders were not then.
 */
export const batchStandingWords = ["over", "redacted", "young", "open"] as const;
export type BatchStanding = (typeof batchStandingWords)[number];

/** Removes personal data from a journal. */
export interface Redacting {
  /**
   * Redacts finished orders and their history, in one transaction. Unfinished ones, and those that have changed
   * meanwhile, stay as they are.
   * @returns how many were redacted
   */
  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number>;
  /**
   * Redacts rows of statements that were noted without an order.
   * @param isLook true to change nothing
   * @returns how many have personal data
   */
  redactSeen(without: SeenCover, isLook: boolean): Promise<number>;
  /**
   * The standing of submitted batches, by their ids. @param before milliseconds since 1970; batches that were over
   * before then count as over
   */
  submitted(before: number): Promise<ReadonlyMap<string, BatchStanding>>;
  /**
   * Redacts a submitted batch that is over: its file, its decisions and their history. Its orders follow by `redact`.
   * @returns false where it is not over, or has changed meanwhile
   */
  redactBatch(batch: OrderLines, tools: RedactionTools): Promise<boolean>;
}
