import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import { Database } from "../../storage/sqlite/database.ts";
import { checkLayout, createLayout, isBlank, migrateLayout } from "../../storage/sqlite/layout.ts";
import { checkLog } from "../../storage/sqlite/log-check.ts";
import { networkKindOf } from "../../storage/sqlite/network-folder.ts";
import { inspectPlace } from "../../storage/place.ts";
import type { Inbox } from "./inbox.ts";
import { inboxLayout } from "./inbox-layout.ts";
import { SqliteInbox } from "./sqlite-inbox.ts";
import { databaseFailure } from "../../storage/file-failure.ts";

const folderMode = 0o700;
/** A receiver that waits longer than this answers with an error, and the sender tries again. */
const busyTimeoutMs = 2_000;

export interface InboxPlace {
  readonly stateFolder: string;
  /** `read` creates no file: a missing inbox is empty. */
  readonly use: "read" | "write";
  /** Receives warnings for people. */
  readonly warn: (line: string) => Promise<void> | void;
}

/**
 * Opens the inbox of this user, `inbox.db` in the state folder.
 * @throws {Failure} setup where it is damaged, belongs to another user, or must not be used | unavailable (busy)
 */
export async function openInbox(host: Host, { stateFolder, use, warn }: InboxPlace): Promise<Inbox> {
  const path = join(stateFolder, "inbox.db");
  const newOne = "treats events that come again as new";
  const explain = (error: unknown) => databaseFailure(error, { name: "inbox", path, newOne, check: "partner doctor" });
  try {
    const sizeBytes = (await inspectPlace(host, { folder: stateFolder, path, money: "none" })) ?? 0;
    const sqlite = await host.sqlite();
    const isMissing = sizeBytes === 0 && use === "read";
    if (!isMissing) await host.files.makeFolder(stateFolder, folderMode);
    const network = use === "write" ? await networkKindOf(host, stateFolder) : undefined;
    const mayHaveLog = network === undefined;
    const keeper = await checkLog(host, sqlite, { path, sizeBytes, use, mayHaveLog, busyTimeoutMs });
    const opened = isMissing ? sqlite.openInMemory() : sqlite.open(path, sizeBytes === 0 ? "create" : "existing");
    const database = new Database(opened, { explain, busyTimeoutMs, mayHaveLog, keeper });
    try {
      database.attempt(() => {
        if (isBlank(database)) createLayout(database, inboxLayout, () => undefined);
        else migrateLayout(database, inboxLayout, () => undefined);
        checkLayout(database, inboxLayout, sizeBytes);
      });
      // A log's index is memory that all processes share, which two machines can't.
      if (use === "write" && mayHaveLog) database.useLog(() => sqlite.openLog(path));
    } catch (error) {
      database.close();
      throw error;
    }
    if (network !== undefined) await warn(warningOfNetwork(network));
    return new SqliteInbox(database);
  } catch (error) {
    throw explain(error);
  }
}

function warningOfNetwork(kind: string): string {
  return `The inbox is on a network folder (${kind}), where it may not survive a crash. Set PARTNER_STATE_DIR to a folder of this machine.`;
}
