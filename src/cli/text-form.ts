import type { Format } from "../report/options.ts";

/** A result that is a text instead of data, such as a file to fill in. */
export interface TextForm {
  /** In words: `a CSV file`. */
  readonly is: string;
  /** The formats that can be set with it, in addition to the default. */
  readonly formats: readonly Format[];
  /** The flags about rows that apply to it. */
  readonly flags: readonly ("excel" | "delimiter")[];
}
