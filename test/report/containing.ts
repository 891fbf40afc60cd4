import { expect } from "vitest";

/** Stands for any text that holds this one, inside of what is expected. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}
