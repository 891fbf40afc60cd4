import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../../host/host.ts";
import type { Sqlite } from "../../host/databases/sqlite.ts";
import { DamageError } from "../failures.ts";
import { defaultBusyTimeoutMs } from "./database.ts";
import { checkedMaxBytes } from "./layout.ts";
import { isLogSafe } from "./log-version.ts";

/** A database that is about to be opened. */
export interface DatabaseOpening {
  readonly path: string;
  readonly sizeBytes: number;
  readonly use: "read" | "write";
  /** False where a log can't be used: whoever opens the database brings the log into the file. */
  readonly mayHaveLog: boolean;
  /** How long to wait for other processes' locks: one of them may be bringing a large log into the file. */
  readonly busyTimeoutMs?: number | undefined;
}

/**
 * Looks at a database that has a write-ahead log, before it is opened. SQLite reads a log into whatever file lies beside
 * it, such as a restored backup, and closing the database would write it there. A large file is only looked through
 * before it is written to.
 * @returns for reading, a connection to close after all others, which leaves the log as it is; undefined without a log
 * @throws {DamageError} where log and file don't belong together
 */
export async function checkLog(
  host: Host,
  sqlite: Sqlite,
  { path, sizeBytes, use, mayHaveLog, busyTimeoutMs = defaultBusyTimeoutMs }: DatabaseOpening,
): Promise<DatabaseSync | undefined> {
  const log = await host.files.facts(`${path}-wal`);
  if (sizeBytes === 0 || log === undefined || log.sizeBytes === 0) return undefined;
  // Closing a connection that can only read changes nothing.
  const whole = sqlite.openToRead(path);
  try {
    whole.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const isKept = use === "read" && mayHaveLog && isLogSafe(String(firstValue(whole, "SELECT sqlite_version()")));
    checkTogether(sqlite, whole, { path, sizeBytes, isKept });
    if (isKept) return whole;
  } catch (error) {
    whole.close();
    throw error;
  }
  whole.close();
  return undefined;
}

interface Look extends Pick<DatabaseOpening, "path" | "sizeBytes"> {
  /** True where the log is not brought into the file. */
  readonly isKept: boolean;
}

function checkTogether(sqlite: Sqlite, whole: DatabaseSync, { path, sizeBytes, isKept }: Look): void {
  const isBehind = () => hidesRows(sqlite, path, whole);
  // Another process may be bringing the log into the file: a number that was half written is not found twice.
  if (isBehind() && isBehind())
    throw new DamageError("its log is older than the file itself, and hides what came since");
  const check = sizeBytes <= checkedMaxBytes ? "integrity_check" : isKept ? undefined : "quick_check";
  const found = check === undefined ? "ok" : firstValue(whole, `PRAGMA ${check}(1)`);
  if (found !== "ok") throw new DamageError(String(found));
}

/** True where the file alone has given more numbers to rows than the file with its log: numbers never go back. */
function hidesRows(sqlite: Sqlite, path: string, whole: DatabaseSync): boolean {
  const alone = sqlite.openUnlocked(path);
  let given: number;
  try {
    given = numbersGiven(alone);
  } catch {
    // A file that needs its log to be read.
    return false;
  } finally {
    alone.close();
  }
  return given > numbersGiven(whole);
}

function numbersGiven(database: DatabaseSync): number {
  const hasNumbers = firstValue(database, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") === 1;
  return hasNumbers ? Number(firstValue(database, "SELECT total(seq) FROM sqlite_sequence")) : 0;
}

function firstValue(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}
