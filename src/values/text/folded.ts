/** A text as searches compare it: in lower case, with composed accents. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
