import { wrapText } from "../../report/terminal/cut-text.ts";
import { widthOf } from "../../report/terminal/text-width.ts";

/** A part of a help page under a heading; the first one may have none. */
export interface HelpSection {
  readonly heading?: string | undefined;
  readonly blocks: readonly HelpBlock[];
}

/** A part of a section. It has only the words: lines are broken to fit the terminal. */
export type HelpBlock =
  /** Sentences; each line of the text starts a new line on the page. */
  | { readonly kind: "prose"; readonly text: string }
  /** Names, each with its description. */
  | { readonly kind: "entries"; readonly entries: readonly HelpEntry[] }
  /** Command lines to copy. A long one continues after a backslash, as in a shell. */
  | { readonly kind: "commands"; readonly lines: readonly string[] };
export type HelpEntry = readonly [name: string, text: string];

export function prose(text: string): HelpBlock {
  return { kind: "prose", text };
}

export function entries(...listed: readonly HelpEntry[]): HelpBlock {
  return { kind: "entries", entries: listed };
}

export function commands(...lines: readonly string[]): HelpBlock {
  return { kind: "commands", lines };
}

/** Prose in longer lines is hard to read. */
const lineMaxWidth = 100;
/** Narrower terminals break the lines themselves. */
const lineMinWidth = 30;
/** The width off a terminal, as for manual pages. */
const usualWidth = 80;
/** A description with fewer columns than these beside its name goes below it. */
const textMinWidth = 24;
/** Keeps a flag with its value, and quoted words together. */
const commandWord = /--[a-z-]+ (?:"[^"]*"|'[^']*'|[^\s-]\S*)|(?:"[^"]*"|'[^']*'|\S)+/g;
const indent = "  ";
const deeper = "      ";

/**
 * A page for a terminal with this many columns (undefined: no terminal). Words are never broken: one that is longer
 * than a line gets a line of its own.
 */
export function laidOut(sections: readonly HelpSection[], columns: number | undefined, bold: boolean): string {
  const width = Math.max(lineMinWidth, Math.min(columns ?? usualWidth, lineMaxWidth));
  const parts = sections.map(({ heading, blocks }) => {
    const hasProse = blocks.some(({ kind }) => kind === "prose");
    const body = blocks.map((block) => {
      const margin = heading === undefined ? "" : hasProse && block.kind === "commands" ? indent + indent : indent;
      return blockLines(block, margin, width).join("\n");
    });
    const head = heading === undefined ? "" : `${bold ? `\u001b[1m${heading}\u001b[0m` : heading}\n`;
    return `${head}${body.join("\n\n")}\n`;
  });
  return parts.join("\n");
}

/** The number of lines of a page. */
export function lineCount(page: string): number {
  return page.split("\n").length - 1;
}

function blockLines(block: HelpBlock, margin: string, width: number): string[] {
  if (block.kind === "entries") return entryLines(block.entries, margin, width);
  if (block.kind === "commands") return block.lines.flatMap((line) => commandLines(line, margin, width));
  return block.text.split("\n").flatMap((line) => {
    const mark = line.startsWith("- ") ? "- " : "";
    return hangingLines(line.slice(mark.length), margin + mark, margin + " ".repeat(mark.length), width);
  });
}

/** Names form a column; the text of a long name goes below it. */
function entryLines(listed: readonly HelpEntry[], margin: string, width: number): string[] {
  const room = width - margin.length - indent.length - textMinWidth;
  const widths = listed.map(([name]) => widthOf(name)).filter((wide) => wide <= room);
  const column = Math.max(0, ...widths);
  const isStacked = widths.length === 0 || widths.length < listed.length / 2;
  const under = isStacked ? margin + deeper : margin + " ".repeat(column + indent.length);
  return listed.flatMap(([name, text]) => {
    if (text === "") return [margin + name];
    if (isStacked || widthOf(name) > column)
      return [...hangingLines(name, margin, margin + deeper, width), ...hangingLines(text, under, under, width)];
    return hangingLines(text, margin + name + " ".repeat(column - widthOf(name) + indent.length), under, width);
  });
}

function commandLines(line: string, margin: string, width: number): string[] {
  const room = width - margin.length - deeper.length;
  if (widthOf(line) <= width - margin.length) return [margin + line];
  const lines: string[] = [];
  const units = line.match(commandWord) ?? [];
  for (const word of units.flatMap((unit) => (widthOf(unit) > room ? unit.split(/(?<=^--\S+) /) : [unit]))) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + widthOf(word) + 1 <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(
    (part, at) => margin + (at === 0 ? "" : indent + indent) + part + (at < lines.length - 1 ? " \\" : ""),
  );
}

/** A text in lines, the first one after `first`, the others after `rest`, which is at least as wide. */
function hangingLines(text: string, first: string, rest: string, width: number): string[] {
  return wrapText(text, width - widthOf(rest)).map((line, at) => ((at === 0 ? first : rest) + line).trimEnd());
}
