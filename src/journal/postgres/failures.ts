import { Failure } from "../../values/failure.ts";
import type { SharedName } from "../../storage/postgres/failure.ts";
import { storeFailure } from "../../storage/postgres/failure.ts";
import { permissionErrorOf } from "./roles/permission-errors.ts";

/**
 * Turns any error of a shared journal into the caller's failure, including what the database doesn't permit; other
 * errors are unchanged.
 */
export function sharedFailure(error: unknown, shared: SharedName): unknown {
  return permissionErrorOf(error) ?? storeFailure(error, shared);
}

export function noBackup(): Failure {
  return new Failure("usage", "A shared journal is not copied into a file of ours.", {
    hint: "Its database is backed up as a whole: pg_dump, or what its host offers.",
  });
}
