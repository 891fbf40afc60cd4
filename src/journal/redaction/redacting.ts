import type { OrderLines, RedactionTools } from "./redacted-order.ts";

/** Removes personal data from a journal. */
export interface Redacting {
  /**
   * Redacts finished orders and their history, all of these or none. Unfinished ones, and those that have changed
   * meanwhile, stay as they are.
   * @returns how many were redacted
   */
  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number>;
  /** Batches whose orders stay as they are: what people submitted and decided is of exactly that. */
  submitted(): Promise<ReadonlySet<string>>;
}
