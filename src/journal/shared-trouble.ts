import type { SharedName } from "../storage/shared-failure.ts";
import { storeFailure } from "../storage/shared-failure.ts";
import { denialOf } from "./shared-denial.ts";

/**
 * Anything that went wrong with a shared journal as the failure that a caller hears of, what the database does not
 * allow among it; what is none of its own troubles comes back as it is.
 */
export function sharedFailure(error: unknown, shared: SharedName): unknown {
  return denialOf(error) ?? storeFailure(error, shared);
}
