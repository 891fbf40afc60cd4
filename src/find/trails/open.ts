import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import { isBusy } from "../../storage/failures.ts";
import { inspectPlace } from "../../storage/place.ts";
import { Database } from "../../storage/sqlite/database.ts";
import { checkLayout, createLayout, isBlank } from "../../storage/sqlite/layout.ts";
import { networkKindOf } from "../../storage/sqlite/network-folder.ts";
import { FindIndex, findIndexLayout } from "./find-index.ts";
import type { NumbersIndex, Trail } from "./trail.ts";

/** The path of the index. Removing it is safe: it is rebuilt. */
function pathIn(stateFolder: string): string {
  return join(stateFolder, "find.db");
}

/**
 * Runs `use` with an up-to-date index of each source that is long. There is none where it can't be stored: the disk may
 * be full, or the folder another user's.
 */
export async function withFindIndex<T>(
  host: Host,
  stateFolder: string,
  trails: readonly Trail[],
  use: (indexes: ReadonlyMap<Trail["kind"], NumbersIndex>) => Promise<T>,
): Promise<T> {
  const long = trails.filter((trail) => trail.isLong());
  const database = long.length === 0 ? undefined : await opened(host, stateFolder);
  const indexes = new Map<Trail["kind"], NumbersIndex>();
  let isUnusable = false;
  try {
    if (database !== undefined)
      for (const trail of long)
        try {
          indexes.set(trail.kind, await new FindIndex(database).update(trail));
        } catch (error) {
          isUnusable ||= !isBusy(error);
        }
    return await use(indexes);
  } finally {
    database?.close();
    // The next search rebuilds it.
    if (isUnusable) await forgetFindIndex(host, stateFolder).catch(() => undefined);
  }
}

async function opened(host: Host, stateFolder: string): Promise<Database | undefined> {
  try {
    return await open(host, stateFolder);
  } catch (error) {
    if (isBusy(error)) return undefined;
    // A damaged index can go: it has nothing that its sources don't have.
    await forgetFindIndex(host, stateFolder).catch(() => undefined);
    return open(host, stateFolder).catch(() => undefined);
  }
}

/** Removes the index, which may name people whose data was removed; the next search rebuilds it. */
export async function forgetFindIndex({ files }: Pick<Host, "files">, stateFolder: string): Promise<void> {
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
    if (isBlank(database)) createLayout(database, findIndexLayout, () => undefined);
    checkLayout(database, findIndexLayout, sizeBytes);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
