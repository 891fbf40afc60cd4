import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";

/** Where an answer says what is wrong. */
const tellingFields = ["reason", "error", "code", "message", "statusMessage", "details"] as const;
/** Spec is silent on the words; these were met in answers to references that were used before. */
const duplicateWords = /duplicat|must be unique|already (?:been )?(?:used|exists?|processed)/i;

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
