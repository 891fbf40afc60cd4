/** Whatever ends a line in some program, and tabs. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * What XML 1.0 does not allow, or a program would act on: control characters, halves of surrogate pairs, noncharacters.
 */
const unfit = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
const beyondPlainAscii = /[^ -~]/;
const replacement = "\uFFFD";

/**
 * Text of the service on one line, fit for any file: line ends and tabs become one space, and what no format can carry
 * becomes a visible `�`. Every other character stays.
 */
export function plainText(text: string): string {
  if (!beyondPlainAscii.test(text)) return text.trim();
  return text.replaceAll(breaks, " ").replaceAll(unfit, replacement).trim();
}

/** The first characters, counted as code points, so that none is cut in half. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : Array.from(text).slice(0, maxChars).join("").trimEnd();
}
