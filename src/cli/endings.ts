import type { Ending } from "../values/failure.ts";

/** How a command that reads from the service can end, besides the ways in which every command can. */
export const readingEndsIn: readonly Ending[] = ["setup", "refused", "unavailable"];

/** How a command that moves money can end, besides the ways in which every command can. */
export const movingEndsIn: readonly Ending[] = ["setup", "refused", "unavailable", "unknown"];
