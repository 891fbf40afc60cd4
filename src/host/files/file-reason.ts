import { codeOf, systemReason } from "../system-error.ts";
import { FileTooLarge } from "./files.ts";

/** Why a file can't be used, in words that follow a colon. */
export function fileFailureOf(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is too large";
  return systemReason(error) ?? codeOf(error) ?? "it failed for a reason that is not known";
}
