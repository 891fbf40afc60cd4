import { databaseFailure } from "../../storage/file-failure.ts";

/**
 * Turns an error of the inbox at that path into the caller's failure; other errors are unchanged.
 */
export function inboxFailure(error: unknown, path: string): unknown {
  const begunAnew = "treats events that come again as new";
  return databaseFailure(error, { name: "inbox", path, begunAnew, check: "partner doctor" });
}
