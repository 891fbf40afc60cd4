import type { Host } from "../host/host.ts";
import type { PostgresRecord } from "../host/postgres.ts";
import { PostgresError } from "../host/postgres.ts";
import { SharedDatabase } from "../storage/shared-database.ts";
import type { SharedName } from "../storage/shared-failure.ts";
import { sharedSettings } from "../storage/shared-settings.ts";
import { Damage } from "../storage/trouble.ts";
import { formatDuration } from "../values/duration.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/path-name.ts";
import type { PostgresUrl } from "../values/postgres-url.ts";
import { namePostgres } from "../values/postgres-url.ts";
import type { Journal } from "./journal.ts";
import { whoOf } from "./ledger.ts";
import { memoryPath, recallJournals, rememberJournal } from "./memory.ts";
import { fillSharedKeys } from "./shared-keys.ts";
import { noRights } from "./roles-sql.ts";
import { SharedJournal } from "./shared-journal.ts";
import { journalLayout } from "./shared-schema.ts";
import { howToForget, sharedFailure } from "./shared-trouble.ts";
import type { JournalPaths } from "./trouble.ts";

/** By so much the clocks of two hosts may differ before somebody is told: the margin for leases is larger. */
const clockToleranceMs = 60_000;

const lookAround = `SELECT j.id, l.version, j.movements,
    current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
  FROM partner.journal j LEFT JOIN partner.layout l ON l.part = 'journal'`;

/** Where a shared journal is, and what it is opened for. */
export interface SharedPlace {
  readonly url: PostgresUrl;
  /** Where its id is remembered. */
  readonly configFolder: string;
  /** Of this program. */
  readonly version: string;
  readonly use: "read" | "write";
  /** Tells whoever only reads, too, why no money would be sent with it. */
  readonly examines?: boolean | undefined;
  /** PEM text of `--ca-cert`. */
  readonly certificates: string | undefined;
  /** Hears what a person should know before money moves. */
  readonly warn: (line: string) => Promise<void> | void;
}

/**
 * Opens the journal that a database has for several hosts. It is never made here: `journal migrate` does that, once; a
 * journal that is another one than before is not taken for it.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedJournal(host: Host, place: SharedPlace): Promise<Journal> {
  const { id, database } = await openSharedParts(host, place);
  return new SharedJournal({ id, host, database, who: whoOf(host, place.version) });
}

/**
 * The same as what a journal is made of: for whoever fills it.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedParts(
  host: Host,
  place: SharedPlace,
): Promise<{ readonly id: string; readonly database: SharedDatabase }> {
  const money = place.use === "read" ? "none" : "not moved";
  const name = namePostgres(place.url);
  const shared: SharedName = { noun: "journal", name, money, isStandalone: host.machine.isStandalone };
  const paths: JournalPaths = { journal: name, memory: memoryPath(place.configFolder), money };
  const database = await connectShared(host, place, shared);
  try {
    const id = await checkShared(host, place, database);
    await recognise(host, place, paths, id);
    if (place.use === "write") await fillSharedKeys(database).catch(leaveToOthers);
    return { id, database };
  } catch (error) {
    await database.close();
    throw sharedFailure(error, shared);
  }
}

/** The database of a place, which connects when it is first used. */
export async function connectShared(
  host: Host,
  { url, certificates }: Pick<SharedPlace, "url" | "certificates">,
  shared: SharedName,
): Promise<SharedDatabase> {
  const settings = await sharedSettings(host, url, certificates);
  return new SharedDatabase(host, { settings, explain: (error) => sharedFailure(error, shared) });
}

/** Makes sure that what answers is a journal of this version, and keeps what it is told; returns its id. */
async function checkShared(
  host: Host,
  { use, examines = false, warn }: SharedPlace,
  database: SharedDatabase,
): Promise<string> {
  const [facts] = await database.firstRead(lookAround);
  const id = facts?.["id"];
  if (facts === undefined || typeof id !== "string") throw new Damage("it has no id");
  checkVersion(facts["version"]);
  if (use === "read" && !examines) return id;
  const why = whyUnsafe(facts);
  if (why !== undefined && use === "write") throw unsafe(why);
  if (why !== undefined) await warn(unsafe(why).message);
  await compareClocks(host, facts, warn);
  return id;
}

/** Whoever may not write keys may not send either: who sends will do it. */
function leaveToOthers(error: unknown): void {
  const cause = error instanceof Failure ? error.cause : error;
  if (!(cause instanceof PostgresError) || cause.code !== noRights) throw error;
}

function whyUnsafe(facts: PostgresRecord): string | undefined {
  if (facts["fsync"] !== "on") return "it runs with fsync = off and forgets orders when the power goes";
  if (facts["encoding"] !== "UTF8") return "its encoding is not UTF8";
  return facts["is_standby"] === true ? "it is a standby, which only reads" : undefined;
}

function checkVersion(version: unknown): void {
  if (typeof version !== "number") throw new Damage("it has no version");
  const { length: own } = journalLayout.migrations;
  if (version > own) throw new Damage("it was written by a later version of partner; update partner");
  if (version === own) return;
  throw new Failure("setup", `The shared journal is of version ${version}, and this partner needs ${own}.`, {
    hint: "Bring it there, with a user who may: partner journal migrate",
  });
}

function unsafe(why: string): Failure {
  return new Failure("setup", `The shared journal is not used for money: ${why}.`, {
    hint: "Have whoever runs the server put that right, or name another one.",
    money: "not moved",
  });
}

/** To be wrong costs no money, but orders of other hosts look as if they had been left, or never are. */
async function compareClocks(host: Host, facts: PostgresRecord, warn: SharedPlace["warn"]): Promise<void> {
  const apartMs = Math.abs(Number(facts["now"]) - host.clock.now());
  if (apartMs <= clockToleranceMs) return;
  await warn(
    `This machine's clock and the journal's server are ${formatDuration(apartMs)} apart. Set them right: the history's times come from them.`,
  );
}

/** Remembers a journal that is used for the first time, and refuses another one in its place. */
async function recognise(host: Host, place: SharedPlace, paths: JournalPaths, id: string): Promise<void> {
  const known = await recallJournals(host, paths);
  const remembered = known.find(({ path }) => path === paths.journal);
  if (remembered !== undefined && remembered.id !== id)
    throw new Failure("setup", `Another journal answers at ${paths.journal} than the one that was used before.`, {
      hint: `Find out why before money moves. ${howToForget(paths.memory)}`,
      money: paths.money,
    });
  if (remembered !== undefined || place.use === "read") return;
  const [other] = known;
  if (other !== undefined)
    await place.warn(
      `The shared journal ${paths.journal} is used here for the first time; what was sent with the one in ${namePath(other.path)} it only knows if that was copied into it (partner journal copy).`,
    );
  if (await rememberJournal(host, paths, id)) return;
  await place.warn(
    `${namePath(paths.memory)} cannot be written, so nobody will notice if another journal answers there. Set PARTNER_CONFIG_DIR to a folder of your own.`,
  );
}
