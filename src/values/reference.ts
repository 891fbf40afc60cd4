import { violation } from "./violation.ts";
import { isVisible } from "./text/text.ts";

/** Spec is silent. Long enough for two UUIDs and a prefix. */
export const referenceMaxChars = 100;

/** Spec 2.6, for rows of fees. */
const feeEndings = /-PAY(?:IN|OUT)$/;

/**
 * A reference that a person chose for an order, kept as typed. The order is found by it, so what can't be seen (white space
 * at the ends, control characters) is refused.
 * @throws {Failure} usage
 */
export function parseReference(text: string, field: string): string {
  const problem = problemOf(text);
  if (problem === undefined) return text;
  throw violation({ field, text, problem, example: "INV-2026-0042" });
}

/** True for what `parseReference` accepts. */
export function isReference(text: string): boolean {
  return problemOf(text) === undefined;
}

function problemOf(text: string): string | undefined {
  if (text === "") return "isn't a valid reference";
  if (text.trim() !== text) return "begins or ends with white space";
  if (!isVisible(text)) return "has characters in it that can't be seen";
  const ending = feeEndingOf(text);
  if (ending !== undefined) return `ends in ${ending}, as the service writes its fees`;
  return text.length > referenceMaxChars ? `is longer than ${referenceMaxChars} characters` : undefined;
}

/**
 * The ending of a fee's reference, if the text has it: a row under such a reference counts as a fee, which proves no
 * order.
 */
export function feeEndingOf(text: string): string | undefined {
  return feeEndings.exec(text)?.[0];
}
