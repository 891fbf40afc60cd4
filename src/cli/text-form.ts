import type { Format } from "../report/options.ts";

/** A result that is no data but a text of its own, such as a file to fill in. */
export interface TextForm {
  /** In words: `a CSV file`. */
  readonly is: string;
  /** The formats that can be set with it, besides the default. */
  readonly formats: readonly Format[];
  /** Which of the flags about rows it obeys. */
  readonly flags: readonly ("excel" | "delimiter")[];
}
