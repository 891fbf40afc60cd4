import { FileTooLarge } from "../host/files.ts";
import { visible } from "../values/text.ts";

const reasons = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "it is a link that leads in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the disk is read-only"],
  ["EADDRINUSE", "another program uses it"],
]);

/** Why a file or a port could not be used, in words that follow a colon and stand before a full stop. */
export function troubleOf(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is too large";
  if (!(error instanceof Error)) return visible(String(error));
  const known = "code" in error && typeof error.code === "string" ? reasons.get(error.code) : undefined;
  return known ?? visible(error.message).replace(/\.+$/, "");
}
