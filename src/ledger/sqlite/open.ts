import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../../host/host.ts";
import type { LogFile } from "../../host/databases/sqlite.ts";
import { inspectPlace } from "../../storage/place.ts";
import { Database } from "../../storage/sqlite/database.ts";
import { checkLayout, createLayout, isBlank, migrateLayout } from "../../storage/sqlite/layout.ts";
import { checkLog } from "../../storage/sqlite/log-check.ts";
import { networkKindOf } from "../../storage/sqlite/network-folder.ts";
import { ledgerFailure } from "../failures.ts";
import type { Ledger } from "../ledger.ts";
import type { LedgerWriter } from "../writer.ts";
import { ledgerLayout, redatedVersion } from "./layout.ts";
import { redate } from "./redated-rows.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import { SqliteLedgerWriter } from "./sqlite-writer.ts";
import type { BulkGiven } from "./entries/thread-bulk.ts";
import { bulkTask, ThreadBulk } from "./entries/thread-bulk.ts";
import { writerCacheKib } from "./writer-cache.ts";

const folderMode = 0o700;
/** A page this large fits dozens of rows, which makes a first sync a third faster than with smaller pages. */
const pageBytes = 16 * 1024;

/** The path of this user's ledger. */
export function ledgerPath(stateFolder: string): string {
  return join(stateFolder, "ledger.db");
}

/**
 * Opens the ledger of this user for reading, `ledger.db` in the state folder. A missing one has no accounts, and no
 * file is created.
 * @throws {Failure} setup where it is damaged, newer, another user's, or must not be used | unavailable (busy)
 */
export async function openLedger(host: Host, stateFolder: string): Promise<Ledger> {
  return new SqliteLedger((await openLedgerDatabase(host, stateFolder, "read")).database);
}

/**
 * Opens it for a sync; creates a missing ledger.
 * @throws {Failure} as above
 */
export async function openLedgerWriter(host: Host, stateFolder: string): Promise<LedgerWriter> {
  const { database } = await openLedgerDatabase(host, stateFolder, "write");
  const path = ledgerPath(stateFolder);
  return new SqliteLedgerWriter(database, {
    now: () => host.clock.now(),
    async longBulk(of) {
      const given: BulkGiven = { path, ...of };
      // Without a thread, rows are written in this one.
      const thread = await host.thread?.({ task: bulkTask, given }).catch(() => undefined);
      return thread && new ThreadBulk(thread, (error) => ledgerFailure(error, path));
    },
  });
}

/**
 * Opens the database itself, and checks or migrates its layout. People's own statements use it, too.
 * @throws {Failure} as above
 */
export async function openLedgerDatabase(
  host: Host,
  stateFolder: string,
  use: "read" | "write",
): Promise<{ readonly database: Database; readonly raw: DatabaseSync }> {
  const path = ledgerPath(stateFolder);
  const explain = (error: unknown) => ledgerFailure(error, path);
  try {
    const sizeBytes = (await inspectPlace(host, { folder: stateFolder, path, money: "none" })) ?? 0;
    const sqlite = await host.sqlite();
    const isMissing = sizeBytes === 0 && use === "read";
    if (!isMissing) await host.files.makeFolder(stateFolder, folderMode);
    const network = isMissing ? undefined : await networkKindOf(host, stateFolder);
    const mayHaveLog = network === undefined;
    const keeper = await checkLog(host, sqlite, { path, sizeBytes, use, mayHaveLog });
    const raw = isMissing ? sqlite.openInMemory() : sqlite.open(path, sizeBytes === 0 ? "create" : "existing");
    const database = new Database(raw, { explain, mayHaveLog, keeper });
    try {
      database.attempt(() => prepare(host, database, sizeBytes));
      // A log's index is memory that all processes share, which two machines can't. The first rows go directly to the
      // file: with a log they would be written twice.
      if (use === "write" && mayHaveLog && hasRows(database)) database.useLog((): LogFile => sqlite.openLog(path));
      if (use === "write") database.execute(`PRAGMA cache_size = ${-writerCacheKib}`);
      return { database, raw };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explain(error);
  }
}

function hasRows(database: Database): boolean {
  return database.get("SELECT 1 FROM entries LIMIT 1") !== undefined;
}

function prepare(host: Host, database: Database, sizeBytes: number): void {
  if (isBlank(database)) {
    database.execute(`PRAGMA page_size = ${pageBytes}`);
    createLayout(database, ledgerLayout, () => {
      database.run("INSERT INTO ledger (only_row, id, created_at) VALUES (1, :id, :now)", {
        id: host.ids.uuid(),
        now: host.clock.now(),
      });
    });
  }
  migrateLayout(database, ledgerLayout, (version) => {
    if (version === redatedVersion) redate(database);
  });
  checkLayout(database, ledgerLayout, sizeBytes);
}
