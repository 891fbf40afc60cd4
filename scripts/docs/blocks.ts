/**
 * The code blocks of a page, each marked with its language behind the three backticks:
 *
 *     sh                 run by a shell; ends with 0
 *     sh exit=9          the same, and ends with 9
 *     output             what the block before it printed, stdout and stderr together
 *     csv file=book.csv  written to this file, which later blocks can use; any language
 *     crontab            the command of each line is run once
 *     json               is JSON
 *     text               not run: needs another machine, a person, or money
 *
 * All blocks of a page are run in their order, in one folder, inside of one simulator. `<!-- world: simulator run … -->`
 * above them chooses another simulator.
 */
export interface Page {
  /** Words after `partner` that start what the blocks run inside of. */
  readonly world: readonly string[];
  readonly blocks: readonly Block[];
}

export interface Block {
  /** The line of its first backticks in the page, from 1. */
  readonly line: number;
  readonly language: string;
  /** The exit code that it ends with. */
  readonly exit: number;
  /** The file that it is written to. */
  readonly file: string | undefined;
  readonly text: string;
}

const defaultWorld = "simulator run --seed-number 7";

/** @throws {Error} for a block without a language or with one that the list above does not have */
export function parsePage(markdown: string): Page {
  const [, world = defaultWorld] = /^<!-- world: (.*) -->$/m.exec(markdown) ?? [];
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null) open = { line: index + 1, info: fence[1] ?? "", lines: [] };
    } else if (fence === null) open.lines.push(line);
    else {
      blocks.push(blockOf(open.line, open.info, open.lines));
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`The block at line ${open.line} has no end.`);
  return { world: world.split(" "), blocks };
}

const languages = new Set(["sh", "output", "crontab", "json", "text", "yaml"]);

function blockOf(line: number, info: string, lines: readonly string[]): Block {
  const [language = "", ...attributes] = info.split(" ");
  const given = new Map(attributes.map((attribute): [string, string] => splitAt(attribute)));
  const file = given.get("file");
  if (file === undefined && !languages.has(language))
    throw new Error(`Line ${line}: no block is called "${language}".`);
  return {
    line,
    language,
    exit: Number(given.get("exit") ?? 0),
    file,
    text: lines.map((text) => `${text}\n`).join(""),
  };
}

function splitAt(attribute: string): [string, string] {
  const at = attribute.indexOf("=");
  return [attribute.slice(0, at), attribute.slice(at + 1)];
}

/** The page with other texts in its `output` blocks, by the lines of the blocks. */
export function withOutputs(markdown: string, outputs: ReadonlyMap<number, string>): string {
  const lines = markdown.split("\n");
  for (const [line, text] of [...outputs].toSorted(([one], [other]) => other - one)) {
    const length = lines.slice(line).indexOf("```");
    lines.splice(line, length, ...text.replace(/\n$/, "").split("\n"));
  }
  return lines.join("\n");
}
