/** As a text counts for a search: without regard to letter case, and however its accents are put together. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
