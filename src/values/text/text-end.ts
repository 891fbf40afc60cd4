/**
 * The text without any of one character at its end: `a/b` for `a/b//`. A pattern such as `/\/+$/` would take quadratic
 * time on long runs elsewhere in the text.
 */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}
