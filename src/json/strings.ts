/**
 * The string that stands like this between its quotes, which was found to be right.
 * @param isBytes true where each character is a byte of UTF-8
 */
export function decodeString(between: string, isBytes: boolean): string {
  return String(JSON.parse(`"${isBytes ? decodeUtf8(between) : between}"`));
}

/** The characters of UTF-8 bytes; U+FFFD for what is none. */
export function decodeUtf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
