import type { Ending } from "../values/failure.ts";

/** How a command that reads from the service can end, besides the ways in which every command can. */
export const readingEndsIn: readonly Ending[] = ["setup", "refused", "unavailable"];
