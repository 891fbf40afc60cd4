import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { quote } from "../values/text/text.ts";
import { hasWholeWords } from "../values/text/whole-words.ts";
import { PatternError, readPattern } from "./pattern/pattern.ts";

/** Reports a violation at a path of the file, with the column in the text there. */
export type ReportViolation = (path: string, what: string, column?: number) => void;

/** A test of one member of a row. */
export type Test<T> = (value: T) => boolean;

/** Reports members that an object may not have. */
export function checkMembers(
  object: JsonObject,
  known: readonly string[],
  path: string,
  reportViolation: ReportViolation,
): void {
  for (const name of Object.keys(object))
    if (!known.includes(name))
      reportViolation(
        path === "" ? name : `${path}.${name}`,
        `${quote(name)} is unknown; there are ${known.join(", ")}`,
      );
}

export function readObject(value: JsonValue | undefined, path: string, reportViolation: ReportViolation): JsonObject {
  if (value !== undefined && isJsonObject(value)) return value;
  reportViolation(path, "is not an object");
  return {};
}

/** One of some words; undefined where it is missing. */
export function readWord<W extends string>(
  value: JsonValue | undefined,
  words: readonly W[],
  path: string,
  reportViolation: ReportViolation,
): W | undefined {
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word === undefined) reportViolation(path, `is none of ${words.join(", ")}`);
  return word;
}

export function readText(
  value: JsonValue | undefined,
  path: string,
  reportViolation: ReportViolation,
): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.trim() !== "") return value;
  reportViolation(path, "is not a text");
  return undefined;
}

/** Reads a flag: false where it is missing or not a boolean. */
export function readFlag(value: JsonValue | undefined, path: string, reportViolation: ReportViolation): boolean {
  if (value !== undefined && typeof value !== "boolean") reportViolation(path, "is neither true nor false");
  return value === true;
}

/** A test for whole words, or for a pattern between slashes. Undefined where it is missing or invalid. */
export function readTextTest(
  value: JsonValue | undefined,
  path: string,
  reportViolation: ReportViolation,
): Test<string> | undefined {
  const wanted = readText(value, path, reportViolation);
  if (wanted === undefined) return undefined;
  if (!wanted.startsWith("/")) return (text) => hasWholeWords(text, wanted);
  if (wanted.length < 3 || !wanted.endsWith("/")) {
    reportViolation(path, `${quote(wanted)} begins with a slash, and a pattern ends with one`);
    return undefined;
  }
  try {
    return readPattern(wanted.slice(1, -1));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    // The quote and the slash come before it.
    reportViolation(path, `${quote(wanted)} is not a valid pattern: ${error.message}`, error.column + 1);
    return undefined;
  }
}

/** A test for an exact amount, or for a range with both ends included; amounts have no sign. */
export function readAmountTest(
  value: JsonValue | undefined,
  path: string,
  reportViolation: ReportViolation,
): Test<Decimal> | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    const exact = readAmount(value, path, reportViolation);
    return exact && ((amount) => amount.equals(exact));
  }
  checkMembers(value, ["from", "to"], path, reportViolation);
  const [from, to] = ["from", "to"].map((name) =>
    value[name] === undefined ? undefined : readAmount(value[name], `${path}.${name}`, reportViolation),
  );
  if (value["from"] === undefined && value["to"] === undefined) reportViolation(path, "has neither from nor to");
  if (from !== undefined && to !== undefined && from.compare(to) > 0) reportViolation(path, "ends before it begins");
  return (amount) => (from === undefined || amount.compare(from) >= 0) && (to === undefined || amount.compare(to) <= 0);
}

/** An amount without sign. */
export function readAmount(value: JsonValue, path: string, reportViolation: ReportViolation): Decimal | undefined {
  const text = value instanceof Numeral ? value.text : typeof value === "string" ? value : "";
  const amount = Decimal.parse(text);
  if (amount === undefined) reportViolation(path, "is not an amount such as 1500.00");
  else if (amount.sign < 0) reportViolation(path, 'has a sign; say "side": "debit" instead');
  return amount;
}
