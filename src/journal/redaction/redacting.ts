import type { OrderLines, RedactionTools } from "./redacted-order.ts";

/** What takes personal data out of a journal. */
export interface Redacting {
  /**
   * Takes it out of finished orders and their history, all of these or none. Those that are not finished, or of which
   * something was added meanwhile, stay as they are.
   * @returns how many it was taken out of
   */
  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number>;
  /** Batches whose orders stay as they are: what people submitted and decided is of exactly that. */
  submitted(): Promise<ReadonlySet<string>>;
}
