import type * as z from "zod/mini";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Violations } from "../../contract/request.ts";
import { Numeral } from "../../values/json.ts";
import { isAmount } from "./service-reading.ts";

type Issue = z.core.$ZodIssue;

/**
 * The violations by field, in the words of the service's own validator where known, else in ours. The field's quoted
 * name comes before them.
 */
export function validatorWords(endpoint: Endpoint, issues: readonly Issue[], input: unknown): Violations {
  const words: Record<string, string> = {};
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) words[[...issue.path, key].join(".")] ??= "is not allowed";
    } else {
      const path = issue.path.join(".") || "body";
      const value = valueAt(input, issue.path);
      const isNoNumber = isAmount(endpoint, path) && !(value instanceof Numeral) && value !== undefined;
      words[path] ??= isNoNumber ? "must be a number" : wordFor(issue, value);
    }
  }
  return words;
}

function wordFor(issue: Issue, value: unknown): string {
  if (value === undefined) return "is required";
  if (issue.code === "invalid_type" && issue.expected === "object") return "must be of type object";
  if (issue.code === "invalid_type" && issue.expected === "string") return "must be a string";
  if (issue.code === "invalid_value") return value === "" ? emptyWord : `must be one of [${issue.values.join(", ")}]`;
  return value === "" ? emptyWord : issue.message;
}

const emptyWord = "is not allowed to be empty";

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || value instanceof Numeral) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
