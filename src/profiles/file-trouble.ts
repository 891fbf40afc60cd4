import { FileTooLarge } from "../host/files.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/path-name.ts";

const reasons = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "there is no such file or folder"],
  ["EEXIST", "something else is there already"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "it is a link that leads in a circle"],
  ["ENAMETOOLONG", "the path is too long"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the disk is read-only"],
  ["EMFILE", "too many files are open"],
]);

/** Why the file system said no, in words that follow a colon. Node's own message is not used: it may quote content. */
export function troubleOf(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is too large";
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return reasons.get(code ?? "") ?? code ?? "it failed for a reason that is not known";
}

/**
 * The failure of a folder or file of ours that could not be read or written.
 * @param variable what names the folder
 */
export function fileFailure(
  doing: "read" | "write" | "make",
  path: string,
  error: unknown,
  variable = "PARTNER_CONFIG_DIR",
): Failure {
  const message = `${namePath(path)} cannot be ${doing === "make" ? "made" : doing === "read" ? "read" : "written"}: ${troubleOf(error)}.`;
  return new Failure("setup", message, {
    hint: `Make it usable for this user, or name another folder with ${variable}.`,
    cause: error,
  });
}
