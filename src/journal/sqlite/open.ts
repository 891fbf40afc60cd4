import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import type { Sqlite } from "../../host/databases/sqlite.ts";
import { Database } from "../../storage/sqlite/database.ts";
import type { DatabaseLayout } from "../../storage/sqlite/layout.ts";
import { checkLayout, createLayout, isBlank } from "../../storage/sqlite/layout.ts";
import { networkKindOf } from "../../storage/sqlite/network-folder.ts";
import { inspectPlace } from "../../storage/place.ts";
import { DamageError } from "../../storage/failures.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { backUp } from "./backup.ts";
import type { Journal } from "../journal.ts";
import { MovementWriter, whoOf } from "../movement-writer.ts";
import { movedTo, wasMoved } from "./relocation.ts";
import { migrateJournal } from "./migration.ts";
import { knownPath, recallJournals } from "../age/known-journals.ts";
import { applicationId, migrations, newJournal } from "./schema.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { SqliteRows } from "./rows.ts";
import { adoptIn, lookIn, journalViewOf } from "./journal-view.ts";
import type { RegistrationPlace } from "../age/found-journal.ts";
import type { RegisteredJournal } from "../age/registration.ts";
import type { Purpose } from "../age/purpose.ts";
import { Registration, withName } from "../age/registration.ts";
import { makesChanges, wantsTheSame } from "../age/purpose.ts";
import type { JournalPaths } from "../failures.ts";
import { restoreHint, damaged, uncertainFate, journalFailure } from "../failures.ts";

const layout: DatabaseLayout = { noun: "journal", applicationId, migrations, newTables: newJournal };
const folderMode = 0o700;

/** Where the journal of this machine is, and what it is opened for. */
export interface JournalPlace {
  /** The folder of the journal. */
  readonly stateFolder: string;
  /** The folder of the list of known journals and their marks. */
  readonly configFolder: string;
  /** Of this program. */
  readonly version: string;
  /** `read` creates no file: a missing journal is empty. */
  readonly use: Purpose;
  /** The account whose orders are to leave, as `accountScope` names it. */
  readonly account?: string | undefined;
  /** True for a caller that checks `refusal` itself: then no warning repeats it. */
  readonly looksAtRefusal?: boolean | undefined;
  /** Receives warnings that a person should see before money moves. */
  readonly warn: (line: string) => Promise<void> | void;
}

/**
 * Opens the journal of this user, `journal.db` in the state folder. A missing or altered journal is never replaced by a
 * new one: an order that is not on record would be sent a second time.
 * @throws {Failure} setup | unavailable
 */
export async function openJournal(host: Host, place: JournalPlace): Promise<Journal> {
  return withName(await openRegistered(host, place), place);
}

/**
 * The same with its registration, to make it the known journal.
 * @throws {Failure} setup | unavailable
 */
export async function openRegistered(host: Host, place: JournalPlace): Promise<RegisteredJournal> {
  const { sqlite, database, id, paths, registration } = await openLocal(host, place);
  const target = movedTo(database);
  if (target !== undefined) await place.warn(`This journal was moved to ${target}: what was ordered since is there.`);
  const rows = new SqliteRows(database);
  const writer = new MovementWriter(host, rows, whoOf(host, place.version));
  const openUnlocked = () => sqlite.openUnlocked(paths.journal);
  const copyTo = (path: string) => backUp(host, sqlite, { database, openUnlocked }, path);
  const journal = new SqliteJournal({ id, database, rows, writer, copyTo, registration, openUnlocked });
  return { journal, registration };
}

/** What a journal on this machine is made of. */
export interface LocalJournal {
  readonly id: string;
  readonly sqlite: Sqlite;
  readonly database: Database;
  readonly paths: JournalPaths;
  readonly registration: Registration;
}

/**
 * The same without the parts for orders, to move the journal or to make it current.
 * @throws {Failure} setup | unavailable
 */
export async function openLocal(host: Host, place: JournalPlace): Promise<LocalJournal> {
  const { use, stateFolder } = place;
  const paths: JournalPaths = {
    journal: join(stateFolder, "journal.db"),
    known: knownPath(place.configFolder),
    money: use === "write" ? "not moved" : "none",
  };
  try {
    const known = wantsTheSame(use) ? await expectedAt(host, paths) : undefined;
    const sizeBytes = await sizeOf(host, stateFolder, paths, known !== undefined);
    const sqlite = await host.sqlite();
    if (sizeBytes === 0 && makesChanges(use)) await host.files.makeFolder(stateFolder, folderMode);
    const database = new Database(openFile(sqlite, paths.journal, sizeBytes, use), explainedBy(paths));
    try {
      const id = database.attempt(() =>
        prepareDatabase(host, database, sizeBytes, { use, paths, expected: known, version: place.version }),
      );
      const target = movedTo(database);
      if (target !== undefined && makesChanges(use)) throw wasMoved(paths.journal, target, paths.money);
      if (use === "write") await warnOfNetwork(host, place);
      const registration = await Registration.of(
        host,
        registrationPlace(host, place, paths),
        journalViewOf(id, paths.journal, database),
      );
      return { id, sqlite, database, paths, registration };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw journalFailure(error, paths);
  }
}

/** The id of the journal that should be there; undefined where there was none. */
async function expectedAt(host: Host, paths: JournalPaths): Promise<string | undefined> {
  const journals = await recallJournals(host, paths, adoptIn(host));
  return journals.find(({ place }) => place === paths.journal)?.id;
}

/** Where nothing was ever ordered there is nothing to read, and no reason to create a file. */
function openFile(sqlite: Sqlite, path: string, sizeBytes: number, use: Purpose) {
  if (sizeBytes > 0) return sqlite.open(path, "existing");
  return makesChanges(use) ? sqlite.open(path, "create") : sqlite.openInMemory();
}

function registrationPlace(host: Host, place: JournalPlace, paths: JournalPaths): RegistrationPlace {
  const { use, account, looksAtRefusal = false, warn } = place;
  return { paths, use, account, looksAtRefusal, warn, look: lookIn(host), adopt: adoptIn(host) };
}

function explainedBy(paths: JournalPaths) {
  return { explain: (error: unknown) => journalFailure(error, paths) };
}

/**
 * The size of the journal's file; 0 where a new journal may be created.
 * @throws {Failure} setup where it existed, and is missing or empty: no new one takes its place
 */
async function sizeOf(host: Host, folder: string, paths: JournalPaths, existed: boolean): Promise<number> {
  const sizeBytes = await inspectPlace(host, { folder, path: paths.journal, money: paths.money });
  if (sizeBytes === undefined || sizeBytes === 0) {
    if (!existed) return 0;
    const problem = sizeBytes === undefined ? "is missing" : "is empty";
    throw new Failure("setup", `The journal ${namePath(paths.journal)} ${problem}, though there was one.`, {
      hint: `No money moves without it. ${restoreHint(paths, "is gone")}`,
      money: uncertainFate(paths),
    });
  }
  return sizeBytes;
}

interface Expectation {
  readonly use: Purpose;
  readonly paths: JournalPaths;
  /** The id of the journal that should be there; undefined where any may. */
  readonly expected: string | undefined;
  /** Of this program. */
  readonly version: string;
}

function prepareDatabase(
  host: Host,
  database: Database,
  sizeBytes: number,
  { use, paths, expected, version }: Expectation,
): string {
  if (isBlank(database) && expected === undefined) create(host, database);
  upgrade(host, database, { use, paths, version });
  checkLayout(database, layout, sizeBytes);
  const id = database.value("SELECT id FROM journal");
  if (typeof id !== "string") throw new DamageError("it has no id");
  if (expected !== undefined && expected !== id) throw damaged(paths, "another journal lies in its place");
  return id;
}

/** A journal of an earlier version that can only be read is read as it is. */
function upgrade(host: Host, database: Database, { use, paths, version }: Omit<Expectation, "expected">): void {
  try {
    const writerOf = (rows: SqliteRows) => new MovementWriter(host, rows, whoOf(host, version));
    migrateJournal(database, layout, writerOf, paths.money);
  } catch (error) {
    if (makesChanges(use)) throw error;
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

async function warnOfNetwork(host: Host, { stateFolder, warn }: JournalPlace): Promise<void> {
  const kind = await networkKindOf(host, stateFolder);
  if (kind === undefined) return;
  await warn(
    `The journal is on a network folder (${kind}), where it may not survive a crash. Set PARTNER_STATE_DIR to a folder of this machine.`,
  );
}
