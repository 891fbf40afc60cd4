import { Failure } from "./failure.ts";
import { quote } from "./text/text.ts";

/** A message about an invalid value. */
export interface Violation {
  /** The flag (`--amount`) or the column that the value was given for. */
  field: string;
  text: string;
  /** Follows the value: `isn't a valid calendar day`. */
  problem: string;
  /** A valid value. */
  example: string;
  /** Follows the example: `digits only, no separators`. */
  rule?: string;
}

/** The failure of a value that a person typed: names the field, repeats the value, and shows a valid one. */
export function violation({ field, text, problem, example, rule }: Violation): Failure {
  const message = text === "" ? `${field} is empty.` : `${field} ${quote(text)} ${problem}.`;
  const model = field.startsWith("-") ? `${field} ${example}` : example;
  const hint = `Write it like ${model}${rule === undefined ? "" : `: ${rule}`}.`;
  return new Failure("usage", message, { hint, details: { [field]: message } });
}

/** Several failures as one, so that a person sees all violations at once. */
export function combined(violations: readonly Failure[]): Failure {
  const [only] = violations;
  if (only !== undefined && violations.length === 1) return only;
  return new Failure("usage", violations.map((violation) => violation.message).join(" "), {
    money: violations.some(({ money }) => money === "not moved") ? "not moved" : "none",
    hint: sentences([...new Set(violations.flatMap((violation) => violation.hint ?? []))]),
    // Not assigned: a file can have a field called __proto__.
    details: Object.fromEntries(violations.flatMap((violation) => Object.entries(violation.details ?? {}))),
    parts: violations,
  });
}

/** Joins hints. Only the last one may end in a command without a full stop. */
function sentences(hints: readonly string[]): string {
  return hints.map((hint, at) => (at === hints.length - 1 || /[.?!]$/.test(hint) ? hint : `${hint}.`)).join(" ");
}
