import { extname } from "node:path";
import type { FailureDetails } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

/** File name endings of formats other than CSV. */
const otherForms: ReadonlySet<string> = new Set([".xlsx", ".xls", ".ods", ".json", ".ndjson", ".html"]);

/**
 * Refuses a file that is always CSV and has another format's name: Excel does not open CSV as a workbook.
 * @param nothing what did not happen, in words
 * @throws {Failure} usage
 */
export function refuseOtherForm(
  path: string | undefined,
  flag: string,
  nothing: string,
  details: FailureDetails = { hint: "End its name in .csv." },
): void {
  if (path === undefined || !otherForms.has(extname(path).toLowerCase())) return;
  const what = `${flag} writes CSV, and ${quote(path)} says to be something else; ${nothing}.`;
  throw new Failure("usage", what, details);
}
