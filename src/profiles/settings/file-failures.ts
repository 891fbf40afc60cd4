import { fileFailureOf } from "../../host/files/file-reason.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";

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
