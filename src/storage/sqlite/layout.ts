import type { Database } from "./database.ts";
import { DamageError, NewerSchemaError } from "../failures.ts";

/** Up to this size, the whole file is checked whenever it is opened: about 3,000 orders, 16 ms. */
export const checkedMaxBytes = 4 * 1024 * 1024;

/** The identity and the tables of one of our databases. */
export interface DatabaseLayout {
  /** Its name in a sentence. */
  readonly noun: "journal" | "inbox" | "ledger" | "index";
  /** In the file's header; no other program's database has it. */
  readonly applicationId: number;
  /**
   * Each entry upgrades a database from the version of its index to the next one. Released entries never change, or
   * databases of the same version would differ.
   */
  readonly migrations: readonly string[];
  /** Creates the tables of a new database, as all migrations would; default: runs all migrations. */
  readonly newTables?: string;
}

/** Creates the tables in an empty database, and lets `first` write the first rows, in one transaction. */
export function createLayout(database: Database, layout: DatabaseLayout, first: () => void): void {
  const { migrations, newTables = migrations.join("\n"), applicationId } = layout;
  database.commitNow(() => {
    // Another process may have been faster.
    if (!isBlank(database)) return;
    database.execute(newTables);
    first();
    database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

/**
 * Upgrades a database of an earlier version in one transaction. Foreign keys to rebuilt tables are not checked
 * meanwhile.
 * @param fill changes that SQL can't express; called after each migration, with its new version
 * @param first called with the old version before anything is changed, in the same transaction
 */
export function migrateLayout(
  database: Database,
  { migrations, applicationId }: DatabaseLayout,
  fill: (version: number) => void,
  first: (version: number) => void = () => undefined,
): void {
  if (pragma(database, "application_id") !== applicationId) return;
  if (pragma(database, "user_version") >= migrations.length) return;
  database.execute("PRAGMA foreign_keys = OFF");
  try {
    database.commitNow(() => {
      // Another process may have been faster.
      const before = pragma(database, "user_version");
      if (before < migrations.length) first(before);
      for (let version = before; version < migrations.length; version += 1) {
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
 * Checks that it is one of our databases, that it is not newer, and if that is quick, that its pages are consistent.
 * @throws {DamageError}
 */
export function checkLayout(
  database: Database,
  { noun, applicationId, migrations }: DatabaseLayout,
  sizeBytes: number,
): void {
  if (pragma(database, "application_id") !== applicationId) throw new DamageError(`it isn't partner's ${noun}`);
  if (pragma(database, "user_version") > migrations.length) throw new NewerSchemaError();
  if (sizeBytes <= checkedMaxBytes) checkStructure(database);
}

/**
 * Checks that the pages of the file are consistent: every row is in each index, and the reverse.
 * @throws {DamageError}
 */
export function checkStructure(database: Database): void {
  const result = database.value("PRAGMA integrity_check(1)");
  if (result !== "ok") throw new DamageError(String(result));
}

/** True for a database that was never written to. */
export function isBlank(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema") === undefined && pragma(database, "application_id") === 0;
}

function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number(database.value(`PRAGMA ${name}`));
}
