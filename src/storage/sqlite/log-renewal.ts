import type { DatabaseSync } from "node:sqlite";
import type { LogFile } from "../../host/databases/sqlite.ts";
import { isBusy } from "../failures.ts";

/**
 * Brings what a log has to the disk: it may have commits of a process whose sync failed, and that was killed. Other
 * processes wait meanwhile; while another one writes, the log stays as it is, and nothing waits for it.
 */
export function renewLog(database: DatabaseSync, log: LogFile): void {
  if (log.isEmpty()) return;
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    if (isBusy(error)) return;
    throw error;
  }
  try {
    log.renew();
  } finally {
    database.exec("COMMIT");
  }
}
