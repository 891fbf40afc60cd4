import type { Output } from "../host/host.ts";
import { wrapText } from "../report/terminal/cut-text.ts";
import { widthOf } from "../report/terminal/text-width.ts";

/** In columns. A terminal that is narrower breaks the lines itself. */
const leastWidth = 20;
/** What a line begins with that goes on below it: its margin, and a name that its text is beside. */
const margin = /^ *(?:(?<= )\S+(?: \S+)*? {2,})?/;
/** A command to copy at the end of a line. */
const commandAtEnd = /^(.*\S:) (partner [^.;]*(?:[.;]\S[^.;]*)*)$/s;
/** What has no width. */
const colours = /\p{Cc}\[[\d;]*m/gu;

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
      return output.write(isKept ? bytes : wrapped(bytes, columns));
    },
  };
}

function wrapped(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => linesOf(line, width))
    .join("\n");
}

function linesOf(line: string, width: number): readonly string[] {
  if (line.startsWith("{") || widthOf(line.replace(colours, "")) <= width) return [line];
  const [, told = "", command] = commandAtEnd.exec(line) ?? [];
  // A shell takes the line as it is copied, so it has no line end of ours in it.
  if (command !== undefined) return [...linesOf(told, width), `  ${command}`];
  const [before = ""] = margin.exec(line) ?? [];
  const first = widthOf(before) <= width / 2 ? before : (/^ */.exec(before)?.[0] ?? "");
  const [begun = "", ...rest] = wrapText(line.slice(first.length), width - widthOf(first));
  return [first + begun, ...rest.map((part) => " ".repeat(widthOf(first)) + part)];
}
