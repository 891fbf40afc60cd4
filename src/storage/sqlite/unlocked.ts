import type { DatabaseSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { DamageError } from "../failures.ts";

/** A database with two connections: one that blocks writers while it reads, and one that never does. */
export interface UnlockedDatabase {
  readonly database: Database;
  /** Opens the second one. The file may change while it reads, so the result may be inconsistent. */
  readonly openUnlocked: () => DatabaseSync;
}

/** Up to this size, reading all pages takes a tenth of a second: others can wait that long. */
const lockedMaxBytes = 16 * 1024 * 1024;

/** The result of a read without a lock, and whether it is certain that nothing was written meanwhile. */
export interface Unlocked<T> {
  readonly value: T;
  readonly isSteady: boolean;
}

/** True for a database that can be read as a whole while others wait. */
export function isQuicklyRead(database: Database): boolean {
  const [pages, pageBytes] = ["page_count", "page_size"].map((name) => Number(database.value(`PRAGMA ${name}`)));
  return (pages ?? 0) * (pageBytes ?? 0) <= lockedMaxBytes;
}

/** Reads over a connection that blocks no others, however long it takes. */
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
 * Checks that all pages are consistent, without blocking writers.
 * @returns false where that can't be known, because others keep writing
 * @throws {DamageError}
 */
export function checkUnlocked(parts: UnlockedDatabase): boolean {
  let reason = "";
  // A commit that was running during the first read is complete by the second.
  for (const _ of ["first", "second"]) {
    const { value, isSteady } = readUnlocked(parts, structureOf);
    // Each page was consistent when it was read.
    if (value === "ok") return true;
    if (!isSteady) return false;
    reason = value;
  }
  throw new DamageError(reason);
}

function structureOf(database: DatabaseSync): string {
  try {
    return String(Object.values(database.prepare("PRAGMA integrity_check(1)").get() ?? {})[0]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Changes with each commit of another connection. */
function versionOf(database: Database): number {
  return Number(database.value("PRAGMA data_version"));
}
