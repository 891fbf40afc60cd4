import { databaseFailure } from "../../storage/file-failure.ts";

/** Turns a database error of the inbox at `path` into a `Failure`; returns other errors unchanged. */
export function inboxFailure(error: unknown, path: string): unknown {
  const begunAnew = "treats events that come again as new";
  return databaseFailure(error, { name: "inbox", path, begunAnew, check: "partner doctor" });
}
