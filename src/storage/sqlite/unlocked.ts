import type { DatabaseSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { DamageError } from "../failures.ts";

/** A database that is read by two connections: one that locks others out while it reads, and one that never does. */
export interface UnlockedDatabase {
  readonly database: Database;
  /** Opens the second one. What it reads may change meanwhile, and may then not fit together. */
  readonly openUnlocked: () => DatabaseSync;
}

/** Up to this size it takes a tenth of a second to read all pages, and others wait for that. */
const lockedMaxBytes = 16 * 1024 * 1024;

/** What was read without a lock, and whether it is sure that others wrote nothing meanwhile. */
export interface Unlocked<T> {
  readonly value: T;
  readonly isSteady: boolean;
}

/** True for a database that is read as a whole within the time for which others may wait. */
export function isQuicklyRead(database: Database): boolean {
  const [pages, pageBytes] = ["page_count", "page_size"].map((name) => Number(database.value(`PRAGMA ${name}`)));
  return (pages ?? 0) * (pageBytes ?? 0) <= lockedMaxBytes;
}

/** Uses a connection that keeps others from nothing, however long it takes. */
export function readUnlocked<T>(
  { database, openUnlocked }: UnlockedDatabase,
  use: (unlocked: DatabaseSync) => T,
): Unlocked<T> {
  const before = versionOf(database);
  const unlocked = openUnlocked();
  try {
    const value = use(unlocked);
    return { value, isSteady: versionOf(database) === before };
  } finally {
    unlocked.close();
  }
}

/**
 * Looks whether all pages fit together, and keeps nobody from writing.
 * @returns false where that cannot be told, because others write all the time
 * @throws {DamageError}
 */
export function checkUnlocked(parts: UnlockedDatabase): boolean {
  let trouble = "";
  // A commit that was on its way when it was read is over by the second time.
  for (const _ of ["first", "second"]) {
    const { value, isSteady } = readUnlocked(parts, structureOf);
    // What was read at whatever moment, each page was as it should be then.
    if (value === "ok") return true;
    if (!isSteady) return false;
    trouble = value;
  }
  throw new DamageError(trouble);
}

function structureOf(database: DatabaseSync): string {
  try {
    return String(Object.values(database.prepare("PRAGMA integrity_check(1)").get() ?? {})[0]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Another number after each commit of another connection. */
function versionOf(database: Database): number {
  return Number(database.value("PRAGMA data_version"));
}
