/**
 * Decodes the characters between the quotes of a valid string.
 * @param isBytes true where each character is a byte of UTF-8
 */
export function decodeString(between: string, isBytes: boolean): string {
  return String(JSON.parse(`"${isBytes ? decodeUtf8(between) : between}"`));
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
