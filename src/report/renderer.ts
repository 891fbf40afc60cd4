import type { Row } from "./report.ts";

/**
 * Renders rows in one format, a slice at a time: `head`, any number of `body`, `foot`. It only makes text, and doesn't
 * know where that goes.
 */
export interface Renderer {
  /** Announces coming rows, where they are known before `head`. */
  foresee?(rows: readonly Row[]): Promise<void>;
  head(): Promise<string> | string;
  body(rows: readonly Row[]): Promise<string> | string;
  foot(): string;
  /** Notes for stderr about the text. */
  notes?(): readonly string[];
}
