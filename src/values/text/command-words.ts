/** A space, a quoted part in either quote, an escaped character, or a run of plain ones. */
const part = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy;
/** Inside double quotes a backslash is itself, except before these. */
const escapedInQuotes = /\\([$`"\\\n])/g;

/**
 * The words of a command line, split at spaces as a shell would: quotes keep spaces, a backslash keeps the next
 * character. Nothing else is special (`$`, `*`, `|` and `~` are ordinary), because no shell will run it. Undefined
 * where a quote isn't closed, or the line ends in a backslash.
 */
export function commandWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    part.lastIndex = at;
    const found = part.exec(line);
    if (found === null) return undefined;
    at = part.lastIndex;
    const [, single, double, escaped, plain] = found;
    const text = single ?? double?.replaceAll(escapedInQuotes, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** A text as one word of a shell's command line, quoted where needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : singleQuoted(text);
}

/** The line that `commandWords` splits into these words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[^\s'"\\]+$/.test(word) ? word : singleQuoted(word))).join(" ");
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
