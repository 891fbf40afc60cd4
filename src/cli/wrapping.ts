import type { Output } from "../host/host.ts";
import { wrapProse } from "../report/terminal/prose.ts";

/** In columns. A terminal that is narrower breaks the lines itself. */
const leastWidth = 20;
/**
 * An output whose lines a terminal does not break in the middle of words: they are broken at blanks before. Off a
 * terminal, and where its width is not known, every byte stays. So does a line of JSON, and what redraws its line.
 */
export function wrapping(output: Output): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    get closed() {
      return output.closed;
    },
    write(bytes) {
      const { columns = 0 } = output;
      const isKept = typeof bytes !== "string" || bytes.includes("\r") || columns < leastWidth || !output.isTerminal;
      return output.write(isKept ? bytes : wrapProse(bytes, columns));
    },
  };
}
