import { extname } from "node:path";
import type { FailureDetails } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";
import type { Session } from "./session.ts";

/** File name endings of formats other than CSV. */
const otherForms: ReadonlySet<string> = new Set([".xlsx", ".xls", ".ods", ".json", ".ndjson", ".html"]);

/** A file that a command reads. */
interface Input {
  readonly path: string;
  /** Completes the sentence "--save names …". */
  readonly is: string;
  /** Set where the command would have sent an order. */
  readonly money?: "not moved";
}

/** The file of a batch. */
export function batchInput(path: string): Input {
  return { path, is: "the file of the batch itself", money: "not moved" };
}

/**
 * Refuses a file for the result of a command that has none.
 * @param reason completes "--save has nothing to write: …"
 * @throws {Failure} usage
 */
export function refuseSave({ result }: Pick<Session, "result">, reason: string, hint: string): void {
  if (result.save === undefined) return;
  throw new Failure("usage", `--save has nothing to write: ${reason}.`, { hint });
}

/**
 * Refuses an output path that leads to the command's own input file, through links or not.
 * @throws {Failure} usage
 */
export async function refuseOwnFile(
  flag: "--report" | "--save",
  path: string | undefined,
  input: Input,
  { host }: Pick<Session, "host">,
): Promise<void> {
  const { is, money } = input;
  if (path === undefined || !(await host.files.isSame(path, input.path))) return;
  throw new Failure("usage", `${flag} names ${is}; nothing was ${money === undefined ? "written" : "sent"}.`, {
    hint: "Name another file.",
    ...(money === undefined ? {} : { money }),
  });
}

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
