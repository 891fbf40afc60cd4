import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";

/** Fields of an answer that describe an error. */
const errorFields = [
  "reason",
  "error",
  "errors",
  "code",
  "errorCode",
  "message",
  "errorMessage",
  "statusMessage",
  "detail",
  "details",
] as const;
/**
 * Spec is silent on the words; these are what services and their frameworks say about references that are already used.
 */
const duplicateWords =
  /duplicat|\bunique\b|already (?:been |in |was )?(?:use|exist|taken|process|register|submit|receiv|present|known)/i;

/**
 * True where an answer says that the service already knows this reference, whatever its status: an earlier request with
 * it may have moved money, so the outcome is unknown, not refused.
 */
export function saysDuplicate(answer: JsonValue): boolean {
  if (!isJsonObject(answer)) return false;
  return errorFields.some((name) => textsIn(answer[name]).some((text) => duplicateWords.test(text)));
}

/** Every text and name within a value, with one space for each run of white space. */
function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value.replaceAll(/\s+/g, " ")];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)]) : [];
}
