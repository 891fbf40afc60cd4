import type { Output } from "../host/host.ts";

/** The same output, which is given `alter(text)` for each text; bytes stay what they are. */
export function alteredOutput(output: Output, alter: (text: string) => string): Output {
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
    write: (bytes) => output.write(typeof bytes === "string" ? alter(bytes) : bytes),
  };
}
