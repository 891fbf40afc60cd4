import type { Row } from "./report.ts";

/**
 * One way to write rows down, a slice at a time: `head`, any number of `body`, `foot`. It only makes text. Whether and
 * where the text goes out is not its business.
 */
export interface Renderer {
  /** Shows it rows that will come, where they are known before `head`. */
  foresee?(rows: readonly Row[]): Promise<void>;
  head(): Promise<string> | string;
  body(rows: readonly Row[]): Promise<string> | string;
  foot(): string;
  /** Notes for stderr about what it wrote. */
  notes?(): readonly string[];
}
