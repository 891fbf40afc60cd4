import { PostgresError } from "../host/databases/postgres.ts";
import type { Group } from "../journal/postgres/roles/groups.ts";
import { groupNames } from "../journal/postgres/roles/groups.ts";
import { noRights } from "../journal/postgres/roles/roles-sql.ts";
import type { SharedDatabase } from "../storage/postgres/database.ts";
import { roleInSql } from "../values/text/sql-name.ts";
import { Failure } from "../values/failure.ts";
import { formatDuration } from "../values/time/duration.ts";

/** The SQLSTATE behind a failure. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof Failure && error.cause instanceof PostgresError ? error.cause.code : undefined;
}

/** @param limitMs how long the server was given */
export function tooSlow(limitMs: number, cause: unknown): Failure {
  const limit = formatDuration(limitMs);
  return new Failure("unavailable", `The server did not store the batch within ${limit}; nothing was submitted.`, {
    hint: "Split the file, or run it again when the server has less to do.",
    money: "not moved",
    cause,
  });
}

/** Runs `use`. Where the database only says that this role may not, the failure names the group of roles that may. */
export async function allowed(
  database: SharedDatabase,
  group: Group,
  deed: string,
  use: () => Promise<void>,
): Promise<void> {
  try {
    await use();
  } catch (error) {
    if (stateOf(error) !== noRights) throw error;
    throw notAllowed((await groupNames(database))[group], deed, error);
  }
}

/** The failure for a role that is not in the group that may. @param group its name in the database */
export function notAllowed(group: string, deed: string, cause?: unknown): Failure {
  return new Failure("setup", `This database role may not ${deed} batches.`, {
    hint: `If it should, have the owner of the database run: GRANT ${roleInSql(group)} TO ROLE`,
    money: "not moved",
    cause,
  });
}
