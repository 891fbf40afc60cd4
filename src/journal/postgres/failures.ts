import { Failure } from "../../values/failure.ts";
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

export function noBackup(): Failure {
  return new Failure("usage", "A shared journal is not copied into a file of ours.", {
    hint: "Its database is backed up as a whole: pg_dump, or what its host offers.",
  });
}
