const wordPattern = /[\p{L}\p{N}]+/gu;

/** The position of a word: a run of letters and digits. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

/** The words of a text, in order. */
export function wordPlaces(text: string): WordPlace[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

/** The text with case differences removed. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
/**
 * True where a text contains `wanted` as whole words: with a character other than a letter or digit, or the end, on
 * each side.
 */
export function hasWholeWords(text: string, wanted: string): boolean {
  const [where, what] = [foldCase(text), foldCase(wanted)];
  if (what === "") return false;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    if (isEdge(where, at, what) && isEdge(where, at + what.length, what)) return true;
  }
  return false;
}

/** True where no word continues across the position. */
function isEdge(text: string, at: number, what: string): boolean {
  const before = lastCharacter(text.slice(Math.max(0, at - 2), at));
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return what === "" || !isWordCharacter(before) || !isWordCharacter(after);
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? "";
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}
