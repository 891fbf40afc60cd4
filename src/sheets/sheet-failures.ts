import { FileTooLarge } from "../host/files/files.ts";
import { systemReason } from "../host/system-error.ts";
import { counted } from "../values/text/counted.ts";
import { Failure } from "../values/failure.ts";
import { quote, visible } from "../values/text/text.ts";

/** The usual hint: the format as spreadsheets call it. */
const saveAgain = "Save it again as CSV UTF-8, or name another file.";

/** The failure of a sheet that can't be read, or not any further. */
export function unreadableSheet(path: string, why: string, details: { hint?: string; cause?: unknown } = {}): Failure {
  const { hint = saveAgain, cause } = details;
  return new Failure("usage", `${visible(path)} cannot be read: ${why}.`, { hint, cause });
}

/** The same for a failure in one line. */
export function unreadableLine(path: string, line: number, why: string, hint = saveAgain): Failure {
  const details = { [`line ${line}`]: why };
  return new Failure("usage", `${visible(path)}, line ${line}: ${why}.`, { hint, details });
}

/** A record with more or fewer cells than the header, in words; undefined where it has as many. */
export function cellCountViolation(cells: readonly string[], header: readonly string[]): string | undefined {
  if (cells.length === header.length) return undefined;
  if (cells.length < header.length)
    return `has ${counted(cells.length, "cell")} where the header has ${header.length}; ${quote(header[cells.length] ?? "")} is the first that is missing`;
  return `has ${counted(cells.length, "cell")} where the header has ${header.length}; put a cell with the delimiter into quotes`;
}

/** Explains an error of the file system; returns any other error unchanged. */
export function explainReading(path: string, error: unknown): unknown {
  if (error instanceof FileTooLarge) return unreadableSheet(path, error.message, { hint: "Split it.", cause: error });
  const why = systemReason(error, "read");
  const hint = "Check its name, and that you may read it.";
  return why === undefined ? error : unreadableSheet(path, why, { hint, cause: error });
}
