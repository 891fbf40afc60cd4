import type { Host } from "../../host/host.ts";
import type { PostgresRecord } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import { SharedDatabase } from "../../storage/postgres/database.ts";
import type { SharedName } from "../../storage/postgres/failure.ts";
import { sharedSettings } from "../../storage/postgres/settings.ts";
import { DamageError, NewerSchemaError } from "../../storage/failures.ts";
import { formatDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import type { PostgresUrl } from "../../values/addresses/postgres-url.ts";
import { visible } from "../../values/text/text.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import type { Journal } from "../journal.ts";
import { whoOf } from "../movement-writer.ts";
import { writerVersion } from "../writers.ts";
import { hostTimes } from "../../host/host-times.ts";
import { serverTime } from "../lease.ts";
import { knownPath, recallJournals } from "../age/known-journals.ts";
import { fillSharedKeys } from "./keys.ts";
import { nowMs } from "./approvals/words.ts";
import { noRights } from "./roles/roles-sql.ts";
import type { SharedParts } from "./postgres-journal.ts";
import { SharedJournal } from "./postgres-journal.ts";
import { journalLayout } from "./schema.ts";
import { severalPrimaries } from "./primaries.ts";
import { postgresJournalView } from "./journal-view.ts";
import { sharedFailure } from "./failures.ts";
import { adoptIn, lookIn } from "../sqlite/journal-view.ts";
import type { RegisteredJournal } from "../age/registration.ts";
import type { Purpose } from "../age/purpose.ts";
import { Registration, withName } from "../age/registration.ts";
import { makesChanges, wantsTheSame } from "../age/purpose.ts";
import type { JournalPaths } from "../failures.ts";

/** How far the clocks of a host and the server may differ without a warning. */
const clockToleranceMs = 60_000;

/**
 * The number of orders recorded at the same time; others wait. A server with default settings has a hundred
 * connections.
 */
const maxConnections = 8;

const lookAround = `SELECT j.id, l.version, j.movements,
    current_setting('fsync') AS fsync, current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
    current_setting('synchronous_standby_names') AS synchronous, (SELECT count(*) FROM pg_stat_replication) AS standbys,
    (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = session_user) AS is_super,
    ${nowMs} AS now
  FROM partner.journal j LEFT JOIN partner.layout l ON l.part = 'journal'`;

/** Where a shared journal is, and what it is opened for. */
export interface SharedPlace {
  readonly url: PostgresUrl;
  /** The folder of the list of known journals and their marks. */
  readonly configFolder: string;
  /** Of this program. */
  readonly version: string;
  readonly use: Purpose;
  /** The account whose orders are to leave, as `accountScope` names it. */
  readonly account?: string | undefined;
  /** True to warn readers, too, why no money could be sent with this server. */
  readonly examines?: boolean | undefined;
  /** True for a caller that opens it again to change it: a server that money may not be sent with is refused at once. */
  readonly willChange?: boolean | undefined;
  /** True for a caller that checks `refusal` itself: then no warning repeats it. */
  readonly looksAtRefusal?: boolean | undefined;
  /** PEM text of `--ca-cert`. */
  readonly certificates: string | undefined;
  /** Receives warnings that a person should see before money moves. */
  readonly warn: (line: string) => Promise<void> | void;
}

/**
 * Opens the journal that a database has for several hosts. It is never created here: `journal migrate` does that, once.
 * A journal other than the known one is refused.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedJournal(host: Host, place: SharedPlace): Promise<Journal> {
  return withName(await openSharedRegistered(host, place), place);
}

/**
 * The same with its registration, to make it the known journal.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedRegistered(host: Host, place: SharedPlace): Promise<RegisteredJournal> {
  const parts = await openSharedParts(host, place);
  const journal = new SharedJournal({ ...parts, host, who: whoOf(host, place.version) });
  return { journal, registration: parts.registration };
}

/**
 * The same in parts, to fill it.
 * @throws {Failure} setup | unavailable
 */
export async function openSharedParts(host: Host, place: SharedPlace): Promise<Omit<SharedParts, "host" | "who">> {
  const { use, account, looksAtRefusal = false, warn } = place;
  const money = use === "write" ? "not moved" : "none";
  const name = namePostgres(place.url);
  const shared: SharedName = { noun: "journal", name, money };
  const paths: JournalPaths = { journal: name, known: knownPath(place.configFolder), money };
  const database = await connectShared(host, place, shared);
  try {
    const { id, leaseTime } = await checkShared(host, place, database);
    if (wantsTheSame(use)) await refuseOther(host, paths, id);
    const registrationPlace = { paths, use, account, looksAtRefusal, warn, look: lookIn(host), adopt: adoptIn(host) };
    const view = postgresJournalView(id, name, database, makesChanges(use));
    const registration = await Registration.of(host, registrationPlace, view);
    if (makesChanges(use)) await fillSharedKeys(database).catch(ignoreMissingRights);
    return { id, database, registration, leaseTime };
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
  const explain = (error: unknown) => sharedFailure(error, shared);
  return new SharedDatabase(host, { settings, explain, writer: writerVersion, maxConnections });
}

/** Checks that the server has a journal of this version, and keeps what it commits; returns its id and its time. */
async function checkShared(
  host: Host,
  { use, examines = false, willChange = false, warn }: SharedPlace,
  database: SharedDatabase,
): Promise<Pick<SharedParts, "id" | "leaseTime">> {
  const asked = hostTimes(host.clock);
  const [facts] = await database.firstRead(lookAround);
  const id = facts?.["id"];
  if (facts === undefined || typeof id !== "string") throw new DamageError("it has no id");
  checkVersion(facts["version"]);
  const changes = makesChanges(use) || willChange;
  const serverNow = Number(facts["now"]);
  // Taken before any warning: a stopped terminal can hold one up for minutes.
  const found = { id, leaseTime: serverTime(host.clock, serverNow, asked) };
  if (!changes && !examines) return found;
  const why = whyUnsafe(facts) ?? (await severalPrimaries(host, database.settings));
  if (why !== undefined && changes) throw unsafe(why);
  if (!makesChanges(use) && !examines) return found;
  if (why !== undefined) await warn(unsafe(why).message);
  if (examines && isAsynchronous(facts)) await warn(aboutAsynchronous);
  if (examines && facts["is_super"] === true) await warn(aboutSuperuser);
  await compareClocks(host, serverNow, warn);
  return found;
}

/** A role that may not write keys may not send either: a sending role will do it. */
function ignoreMissingRights(error: unknown): void {
  const cause = error instanceof Failure ? error.cause : error;
  if (!(cause instanceof PostgresError) || cause.code !== noRights) throw error;
}

function whyUnsafe(facts: PostgresRecord): string | undefined {
  if (facts["fsync"] !== "on") return "it runs with fsync = off and can lose orders when the power fails";
  if (facts["encoding"] !== "UTF8") return "its encoding is not UTF8";
  if (facts["is_standby"] === true)
    return "it is a standby, which only reads; of several hosts, target_session_attrs=read-write finds the primary";
  if (facts["synchronous"] !== "" && Number(facts["standbys"]) === 0)
    return `it waits for a synchronous standby (${visible(String(facts["synchronous"]))}), and none is connected`;
  return undefined;
}

/** What a standby without `synchronous_standby_names` means for orders. */
const aboutAsynchronous =
  "The shared journal's server has a standby that is not synchronous: after a failover to it the last orders may be missing. Hosts that sent them notice, and stop until partner journal recover has read the statements. To keep every order, set synchronous_standby_names.";

const aboutSuperuser =
  "The journal's address logs in as a superuser of its server: no trigger, row policy or right restricts it. It can write any history. Name a role without that right.";

function isAsynchronous(facts: PostgresRecord): boolean {
  return facts["synchronous"] === "" && Number(facts["standbys"]) > 0;
}

function checkVersion(version: unknown): void {
  if (typeof version !== "number") throw new DamageError("it has no version");
  const { length: own } = journalLayout.migrations;
  if (version > own) throw new NewerSchemaError();
  if (version === own) return;
  throw new Failure("setup", `The shared journal is of version ${version}, and this partner needs ${own}.`, {
    hint: "Upgrade it, as a user who may create tables: partner journal migrate",
  });
}

function unsafe(why: string): Failure {
  return new Failure("setup", `The shared journal is not used for money: ${why}.`, {
    hint: "Have the server's administrator put that right, or name another one.",
    money: "not moved",
  });
}

/** A wrong clock costs no money: attempts are judged by the server's. */
async function compareClocks(host: Host, serverNow: number, warn: SharedPlace["warn"]): Promise<void> {
  const apartMs = Math.abs(serverNow - host.clock.now());
  if (apartMs <= clockToleranceMs) return;
  await warn(
    `This machine's clock and the journal's server are ${formatDuration(apartMs)} apart. Set them right: the history's times come from them.`,
  );
}

/** Refuses a journal other than the one known at this address. */
async function refuseOther(host: Host, paths: JournalPaths, id: string): Promise<void> {
  const known = await recallJournals(host, paths, adoptIn(host));
  const before = known.find(({ place }) => place === paths.journal);
  if (before === undefined || before.id === id) return;
  throw new Failure("setup", `The journal at ${paths.journal} is not the known one.`, {
    hint: "Find out why before money moves. If it is right, read the statements for what was sent with the former one: partner journal recover",
    money: paths.money,
  });
}
