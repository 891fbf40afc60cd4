import { Transform } from "node:stream";

const [begins, ends] = ["\u001b[200~", "\u001b[201~"];
/** Asks a terminal to put marks around pasted text, and to stop doing so. */
const [marked, unmarked] = ["\u001b[?2004h", "\u001b[?2004l"];
/** A line break within a pasted text: nothing that is asked for has one, so a check refuses it. */
const lineBreak = "↵";

/** A terminal in which a pasted text is one answer. */
export interface PasteInput {
  readonly input: NodeJS.ReadableStream;
  /** Gives the terminal back as it was. */
  release(): void;
}

/**
 * Reads a terminal so that a line break at the ends of pasted text doesn't submit the answer: it and the blanks there
 * are dropped. Without marks, input that arrives at once with a line break in it counts as pasted, too.
 */
export function pasteInput(terminal: NodeJS.ReadableStream, output: NodeJS.WritableStream): PasteInput {
  let pasted: string | undefined;
  const taken = (text: string): string => {
    const mark = pasted === undefined ? begins : ends;
    const at = text.indexOf(mark);
    const [before, after] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
    if (pasted === undefined) {
      if (at >= 0) pasted = "";
      return typed(before) + (at < 0 ? "" : taken(after));
    }
    pasted += before;
    if (at < 0) return "";
    const whole = tidy(pasted);
    pasted = undefined;
    return whole + taken(after);
  };
  const input = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, taken(chunk.toString())),
  });
  if ("setRawMode" in terminal) Object.assign(input, { isTTY: true, setRawMode: (is: boolean) => raw(terminal, is) });
  terminal.pipe(input);
  output.write(marked);
  return {
    input,
    release() {
      terminal.unpipe(input);
      terminal.pause();
      if (output.writable) output.write(unmarked);
    },
  };
}

function raw(terminal: NodeJS.ReadableStream, isRaw: boolean): void {
  if ("setRawMode" in terminal && typeof terminal.setRawMode === "function") terminal.setRawMode(isRaw);
}

/** Keys come one by one; several of them with a line break that is not the last were pasted. */
function typed(text: string): string {
  if (!/[\r\n]./s.test(text)) return text;
  const ending = /[\r\n]\s*$/.test(text) ? "\r" : "";
  return tidy(text) + ending;
}

function tidy(text: string): string {
  return text.trim().replaceAll(/[\r\n]+/g, lineBreak);
}
