import type { Host } from "../host/host.ts";
import type { Sqlite } from "../host/sqlite.ts";
import { Failure } from "../values/failure.ts";
import type { Database } from "../storage/database.ts";
import { codeOf, reasonOf } from "../storage/trouble.ts";
import { namePath } from "../values/path-name.ts";

/**
 * Copies a database as it is at this moment into a new file, for this user alone.
 * @throws {Failure} usage where something stands there already | setup where it cannot be written; nothing is left then
 */
export async function backUp(host: Host, sqlite: Sqlite, database: Database, path: string): Promise<void> {
  try {
    if ((await host.files.facts(path)) !== undefined) throw occupied(path);
    // SQLite would make it readable for others.
    sqlite.open(path, "create").close();
    try {
      database.run("VACUUM INTO :path", { path });
    } catch (error) {
      await host.files.remove(path);
      throw error;
    }
  } catch (error) {
    const cause = error instanceof Failure && error.cause !== undefined ? error.cause : error;
    if (codeOf(cause) === undefined) throw error;
    throw new Failure("setup", `The copy ${namePath(path)} cannot be written: ${reasonOf(cause) ?? ""}.`, {
      hint: "Name another file.",
      cause,
    });
  }
}

function occupied(path: string): Failure {
  return new Failure("usage", `${namePath(path)} exists already, and a backup replaces nothing.`, {
    hint: "Name a file that does not exist yet.",
  });
}
