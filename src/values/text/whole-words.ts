const wordPattern = /[\p{L}\p{N}]+/gu;

/** Where words stand in a text: letters and digits that follow each other; anything else stands between words. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

/** The words of a text, one after the other. */
export function wordPlaces(text: string): WordPlace[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

/** The same text whatever its case. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
/** True where `wanted` stands in a text as whole words: beside it is the end, or what is no letter and no digit. */
export function hasWholeWords(text: string, wanted: string): boolean {
  const [where, what] = [foldCase(text), foldCase(wanted)];
  if (what === "") return false;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    if (isEdge(where, at, what) && isEdge(where, at + what.length, what)) return true;
  }
  return false;
}

/** True where a word cannot go on across the place. */
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
