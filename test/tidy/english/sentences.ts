import { banned, relativesMax, wordsMax } from "./rules.ts";

/**
 * The text of a Markdown page that people read: without code blocks, comments and addresses; `code` counts as one
 * word.
 */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^(\s*)```[\s\S]*?^\s*```$/gm, "\n\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/!?\[((?:[^\]`]|`[^`]*`)*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`[^`\n]+(?:\n[^`\n]+)?`/g, "CODE")
    .replaceAll(/\*\*|__/g, "");
}

/** The sentences of a text: a paragraph, a heading, an item of a list and a cell of a table each end one. */
export function sentencesOf(prose: string): string[] {
  const paragraphs = prose.split(/\n\s*\n|\n(?=\s*(?:[-*#|>]|\d+\.) ?)|(?<=^#.*)\n| \| |\|\n|^\| /m);
  return paragraphs
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?]["')]?) (?=[^a-z])/))
    .map((sentence) => sentence.replace(/^(?:[-*#|>]+|\d+\.) /, "").trim())
    .filter((sentence) => /\w/.test(sentence));
}

/** Names of flags, files and settings are easy to read and do not count. */
export function wordsIn(sentence: string): number {
  const words = sentence.split(/[\s/–—]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.filter((word) => !/^[("']*(?:--|\.)|[\w)][._=|][\w{]|[a-z][A-Z]|[A-Z]-[A-Z]/.test(word)).length;
}

export function isLong(sentence: string): boolean {
  return wordsIn(sentence) > wordsMax;
}

/** What is wrong with a text, one line each: the words and what to write instead. */
export function faultsIn(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => {
    const faults = banned.flatMap(({ pattern, instead }) => {
      const [found] = pattern.exec(sentence) ?? [];
      return found === undefined ? [] : [`"${found.trim()}" (${instead}): ${sentence}`];
    });
    const relatives = sentence.match(/\b(?:that|which|who)\b/gi)?.length ?? 0;
    return relatives > relativesMax ? [...faults, `${relatives} of that, which, who: ${sentence}`] : faults;
  });
}
