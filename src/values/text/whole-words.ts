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
