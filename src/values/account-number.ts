import { violation } from "./violation.ts";
import { isVisible } from "./text/text.ts";

/** Spec is silent: the longest international account numbers have 34 characters. */
export const accountNumberMaxChars = 64;

/**
 * An account or wallet number that a person typed. It is text: leading zeros, letters and punctuation stay. `.` and
 * `..` are refused, as they would lead elsewhere in a URL's path.
 * @throws {Failure} usage
 */
export function parseAccountNumber(text: string, field: string): string {
  const problem = problemOf(text);
  if (problem === undefined) return text;
  const rule = onlyHyphens.test(text) ? "the two hyphens of a flag stand together, as in --json" : undefined;
  throw violation({ field, text, problem, example: "0560066551200", ...(rule === undefined ? {} : { rule }) });
}

/** What is left of a flag that was typed with a space in it. */
const onlyHyphens = /^-+$/;

function problemOf(text: string): string | undefined {
  if (text === "" || text === "." || text === ".." || onlyHyphens.test(text)) return "isn't a valid account number";
  if (/\s/.test(text)) return "has white space in it";
  if (!isVisible(text)) return "has characters in it that can't be seen";
  return text.length > accountNumberMaxChars ? `is longer than ${accountNumberMaxChars} characters` : undefined;
}
