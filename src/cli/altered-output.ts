import type { Output } from "../host/host.ts";

/** The same output, with `alter` applied to each text; bytes pass through unchanged. */
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
