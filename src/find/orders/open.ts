import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import type { OrderTrail } from "../../journal/history/trail.ts";
import { isBusy } from "../../storage/failures.ts";
import { inspectPlace } from "../../storage/place.ts";
import { Database } from "../../storage/sqlite/database.ts";
import { checkLayout, createLayout, isBlank } from "../../storage/sqlite/layout.ts";
import { networkKindOf } from "../../storage/sqlite/network-folder.ts";
import { OrderIndex, orderIndexLayout } from "./order-index.ts";

/** An index that is up to date, and the orders that its numbers mean. */
export interface IndexedOrders {
  readonly index: OrderIndex;
  readonly trail: OrderTrail;
}

/** Fewer lines of history are read faster than an index is made. */
const minLines = 20_000;

/** The path of the index, which anyone may remove: it is made anew. */
function pathIn(stateFolder: string): string {
  return join(stateFolder, "find.db");
}

/**
 * Opens the index of a large journal while `use` works with it, up to date. Undefined for a small or a shared one, and
 * where no index can be kept: the disk may be full, or the folder of another user.
 */
export async function withOrderIndex<T>(
  host: Host,
  stateFolder: string,
  { id, trail }: { readonly id: string; readonly trail: OrderTrail | undefined },
  use: (index: IndexedOrders | undefined) => Promise<T>,
): Promise<T> {
  const database = trail === undefined || trail.lines() < minLines ? undefined : await opened(host, stateFolder);
  try {
    return await use(database && trail && (await upToDate(database, id, trail)));
  } finally {
    database?.close();
  }
}

async function upToDate(database: Database, journal: string, trail: OrderTrail): Promise<IndexedOrders | undefined> {
  try {
    const index = new OrderIndex(database);
    await index.update(journal, trail);
    return { index, trail };
  } catch {
    return undefined;
  }
}

async function opened(host: Host, stateFolder: string): Promise<Database | undefined> {
  try {
    return await open(host, stateFolder);
  } catch (error) {
    if (isBusy(error)) return undefined;
    // A damaged one says nothing that the journal does not.
    await forgetOrderIndex(host, stateFolder).catch(() => undefined);
    return open(host, stateFolder).catch(() => undefined);
  }
}

/** Removes the index, which may name people whose data is redacted; the next search makes it anew. */
export async function forgetOrderIndex({ files }: Pick<Host, "files">, stateFolder: string): Promise<void> {
  const path = pathIn(stateFolder);
  for (const name of [`${path}-journal`, path]) if ((await files.facts(name)) !== undefined) await files.remove(name);
}

async function open(host: Host, folder: string): Promise<Database> {
  const path = pathIn(folder);
  const sizeBytes = (await inspectPlace(host, { folder, path, money: "none" })) ?? 0;
  const isLocal = (await networkKindOf(host, folder)) === undefined;
  const raw = (await host.sqlite()).open(path, sizeBytes === 0 ? "create" : "existing");
  const database = new Database(raw, { explain: (error) => error, mayHaveLog: isLocal });
  try {
    if (isBlank(database)) createLayout(database, orderIndexLayout, () => undefined);
    checkLayout(database, orderIndexLayout, sizeBytes);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
