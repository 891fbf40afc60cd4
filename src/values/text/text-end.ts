/**
 * The text without all of one character at its end: `a/b` for `a/b//`. A pattern such as `/\/+$/` would try each run of
 * it in the text, from each of its characters.
 */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}
