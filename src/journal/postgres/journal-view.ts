import type { PostgresRecord } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { Failure } from "../../values/failure.ts";
import type { JournalView } from "../age/judgement.ts";
import type { FactEnd, JournalEnd, Server } from "../age/marks.ts";
import { placedAtNoted } from "../service-time.ts";
import { numberIn } from "./rows.ts";
import { isPartialSql } from "./roles/roles-sql.ts";

/**
 * Identifies the tables on their server: what is restored from a dump, or made from a copy of the database, has other
 * numbers.
 */
export const databaseSql = `(SELECT d.oid || '/' || to_regclass('partner.events')::oid FROM pg_database d
    WHERE d.datname = current_database())`;
const stateSql = `SELECT j.events AS number, e.at, e.seal, there.seal AS seal_there, ${databaseSql} AS database,
    (SELECT count(*) FROM partner.seen) AS seen,
    (SELECT json_agg(scope)::text FROM partner.accounts) AS accounts, (${isPartialSql}) AS is_partial,
    to_regclass('partner.facts') IS NOT NULL AS has_facts, placed.at AS placed_at, placed.note AS placed_note
  FROM partner.journal j
  LEFT JOIN partner.events e ON e.number = j.events
  LEFT JOIN partner.events there ON there.number = $1
  LEFT JOIN LATERAL (SELECT c.at, c.note FROM partner.events c
    WHERE NOT (${isPartialSql}) AND c.movement = (SELECT max(number) FROM partner.movements) AND c.step = 'claim'
    ORDER BY c.number DESC LIMIT 1) placed ON true`;
/** The last decision, and the seal of the one with a number. */
export const factSql = `SELECT f.number, f.seal, (SELECT t.seal FROM partner.facts t WHERE t.number = $1) AS seal_there
  FROM partner.facts f ORDER BY f.number DESC LIMIT 1`;
/** The timeline that is written now: that of the last checkpoint may be from before a standby took over. */
const timelineSql = `CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END`;
/** Which server it is; the timeline of a standby is null. */
export const serverSql = `SELECT system_identifier::text AS system, ${timelineSql} AS timeline FROM pg_control_system()`;

/** The timeline for a run that knew it when it began: a server that hides it then may refuse to be asked. */
export function timelineFor(known: number | undefined): string {
  return known === undefined ? "NULL::int" : timelineSql;
}

/**
 * A shared journal, as far as it shows itself.
 * @param isMarked true where a mark names what it shows, and that has to be on the disk
 */
export function postgresJournalView(
  id: string,
  place: string,
  database: SharedDatabase,
  isMarked: boolean,
): JournalView {
  return {
    id,
    place,
    async look(number, fact = 0) {
      // Whether there is only one row is checked where numbers are taken from it, and by `verify`.
      const [record = {}] = await database.read(stateSql, [number]);
      const isPartial = record["is_partial"] === true;
      const hasFacts = record["has_facts"] === true && !isPartial;
      const [decided] = hasFacts ? await database.read(factSql, [fact]) : [];
      const server = await serverOf(database);
      if (isMarked) await database.waitForDisk();
      return {
        end: endIn(record),
        placedAt: placedAtIn(record),
        seen: numberIn(record, "seen"),
        server,
        database: textOrUndefined(record["database"]),
        seal: textOrUndefined(record["seal_there"]),
        isPartial,
        fact: factEndIn(decided),
        factSeal: textOrUndefined(decided?.["seal_there"]),
        accounts: accountsIn(record["accounts"]),
      };
    },
  };
}

/** The last decision out of the row that `factSql` finds; undefined where there is none. */
export function factEndIn(record: PostgresRecord | undefined): FactEnd | undefined {
  const [number, seal] = [record?.["number"], record?.["seal"]];
  return typeof number === "number" && typeof seal === "string" ? { number, seal } : undefined;
}

/** A column of text; undefined where it is null or missing. */
export function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** When the newest order was placed; undefined where that isn't shown. */
function placedAtIn({ placed_at: at, placed_note: note }: PostgresRecord): number | undefined {
  return typeof at === "number" ? placedAtNoted({ at, note: textOrUndefined(note) ?? null }) : undefined;
}

function accountsIn(text: unknown): string[] {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : [];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Where history ends; time and seal are not shown to every role. */
export function endIn(record: Readonly<Record<string, unknown>>): JournalEnd {
  const { at, seal } = record;
  return {
    number: numberIn(record, "number"),
    at: typeof at === "number" ? at : 0,
    seal: typeof seal === "string" ? seal : "",
  };
}

/**
 * Identifies the server. Undefined where the server hides that from this role or only resembles PostgreSQL: then only
 * events tell how far the journal is.
 */
async function serverOf(database: SharedDatabase): Promise<Server | undefined> {
  try {
    const [record] = await database.read(serverSql);
    const [system, timeline] = [record?.["system"], record?.["timeline"]];
    return typeof system === "string" && typeof timeline === "number" ? { system, timeline } : undefined;
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error;
    if (cause instanceof PostgresError && cause.kind === "refused") return undefined;
    throw error;
  }
}
