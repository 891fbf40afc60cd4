import { wrapText } from "./cut-text.ts";
import { widthOf } from "./text-width.ts";

/**
 * The beginning of a line: its indentation, and a name before its text. Continuation lines are indented by its width.
 */
const margin = /^ *(?:(?<= )\S+(?: \S+)*? {2,})?/;
/** A command to copy at the end of a line, or several with semicolons between. */
const commandAtEnd = /^(.*\S:) (partner [^.;]*(?:(?:[.;]\S|; partner )[^.;]*)*)$/s;
/** Commands to copy before further sentences. */
const commandsInside = /(?<=\S: )partner (?:[^.;]|[.;]\S)*(?=\. )/gu;
/** Between commands to choose from. */
const alternative = / or (?=partner )/u;
/** JSON to copy there. */
const jsonAtEnd = /^(.*?\S:) (\{".*\})$/s;
/** Escape codes of colours. */
const colours = () => /\p{Cc}\[[\d;]*m/gu;

/** Breaks lines between words where a terminal would break them inside words. */
export function wrapProse(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => linesOf(line, width))
    .join("\n");
}

/** A coloured label at the beginning of a line. */
const colouredLabel = () => /^(\p{Cc}\[[\d;]*m)(\S+)(\p{Cc}\[[\d;]*m)/u;

function linesOf(line: string, width: number): readonly string[] {
  const [coloured = "", on = "", label = "", off = ""] = colouredLabel().exec(line) ?? [];
  if (coloured === "") return plainLinesOf(line, width);
  // Escape codes of colours have no width.
  const [first = "", ...rest] = plainLinesOf(label + line.slice(coloured.length), width);
  return [on + label + off + first.slice(label.length), ...rest];
}

function plainLinesOf(line: string, width: number): readonly string[] {
  if (line.startsWith("{") || widthOf(line.replace(colours(), "")) <= width) return [line];
  const [, told = "", copied] = commandAtEnd.exec(line) ?? jsonAtEnd.exec(line) ?? [];
  // What is copied into a shell or a file is never wrapped.
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (copied !== undefined)
    return [...plainLinesOf(told, width), ...copied.split(alternative).map((command) => `${indent}  ${command}`)];
  const wrapped = wrappedLinesOf(line, width);
  // Broken, its parts would be run as commands of their own.
  const broken = [...line.matchAll(commandsInside)].find(([each]) => wrapped.every((part) => !part.includes(each)));
  if (broken === undefined) return wrapped;
  const [[command], at] = [broken, broken.index];
  const after = line.slice(at + command.length + ". ".length);
  return [
    ...plainLinesOf(line.slice(0, at).trimEnd(), width),
    `${indent}  ${command}`,
    ...plainLinesOf(indent + after, width),
  ];
}

function wrappedLinesOf(line: string, width: number): readonly string[] {
  const [before = ""] = margin.exec(line) ?? [];
  const first = widthOf(before) <= width / 2 ? before : (/^ */.exec(before)?.[0] ?? "");
  const [begun = "", ...rest] = wrapText(line.slice(first.length), width - widthOf(first));
  return [first + begun, ...rest.map((part) => " ".repeat(widthOf(first)) + part)];
}
