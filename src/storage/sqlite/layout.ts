import type { Database } from "./database.ts";
import { DamageError, NewerSchemaError } from "../failures.ts";

/** Up to this size the whole file is checked whenever it is opened: about 3,000 orders, 16 ms. */
export const checkedMaxBytes = 4 * 1024 * 1024;

/** What a database of ours is told by, and what is in it. */
export interface Layout {
  /** What it is called in a sentence. */
  readonly noun: "journal" | "inbox" | "ledger";
  /** Stands in the file's header. No other program's database has it. */
  readonly applicationId: number;
  /**
   * Each entry brings a database from the version of its place to the next one; a new one goes through all of them.
   * What was released is never changed, or two databases of one version would differ.
   */
  readonly migrations: readonly string[];
}

/** Fills an empty database: all of it, with what `first` writes, or nothing. */
export function createLayout(database: Database, { migrations, applicationId }: Layout, first: () => void): void {
  database.commitNow(() => {
    // Another process may have been faster.
    if (!isBlank(database)) return;
    for (const migration of migrations) database.execute(migration);
    first();
    database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

/**
 * Brings a database of an earlier version to this one: all of the way, or not at all. What refers to a table that is
 * made anew is not looked at meanwhile.
 * @param fill what a migration needs that SQL can't say; called after each, with the version that it led to
 */
export function migrateLayout(
  database: Database,
  { migrations, applicationId }: Layout,
  fill: (version: number) => void,
): void {
  if (pragma(database, "application_id") !== applicationId) return;
  if (pragma(database, "user_version") >= migrations.length) return;
  database.execute("PRAGMA foreign_keys = OFF");
  try {
    database.commitNow(() => {
      // Another process may have been faster.
      for (let version = pragma(database, "user_version"); version < migrations.length; version += 1) {
        database.execute(migrations[version] ?? "");
        fill(version + 1);
      }
      if (database.get("PRAGMA foreign_key_check") !== undefined)
        throw new DamageError("its rows don't belong together");
      database.execute(`PRAGMA user_version = ${migrations.length}`);
    });
  } finally {
    database.execute("PRAGMA foreign_keys = ON");
  }
}

/**
 * Makes sure that it is a database of ours, of this version, and that its pages fit together where that is quick.
 * @throws {DamageError}
 */
export function checkLayout(database: Database, { noun, applicationId, migrations }: Layout, sizeBytes: number): void {
  if (pragma(database, "application_id") !== applicationId) throw new DamageError(`it isn't partner's ${noun}`);
  if (pragma(database, "user_version") > migrations.length) throw new NewerSchemaError();
  if (sizeBytes <= checkedMaxBytes) checkStructure(database);
}

/**
 * Makes sure that the pages of the file fit together: every row in its table stands in each index, and the reverse.
 * @throws {DamageError}
 */
export function checkStructure(database: Database): void {
  const result = database.value("PRAGMA integrity_check(1)");
  if (result !== "ok") throw new DamageError(String(result));
}

/** True for a database in which nobody ever wrote anything. */
export function isBlank(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema") === undefined && pragma(database, "application_id") === 0;
}

function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number(database.value(`PRAGMA ${name}`));
}
