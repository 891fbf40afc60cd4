import type { Host } from "../../host/host.ts";
import type { Sqlite } from "../../host/databases/sqlite.ts";
import { Failure } from "../../values/failure.ts";
import { storageCode, reasonOf } from "../../storage/failures.ts";
import type { UnlockedDatabase } from "../../storage/sqlite/unlocked.ts";
import { isQuicklyRead, readUnlocked } from "../../storage/sqlite/unlocked.ts";
import { namePath } from "../../values/text/path-name.ts";

/** How often a copy is restarted because others wrote meanwhile. */
const attemptsMaxCount = 5;

/**
 * Copies a database, as of now, into a new file that only this user can read, without blocking others.
 * @throws {Failure} usage where a file exists already | setup where it cannot be written | unavailable where
 * others write all the time; nothing is left then
 */
export async function backUp(host: Host, sqlite: Sqlite, source: UnlockedDatabase, path: string): Promise<void> {
  try {
    if ((await host.files.facts(path)) !== undefined) throw fileExists(path);
    // SQLite would make it readable for others.
    for (let attempt = 1; ; attempt += 1) {
      sqlite.open(path, "create").close();
      try {
        if (copyInto(source, path)) return;
      } catch (error) {
        await host.files.remove(path);
        throw error;
      }
      await host.files.remove(path);
      if (attempt === attemptsMaxCount) throw alwaysBusy();
    }
  } catch (error) {
    const cause = error instanceof Failure && error.cause !== undefined ? error.cause : error;
    if (storageCode(cause) === undefined) throw error;
    throw new Failure("setup", `The copy ${namePath(path)} cannot be written: ${reasonOf(cause) ?? ""}.`, {
      hint: "Name another file.",
      cause,
    });
  }
}

/** @returns false where others wrote meanwhile, and the copy may be inconsistent */
function copyInto(source: UnlockedDatabase, path: string): boolean {
  const sql = "VACUUM INTO :path";
  if (isQuicklyRead(source.database)) {
    source.database.run(sql, { path });
    return true;
  }
  const { value: failure, isSteady } = readUnlocked(source, (unlocked) => {
    try {
      unlocked.prepare(sql).run({ path });
      return undefined;
    } catch (error) {
      return error;
    }
  });
  // A copy of two moments that doesn't fit together is not damage.
  if (isSteady && failure !== undefined) throw failure;
  return isSteady;
}

function alwaysBusy(): Failure {
  return new Failure("unavailable", "Others write to the journal all the time, and no consistent copy could be made.", {
    hint: "Make it when no order is sent.",
  });
}

function fileExists(path: string): Failure {
  return new Failure("usage", `${namePath(path)} exists already, and a backup replaces nothing.`, {
    hint: "Name a file that does not exist yet.",
  });
}
