import type { Host } from "../../host/host.ts";
import type { PostgresRecord } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { Migration, SharedLayout } from "../../storage/postgres/layout.ts";
import { migrate, sharedVersion } from "../../storage/postgres/layout.ts";
import { Failure } from "../../values/failure.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import { visible } from "../../values/text/text.ts";
import { earlierVersionSends } from "../failures.ts";
import { isOwnerGone } from "../lease.ts";
import { approvalsLayout } from "./approvals/schema.ts";
import { nowMs } from "./approvals/words.ts";
import { type Group, groupNames } from "./roles/groups.ts";
import { noRights, rolesSql } from "./roles/roles-sql.ts";
import { fillSharedKeys, renewSharedLikes } from "./keys.ts";
import { nameSharedProofs } from "./verify/proof-lines.ts";
import type { SharedPlace } from "./open.ts";
import { connectShared } from "./open.ts";
import { journalLayout, likesVersion, writersVersion } from "./schema.ts";
import { sharedFailure } from "./failures.ts";

/** The version that looks orders up by what they have in common. */
const keysVersion = 2;
const underWay = `SELECT reference, owner, claim_ends_at, ${nowMs} AS now FROM partner.movements
  WHERE settled_at IS NULL AND state IN ('prepared', 'sending') ORDER BY number`;

/** Options for roles: who may submit, approve and send. */
export interface RolesOptions {
  /** Undefined leaves it as it is. */
  readonly requiresApproval: boolean | undefined;
}

/** What was done, or would be. */
interface Migrated {
  readonly migrations: readonly Migration[];
  /** SQL that is performed after them, for the rights of groups. */
  readonly also: readonly string[];
  /** The roles that people are made members of, where their rights are set. */
  readonly groups: Readonly<Record<Group, string>> | undefined;
}

/**
 * Brings the journal of a database to the version of this program, or only says what that would take.
 * @param others what else belongs in it, such as the inbox
 * @throws {Failure} setup | unavailable
 */
export async function migrateShared(
  host: Host,
  place: Pick<SharedPlace, "url" | "certificates"> & { readonly version?: string | undefined },
  perform: boolean,
  roles?: RolesOptions,
  others: readonly SharedLayout[] = [],
): Promise<Migrated> {
  const name = namePostgres(place.url);
  const shared = { noun: "journal", name, money: "none" } as const;
  const database = await connectShared(host, place, shared);
  let names: Migrated["groups"];
  try {
    requireEncoding(await database.firstRead("SELECT current_setting('server_encoding') AS encoding"));
    const version = await sharedVersion(database, approvalsLayout);
    // Where roles are in use their tables are migrated, too, and new ones get the same rights.
    const isBehind = version !== undefined && (await isOutdated(database, [approvalsLayout, ...others]));
    const approvals = roles === undefined && version === undefined ? [] : [approvalsLayout];
    names = roles === undefined && !isBehind ? undefined : await groupNames(database);
    const also = names === undefined ? [] : [rolesSql(names, roles?.requiresApproval)];
    const former = await sharedVersion(database, journalLayout);
    if (perform && former !== undefined && former < writersVersion) await refuseUnderWay(host, database);
    if (perform && former !== undefined && former >= keysVersion && former < likesVersion)
      await renewSharedLikes(database);
    const migrations = await migrate(database, [journalLayout, ...others, ...approvals], perform, also);
    if (perform) await fillSharedKeys(database);
    if (perform) await nameSharedProofs(host, database, place.version ?? "");
    return { migrations, also, groups: names };
  } catch (error) {
    throw names === undefined ? sharedFailure(error, shared) : (rightsFailure(error) ?? sharedFailure(error, shared));
  } finally {
    await database.close();
  }
}

/** The encoding of a database never changes, and money needs this one. */
function requireEncoding([facts]: readonly PostgresRecord[]): void {
  const encoding = String(facts?.["encoding"]);
  if (encoding === "UTF8") return;
  throw new Failure("setup", `This database cannot have a shared journal: its encoding is ${encoding}, not UTF8.`, {
    hint: "Have another one made: CREATE DATABASE NAME ENCODING 'UTF8' TEMPLATE template0 (with a locale that fits it)",
  });
}

/** Hosts of the earlier version can write nothing more: none may have an order under way. */
async function refuseUnderWay({ machine }: Host, database: SharedDatabase): Promise<void> {
  for (const { reference, owner, claim_ends_at: endsAt, now } of await database.read(underWay))
    if (!isOwnerGone({ mark: String(owner), endsAt: Number(endsAt) }, machine, Number(now)))
      throw earlierVersionSends(String(reference), "none");
}

/** True where one of the parts is not there, or of an earlier version. */
async function isOutdated(database: SharedDatabase, layouts: readonly SharedLayout[]): Promise<boolean> {
  for (const layout of layouts)
    if (((await sharedVersion(database, layout)) ?? 0) < layout.migrations.length) return true;
  return false;
}

/** Roles belong to the whole server: the owner of the journal may lack the right to create them. */
function rightsFailure(error: unknown): Failure | undefined {
  const denied = error instanceof Failure ? error.cause : error;
  if (!(denied instanceof PostgresError) || denied.code !== noRights) return undefined;
  return new Failure("setup", `This database role may not set up roles: ${visible(denied.message)}.`, {
    hint: "Have it done by a user that owns the journal and may create roles, or print the SQL for them: partner journal migrate --roles --dry-run",
    cause: error,
  });
}
