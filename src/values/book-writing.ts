/** How people's own books write days; ours is the first. `MMM` is a month's English name, `YY` is 20YY. */
export const dateFormats = [
  "YYYY-MM-DD",
  "DD/MM/YYYY",
  "MM/DD/YYYY",
  "DD.MM.YYYY",
  "DD-MM-YYYY",
  "DD-MMM-YY",
  "DD-MMM-YYYY",
] as const;
export type DateFormat = (typeof dateFormats)[number];

/** What books put before decimals. */
export const decimalMarks = ["point", "comma"] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** Separators of thousands. A space includes every kind of space, an apostrophe both kinds. */
export const thousandsMarks = [",", ".", "'", " "] as const;
export type ThousandsMark = (typeof thousandsMarks)[number];

const otherSpaces = /[\u00a0\u2007\u2009\u202f]/g;

/** The text with each kind of space and of apostrophe as the plain one. */
export function withPlainMarks(text: string): string {
  return text.replaceAll(otherSpaces, " ").replaceAll("\u2019", "'");
}

/** Quoted for a shell. */
export function quotedMark(mark: ThousandsMark): string {
  return mark === "'" ? `"'"` : `'${mark}'`;
}
