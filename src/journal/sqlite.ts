import { join } from "node:path";
import type { Host } from "../host/host.ts";
import type { Sqlite } from "../host/sqlite.ts";
import { backUp } from "./backup.ts";
import { Database } from "./database.ts";
import { inspectPlace } from "./inspection.ts";
import type { Journal } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import type { Remembered } from "./memory.ts";
import { memoryPath, recallJournals, rememberJournal } from "./memory.ts";
import { networkKindOf } from "./network-folder.ts";
import { applicationId, migrations } from "./schema.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import type { JournalPaths } from "./trouble.ts";
import { Damage, damaged, journalTrouble, namePath } from "./trouble.ts";
import { checkStructure } from "./verify.ts";

/** Up to this size the whole file is checked whenever it is opened: about 3,000 orders, 16 ms. */
export const checkedMaxBytes = 4 * 1024 * 1024;
const folderMode = 0o700;

export interface JournalPlace {
  /** Where the journal lies. */
  readonly stateFolder: string;
  /** Where its id is remembered. */
  readonly configFolder: string;
  /** Of this program. */
  readonly version: string;
  /** `read` makes no file where there is none: the list of what was sent is empty then. */
  readonly use: "read" | "write";
  /** Hears what a person should know before money moves. */
  readonly warn: (line: string) => Promise<void> | void;
}

/**
 * Opens the journal of this user, `journal.db` in the state folder. One that should be there and is not, or is not what
 * it was, is never replaced by a new one: an order that nobody remembers would be sent a second time.
 * @throws {Failure} setup | unavailable
 */
export async function openJournal(host: Host, place: JournalPlace): Promise<Journal> {
  const paths: JournalPaths = {
    journal: join(place.stateFolder, "journal.db"),
    memory: memoryPath(place.configFolder),
    money: place.use === "read" ? "none" : "not moved",
  };
  const known = await recallJournals(host, paths);
  const remembered = known.find(({ path }) => path === paths.journal);
  try {
    const sizeBytes = await inspectPlace(host, place.stateFolder, paths, remembered !== undefined);
    const sqlite = await host.sqlite();
    if (sizeBytes === 0 && place.use === "read") return withoutFile(host, sqlite, paths, place);
    if (sizeBytes === 0) await host.files.makeFolder(place.stateFolder, folderMode);
    const database = new Database(sqlite.open(paths.journal, sizeBytes === 0 ? "create" : "existing"), paths);
    try {
      const id = database.attempt(() => prepareDatabase(host, database, sizeBytes, paths, remembered));
      if (place.use === "write") await announce(host, place, paths, { id, known });
      const ledger = new Ledger(host, database, whoOf(host, place));
      return new SqliteJournal(id, database, ledger, (path) => backUp(host, sqlite, database, path));
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw journalTrouble(error, paths);
  }
}

/** Where nothing was ever ordered there is nothing to read, and no reason to make a file. */
function withoutFile(host: Host, sqlite: Sqlite, paths: JournalPaths, place: JournalPlace): Journal {
  const database = new Database(sqlite.openInMemory(), paths);
  const id = prepareDatabase(host, database, 0, paths, undefined);
  const ledger = new Ledger(host, database, whoOf(host, place));
  return new SqliteJournal(id, database, ledger, (path) => backUp(host, sqlite, database, path));
}

/** Makes sure that it is a journal of ours, whole and of this version, and returns its id. */
function prepareDatabase(
  host: Host,
  database: Database,
  sizeBytes: number,
  paths: JournalPaths,
  remembered: Remembered | undefined,
): string {
  if (isBlank(database) && remembered === undefined) create(host, database);
  if (pragma(database, "application_id") !== applicationId) throw new Damage("it is no journal of partner");
  if (pragma(database, "user_version") > migrations.length) {
    throw new Damage("it was written by a later version of partner; update partner");
  }
  if (sizeBytes <= checkedMaxBytes) checkStructure(database);
  const id = database.value("SELECT id FROM journal");
  if (typeof id !== "string") throw new Damage("it has no id");
  if (remembered !== undefined && remembered.id !== id) {
    throw damaged(paths, "another journal lies in its place");
  }
  return id;
}

function create(host: Host, database: Database): void {
  database.commitNow(() => {
    // Another process may have been faster.
    if (!isBlank(database)) return;
    for (const migration of migrations) database.execute(migration);
    database.run("INSERT INTO journal (only, id, created_at) VALUES (1, :id, :now)", {
      id: host.ids.uuid(),
      now: host.clock.now(),
    });
    database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

function isBlank(database: Database): boolean {
  return database.get("SELECT 1 FROM sqlite_schema") === undefined && pragma(database, "application_id") === 0;
}

function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number(database.value(`PRAGMA ${name}`));
}

/** Remembers a journal that is used for the first time, and says what is unusual about it. */
async function announce(
  host: Host,
  place: JournalPlace,
  paths: JournalPaths,
  { id, known }: { readonly id: string; readonly known: readonly Remembered[] },
): Promise<void> {
  const kind = await networkKindOf(host, place.stateFolder);
  if (kind !== undefined) {
    await place.warn(
      `The journal lies on a network folder (${kind}): whether it survives a crash there is not known. Set PARTNER_STATE_DIR to a folder of this machine.`,
    );
  }
  if (known.some(({ path }) => path === paths.journal)) return;
  const [other] = known;
  if (other !== undefined) {
    await place.warn(
      `A new journal begins in ${namePath(paths.journal)}; what was sent with the one in ${namePath(other.path)} it does not know.`,
    );
  }
  if (await rememberJournal(host, paths, id)) return;
  await place.warn(
    `${namePath(paths.memory)} cannot be written, so nobody will notice if the journal is lost. Set PARTNER_CONFIG_DIR to a folder of your own.`,
  );
}

function whoOf(host: Host, place: JournalPlace) {
  const { userName, hostName } = host.machine;
  return { user: userName, host: hostName, version: place.version };
}
