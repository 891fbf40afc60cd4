import type { Output } from "../host/host.ts";
import { wrapProse } from "../report/terminal/prose.ts";
import { alteredOutput } from "./altered-output.ts";

/** In columns. A terminal that is narrower breaks the lines itself. */
const leastWidth = 20;
/**
 * An output whose lines a terminal does not break in the middle of words: they are broken at blanks before. Off a
 * terminal, and where its width is not known, every byte stays. So does a line of JSON, and what redraws its line.
 */
export function wrapping(output: Output): Output {
  return alteredOutput(output, (text) => {
    const { columns = 0 } = output;
    const isKept = text.includes("\r") || columns < leastWidth || !output.isTerminal;
    return isKept ? text : wrapProse(text, columns);
  });
}
