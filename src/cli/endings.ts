import type { Ending } from "../values/failure.ts";

/**
 * How every command can end: also with a result that cannot be written, because the disk is full, which is
 * `unavailable`.
 */
export const everyCommandEndsIn: readonly Ending[] = ["ok", "bug", "usage", "unavailable", "interrupted"];

/** How a command that reads from the service can end besides. */
export const readingEndsIn: readonly Ending[] = ["setup", "refused"];

/** How a command that moves money can end besides. */
export const movingEndsIn: readonly Ending[] = ["setup", "refused", "unknown"];
