import type { Output } from "../host/host.ts";
import { withoutSecrets } from "../values/text/without-secrets.ts";
import { wrapProse } from "../report/terminal/prose.ts";

/** In columns. A narrower terminal breaks the lines itself. */
const minWidth = 20;

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

/**
 * An output that never shows a secret, wherever the text came from: the transcript, an error of the service that quotes
 * our own header, a library. Secrets are added to the set when they are first looked up.
 */
export function redacting(output: Output, secrets: ReadonlySet<string>): Output {
  return alteredOutput(output, (text) => withoutSecrets(text, secrets));
}

/**
 * An output whose lines are broken at spaces, before a terminal breaks them inside words. Off a terminal, and where its
 * width is not known, nothing changes. Neither does a line of JSON, or a text that redraws its line.
 */
export function wrapping(output: Output): Output {
  return alteredOutput(output, (text) => {
    const { columns = 0 } = output;
    const isKept = text.includes("\r") || columns < minWidth || !output.isTerminal;
    return isKept ? text : wrapProse(text, columns);
  });
}
