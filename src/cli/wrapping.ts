import type { Output } from "../host/host.ts";
import { wrapProse } from "../report/terminal/prose.ts";
import { alteredOutput } from "./altered-output.ts";

/** In columns. A narrower terminal breaks the lines itself. */
const minWidth = 20;
/**
 * An output whose lines are broken at blanks, before a terminal breaks them inside words. Off a terminal, and where its
 * width is not known, nothing changes. Neither does a line of JSON, or a text that redraws its line.
 */
export function wrapping(output: Output): Output {
  return alteredOutput(output, (text) => {
    const { columns = 0 } = output;
    const isKept = text.includes("\r") || columns < minWidth || !output.isTerminal;
    return isKept ? text : wrapProse(text, columns);
  });
}
