import type { Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "./database.ts";
import { DamageError, NewerSchemaError } from "../failures.ts";

/** One of our parts in a database that several hosts share. */
export interface SharedLayout {
  readonly noun: "journal" | "inbox" | "approvals" | "ledger";
  /**
   * Each entry upgrades it from the version of its index to the next one; a new database runs all of them. Released
   * entries never change, or databases of the same version would differ.
   */
  readonly migrations: readonly string[];
}

/** The version of a part; no row where the database doesn't have it. */
const versionSql = "SELECT version FROM partner.layout WHERE part = $1";
const hasLayoutSql = "SELECT to_regclass('partner.layout') IS NOT NULL AS is_there";
const firstSql = `CREATE SCHEMA IF NOT EXISTS partner;
CREATE TABLE partner.layout (part text PRIMARY KEY, version integer NOT NULL);`;
/** An advisory lock that only one migration can hold; the number is arbitrary, but fixed. */
const migrationLock = 0x70746e72;
/** The limit of one statement: some change or index a whole table, and a journal may be large. */
const migrationMaxMs = 60 * 60_000;
/** All statements of a part are one text, and the time counts from when it is sent. */
const migrationAnswerMs = 6 * migrationMaxMs;
const takeTime: Statement = { text: `SET LOCAL statement_timeout = ${migrationMaxMs}` };

/**
 * The version of a part in the database; undefined where it isn't there.
 * @throws {DamageError} where its version isn't a number
 * @throws {NewerSchemaError} where a later version of partner created it
 */
export async function sharedVersion(database: SharedDatabase, layout: SharedLayout): Promise<number | undefined> {
  const [found] = await database.read(hasLayoutSql);
  if (found?.["is_there"] !== true) return undefined;
  const [row] = await database.read(versionSql, [layout.noun]);
  return versionOf(row?.["version"], layout);
}

/** How to upgrade one part to the version of this program. */
export interface Migration {
  readonly part: SharedLayout["noun"];
  readonly from: number;
  readonly to: number;
  /** Empty where there is nothing to do. */
  readonly sql: string;
}

/**
 * Plans how to upgrade the parts to the version of this program, and with `perform`, upgrades them, all or none.
 * @param also SQL that is run after the upgrade, every time
 */
export async function migrate(
  database: SharedDatabase,
  layouts: readonly SharedLayout[],
  perform: boolean,
  also: readonly string[] = [],
): Promise<Migration[]> {
  return database.write(async (transaction) => {
    const [, [found] = []] = await transaction.run(
      { text: "SELECT pg_advisory_xact_lock($1)", values: [migrationLock] },
      { text: hasLayoutSql },
    );
    const isThere = found?.["is_there"] === true;
    const plans: Migration[] = [];
    for (const [index, layout] of layouts.entries()) {
      const [[row] = []] = isThere ? await transaction.run({ text: versionSql, values: [layout.noun] }) : [];
      const from = versionOf(row?.["version"], layout) ?? 0;
      const steps = [...(isThere || index > 0 ? [] : [firstSql]), ...layout.migrations.slice(from)];
      plans.push({
        part: layout.noun,
        from,
        to: layout.migrations.length,
        sql: [...steps, ...noteOf(layout, from)].join("\n\n"),
      });
    }
    const texts = [...plans.flatMap(({ sql }) => (sql === "" ? [] : [sql])), ...also];
    const statements = texts.map((text) => ({ text, answerTimeoutMs: migrationAnswerMs }));
    if (perform) await transaction.run(takeTime, ...statements);
    return plans;
  });
}

function noteOf({ noun, migrations }: SharedLayout, from: number): string[] {
  if (from === migrations.length) return [];
  return [
    `INSERT INTO partner.layout (part, version) VALUES ('${noun}', ${migrations.length})
  ON CONFLICT (part) DO UPDATE SET version = excluded.version;`,
  ];
}

function versionOf(value: unknown, { noun, migrations }: SharedLayout): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number") throw new DamageError(`the version of its ${noun} isn't a number`);
  if (value > migrations.length) throw new NewerSchemaError();
  return value;
}
