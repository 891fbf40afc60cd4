import { databaseFailure } from "../../storage/file-failure.ts";

/**
 * What went wrong with the inbox at that path as the failure that a caller hears of; other errors come back as they
 * are.
 */
export function inboxFailure(error: unknown, path: string): unknown {
  return databaseFailure(error, { name: "inbox", path, begunAnew: "takes events that come again for new ones" });
}
