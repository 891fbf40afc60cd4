import { FileTooLarge } from "../host/files/files.ts";
import { systemReason } from "../host/system-error.ts";
import { withoutEnding } from "../values/text/text-end.ts";
import { visible } from "../values/text/text.ts";

/** Why a file or a port could not be used, in words between a colon and a full stop. */
export function startFailure(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is too large";
  if (!(error instanceof Error)) return visible(String(error));
  return systemReason(error) ?? withoutEnding(visible(error.message), ".");
}
