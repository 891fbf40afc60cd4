/** The codes of the characters in JSON's grammar: comparing numbers makes reading fast. */
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const dot = 0x2e;
export const digit0 = 0x30;
export const digit9 = 0x39;
export const colon = 0x3a;
export const upperE = 0x45;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const lowerE = 0x65;
export const lowerF = 0x66;
export const lowerN = 0x6e;
export const lowerT = 0x74;
export const lowerU = 0x75;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const lastAscii = 0x7f;

/** The characters of escapes. `\u` is not among them: four digits follow it. */
export const escapes: ReadonlyMap<number, string> = new Map([
  [quote, '"'],
  [backslash, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [lowerF, "\f"],
  [lowerN, "\n"],
  [0x72, "\r"],
  [lowerT, "\t"],
]);

export function isSpace(code: number): boolean {
  return code <= space && (code === space || code === lineFeed || code === carriageReturn || code === tab);
}

export function isDigit(code: number): boolean {
  return code >= digit0 && code <= digit9;
}
