import { Transform } from "node:stream";

const [begins, ends] = ["\u001b[200~", "\u001b[201~"];
/** The key that empties a line. */
const emptied = "\u0015";
/** Turn on and off a terminal's marks around pasted text. */
const [marked, unmarked] = ["\u001b[?2004h", "\u001b[?2004l"];
/** Replaces a line break within pasted text. No valid answer has one, so its check refuses it. */
const lineBreak = "↵";

/** A terminal in which pasted text is one answer. */
export interface PasteInput {
  readonly input: NodeJS.ReadableStream;
  /** What is entered next replaces what is on the line; Enter alone submits it again. */
  startOver(): void;
  /** Restores the terminal. */
  release(): void;
}

/**
 * Reads a terminal so that line breaks at the start or end of pasted text don't submit the answer: they and the spaces
 * there are dropped. Without marks, input that arrives at once with a line break inside counts as pasted, too.
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
  let isStartedOver = false;
  const input = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const entered = taken(chunk.toString());
      const replaces = isStartedOver && /[^\r\n]/.test(entered);
      if (replaces) isStartedOver = false;
      done(null, replaces ? emptied + entered : entered);
    },
  });
  if ("setRawMode" in terminal) Object.assign(input, { isTTY: true, setRawMode: (is: boolean) => raw(terminal, is) });
  terminal.pipe(input);
  output.write(marked);
  return {
    input,
    startOver: () => void (isStartedOver = true),
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

/** Keys arrive one by one; several at once, with a line break before the last, were pasted. */
function typed(text: string): string {
  if (!/[\r\n]./s.test(text)) return text;
  const ending = /[\r\n]/.test(text.slice(text.trimEnd().length)) ? "\r" : "";
  return tidy(text) + ending;
}

function tidy(text: string): string {
  return text.trim().replaceAll(/[\r\n]+/g, lineBreak);
}
