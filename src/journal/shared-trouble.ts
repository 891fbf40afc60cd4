import type { SharedName } from "../storage/shared-failure.ts";
import { storeFailure } from "../storage/shared-failure.ts";
import { pathWord } from "../values/path-name.ts";
import { denialOf } from "./shared-denial.ts";

/**
 * Anything that went wrong with a shared journal as the failure that a caller hears of, what the database does not
 * allow among it; what is none of its own troubles comes back as it is.
 */
export function sharedFailure(error: unknown, shared: SharedName): unknown {
  return denialOf(error) ?? storeFailure(error, shared);
}

/** How to go on where another journal answers than the one that was used before. */
export function howToForget(memory: string): string {
  return `If it is right, look into the statements for what was sent with the former one, then forget it: edit ${pathWord(memory)}`;
}
