import type { SharedName } from "../../storage/postgres/failure.ts";
import { storeFailure } from "../../storage/postgres/failure.ts";
import { permissionErrorOf } from "./permission-errors.ts";

/**
 * Anything that went wrong with a shared journal as the failure that a caller hears of, what the database does not
 * allow among it; what is none of its own troubles comes back as it is.
 */
export function sharedFailure(error: unknown, shared: SharedName): unknown {
  return permissionErrorOf(error) ?? storeFailure(error, shared);
}
