import type { Ending } from "../values/failure.ts";

/**
 * How every command can end. `unavailable` is one of them because a full disk can keep any result from being written.
 */
export const everyCommandEndsIn: readonly Ending[] = ["ok", "bug", "usage", "unavailable", "interrupted"];

/** The further endings of a command that reads from the service. */
export const readingEndsIn: readonly Ending[] = ["setup", "refused"];

/** The further endings of a command that moves money. */
export const movingEndsIn: readonly Ending[] = ["setup", "refused", "unknown"];
