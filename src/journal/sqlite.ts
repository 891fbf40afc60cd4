import { join } from "node:path";
import type { Host } from "../host/host.ts";
import type { Sqlite } from "../host/sqlite.ts";
import { Database } from "../storage/database.ts";
import type { Layout } from "../storage/layout.ts";
import { checkLayout, createLayout, isBlank } from "../storage/layout.ts";
import { networkKindOf } from "../storage/network-folder.ts";
import { inspectPlace } from "../storage/place.ts";
import { Damage } from "../storage/trouble.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/path-name.ts";
import { backUp } from "./backup.ts";
import type { Journal } from "./journal.ts";
import { Ledger, whoOf } from "./ledger.ts";
import { movedTo, wasMoved } from "./moved.ts";
import { migrateJournal } from "./sqlite-migration.ts";
import type { Remembered } from "./memory.ts";
import { memoryPath, recallJournals, rememberJournal } from "./memory.ts";
import { applicationId, migrations } from "./schema.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { SqliteRows } from "./sqlite-rows.ts";
import type { JournalPaths } from "./trouble.ts";
import { beginAnew, damaged, journalTrouble } from "./trouble.ts";

const layout: Layout = { noun: "journal", applicationId, migrations };
const folderMode = 0o700;

/** Where the journal of this machine is, and what it is opened for. */
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
  const { sqlite, database, id, paths } = await openLocal(host, place);
  const target = movedTo(database);
  if (target !== undefined && place.use === "write") {
    database.close();
    throw wasMoved(paths.journal, target, paths.money);
  }
  if (target !== undefined) await place.warn(`This journal was moved to ${target}: what was ordered since is there.`);
  const rows = new SqliteRows(database);
  const ledger = new Ledger(host, rows, whoOf(host, place.version));
  const copyTo = (path: string) => backUp(host, sqlite, database, path);
  return new SqliteJournal({ id, database, rows, ledger, copyTo });
}

/** What a journal on this machine is made of. */
export interface LocalJournal {
  readonly id: string;
  readonly sqlite: Sqlite;
  readonly database: Database;
  readonly paths: JournalPaths;
}

/**
 * The same without what is only for orders: for whoever moves the journal elsewhere.
 * @throws {Failure} setup | unavailable
 */
export async function openLocal(host: Host, place: JournalPlace): Promise<LocalJournal> {
  const paths: JournalPaths = {
    journal: join(place.stateFolder, "journal.db"),
    memory: memoryPath(place.configFolder),
    money: place.use === "read" ? "none" : "not moved",
  };
  const known = await recallJournals(host, paths);
  const remembered = known.find(({ path }) => path === paths.journal);
  try {
    const sizeBytes = await sizeOf(host, place.stateFolder, paths, remembered !== undefined);
    const sqlite = await host.sqlite();
    if (sizeBytes === 0 && place.use === "read") return withoutFile(host, sqlite, paths);
    if (sizeBytes === 0) await host.files.makeFolder(place.stateFolder, folderMode);
    const opened = sqlite.open(paths.journal, sizeBytes === 0 ? "create" : "existing");
    const database = new Database(opened, explainedBy(paths));
    try {
      const id = database.attempt(() => prepareDatabase(host, database, sizeBytes, paths, remembered));
      if (place.use === "write") await announce(host, place, paths, { id, known });
      return { id, sqlite, database, paths };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw journalTrouble(error, paths);
  }
}

function explainedBy(paths: JournalPaths) {
  return { explain: (error: unknown) => journalTrouble(error, paths) };
}

/** 0 where a journal may be made: one that existed, and is missing or empty, is not made anew. */
async function sizeOf(host: Host, folder: string, paths: JournalPaths, existed: boolean): Promise<number> {
  const sizeBytes = await inspectPlace(host, { folder, path: paths.journal, money: paths.money });
  if (sizeBytes === undefined || sizeBytes === 0) {
    if (!existed) return 0;
    const problem = sizeBytes === undefined ? "is missing" : "is empty";
    throw new Failure("setup", `The journal ${namePath(paths.journal)} ${problem}, though there was one.`, {
      hint: `No money moves without it. ${beginAnew(paths, sizeBytes === undefined ? "is gone" : "stands there")}`,
      money: paths.money,
    });
  }
  return sizeBytes;
}

/** Where nothing was ever ordered there is nothing to read, and no reason to make a file. */
function withoutFile(host: Host, sqlite: Sqlite, paths: JournalPaths): LocalJournal {
  const database = new Database(sqlite.openInMemory(), explainedBy(paths));
  return { id: prepareDatabase(host, database, 0, paths, undefined), sqlite, database, paths };
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
  bringUp(database, paths.money);
  checkLayout(database, layout, sizeBytes);
  const id = database.value("SELECT id FROM journal");
  if (typeof id !== "string") throw new Damage("it has no id");
  if (remembered !== undefined && remembered.id !== id) {
    throw damaged(paths, "another journal lies in its place");
  }
  return id;
}

/** A journal of an earlier version that can only be read is read as it is. */
function bringUp(database: Database, money: JournalPaths["money"]): void {
  try {
    migrateJournal(database, layout);
  } catch (error) {
    if (money === "not moved") throw error;
  }
}

function create(host: Host, database: Database): void {
  createLayout(database, layout, () => {
    database.run("INSERT INTO journal (only, id, created_at) VALUES (1, :id, :now)", {
      id: host.ids.uuid(),
      now: host.clock.now(),
    });
  });
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
