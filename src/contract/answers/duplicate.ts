import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";

/** Fields of an answer that describe an error. */
const tellingFields = [
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
/** Spec is silent on the words; these are what services and their frameworks say about used references. */
const duplicateWords =
  /duplicat|\bunique\b|already (?:been |in |was )?(?:use|exist|taken|process|register|submit|receiv|present|known)/i;

/**
 * True where an answer says that the service knows this reference, whatever its status is: an earlier request with it
 * may have moved money, so this one is not refused but unknown.
 */
export function saysDuplicate(answer: JsonValue): boolean {
  if (!isJsonObject(answer)) return false;
  return tellingFields.some((name) => textsIn(answer[name]).some((text) => duplicateWords.test(text)));
}

/** Every text of a value and every name within it, with one blank for each run of white space. */
function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value.replaceAll(/\s+/g, " ")];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)]) : [];
}
