import { expect } from "vitest";

/** Matches any text that contains this one, inside an expected value. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}
