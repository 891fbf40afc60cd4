import { FileTooLarge } from "../../host/files/files.ts";
import { codeOf, systemReason } from "../../host/system-error.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";

/** Why a file can't be used, in words that follow a colon. */
export function fileFailureOf(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is too large";
  return systemReason(error) ?? codeOf(error) ?? "it failed for a reason that is not known";
}

/**
 * The failure of one of our folders or files that could not be read or written.
 * @param variable the variable that names the folder
 */
export function fileFailure(
  doing: "read" | "write" | "make",
  path: string,
  error: unknown,
  variable = "PARTNER_CONFIG_DIR",
): Failure {
  const message = `${namePath(path)} cannot be ${doing === "make" ? "made" : doing === "read" ? "read" : "written"}: ${fileFailureOf(error)}.`;
  return new Failure("setup", message, {
    hint: `Make it usable for this user, or name another folder with ${variable}.`,
    cause: error,
  });
}
