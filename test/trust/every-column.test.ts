import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect } from "vitest";
import { journalLayout } from "../../src/journal/postgres/schema.ts";
import type { FaultsAtHand } from "../simulated.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Desk } from "../commands/journal-desk.ts";
import { openDesk } from "../commands/journal-desk.ts";
import { temporaryFolder } from "../memory-host.ts";

// A person who may write the database changes one value, removes a row, or adds one, with every trigger switched off.

/** What `journal verify` cannot notice, and why no money depends on it, or what else checks it. */
const unnoticed: Readonly<Record<string, string>> = {
  "accounts, a row more": "a name of an account that leads nowhere",
  "journal.created_at": "how young it is says only when the statement is read first",
  "seen, a row more": "it stops an order, and moves no money",
  "seen.account_no": "what was seen is the service's: journal recover reads it again",
  "seen.row": "the same",
  "seen.row_key": "the same",
  "seen.scope": "the same",
};

/** The nearest other value of its kind. */
function altered(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value) + 1000;
  if (typeof value === "boolean") return value ? 0 : 1;
  const text = typeof value === "string" ? value : "";
  if (/^[0-9a-f]{64}$/.test(text)) return `${text.startsWith("0") ? "1" : "0"}${text.slice(1)}`;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text.slice(0, -1)}0`;
  return /^[\d.]+$/.test(text) ? `${text}1` : `${text}x`;
}

type Row = readonly unknown[];

/** A database, as reached with its password or its file. */
interface Place {
  /** SQL: the column has the value of that parameter, or both are null. */
  equals(name: string, at: number): string;
  lastRow(table: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** False when the table refuses it. */
  change(table: string, sql: string, values: Row): Promise<boolean>;
  putBack(table: string): Promise<void>;
}

function attempted(change: () => boolean): boolean {
  try {
    return change();
  } catch {
    return false;
  }
}

function named(values: Row): Record<string, SQLInputValue> {
  const entries = values.map((value, at): [string, SQLInputValue] => [
    `p${at + 1}`,
    typeof value === "string" || typeof value === "number" ? value : null,
  ]);
  return Object.fromEntries(entries);
}

/** Orders with every ending, one that is proved by a row of the statement, and one of another machine. */
async function fill(desk: Desk, elsewhere: Desk, faults: FaultsAtHand): Promise<void> {
  expect(await elsewhere.send("ELSEWHERE-1")).toEqual([0]);
  expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
  faults.loseNextAnswer();
  expect(await desk.send("LOST-1")).toEqual([6]);
  expect(await desk.partner`journal resolve LOST-1`).toMatchObject({ exit: 0 });
  expect(await desk.partner`journal recover --from 2026-03-31`).toMatchObject({ exit: 0 });
  expect(await desk.partner`journal verify`).toMatchObject({ exit: 0 });
}

/** Every change of one value, one row less and one row more; returns those that were not noticed. */
async function tried(tables: readonly string[], place: Place, verify: () => Promise<number>): Promise<string[]> {
  const passed: string[] = [];
  const tryOut = async (name: string, table: string, sql: string, row: Row) => {
    // Changes that the tables themselves refuse need no check.
    if ((await place.change(table, sql, row)) && (await verify()) === 0) passed.push(name);
    await place.putBack(table);
  };
  for (const table of tables) {
    const row = await place.lastRow(table);
    if (row === undefined) throw new Error(`${table} is empty`);
    const [names, values] = [Object.keys(row), Object.values(row)];
    const isRow = names.map((name, at) => place.equals(`"${name}"`, at + 1)).join(" AND ");
    for (const name of names) {
      const sql = `UPDATE ${table} SET "${name}" = $${names.length + 1} WHERE ${isRow}`;
      await tryOut(`${table}.${name}`, table, sql, [...values, altered(row[name])]);
    }
    await tryOut(`${table}, a row less`, table, `DELETE FROM ${table} WHERE ${isRow}`, values);
    const more = `INSERT INTO ${table} VALUES (${names.map((_, at) => `$${at + 1}`).join(", ")})`;
    await tryOut(
      `${table}, a row more`,
      table,
      more,
      values.map((value) => altered(value)),
    );
  }
  return passed.toSorted();
}

test(
  "of a journal on this machine, every change outside partner is noticed, except the listed ones",
  { timeout: 120_000 },
  async ({ partnerIn, faults }) => {
    const desk = openDesk(partnerIn);
    await fill(desk, openDesk(partnerIn), faults);
    const whole = join(temporaryFolder(), "whole.db");
    copyFileSync(desk.journal, whole);
    const kept = new DatabaseSync(whole, { readOnly: true });
    const namesOf = (type: string) =>
      kept.prepare("SELECT name, sql FROM sqlite_schema WHERE type = :type ORDER BY name").all({ type });
    const place: Place = {
      equals: (name, at) => `${name} IS $${at}`,
      lastRow: async (table) => kept.prepare(`SELECT * FROM ${table} ORDER BY 1 DESC LIMIT 1`).get(),
      async change(_, sql, values) {
        const database = new DatabaseSync(desk.journal, { enableForeignKeyConstraints: false });
        for (const { name } of namesOf("trigger")) database.exec(`DROP TRIGGER ${String(name)}`);
        const isDone = attempted(() => database.prepare(sql.replaceAll("$", ":p")).run(named(values)).changes === 1);
        for (const trigger of namesOf("trigger")) database.exec(String(trigger["sql"]));
        database.close();
        return isDone;
      },
      putBack: async () => copyFileSync(whole, desk.journal),
    };
    const tables = namesOf("table").map(({ name }) => String(name));
    const passed = await tried(tables, place, async () => (await desk.partner`journal verify`).exit);
    kept.close();
    // The mark next to the profiles counts numbers of rows, and a file gives the same number again. The facts about
    // the writer of a line are checked when the line is added, and never again.
    expect(passed).toEqual([...Object.keys(unnoticed), "events.writer", "seen, a row less"].toSorted());
  },
);

withPostgres("of a journal that hosts share", (server) => {
  test(
    "every change outside partner is noticed, except the listed ones",
    { timeout: 120_000 },
    async ({ partnerIn, faults }) => {
      const address = await server.newDatabase();
      const desk = openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: address } });
      expect(await desk.partner`journal migrate`).toMatchObject({ exit: 0 });
      await fill(desk, openDesk(partnerIn), faults);
      const client = new Client({ connectionString: address });
      await client.connect();
      await client.query("SET session_replication_role = replica; SET search_path = partner; CREATE SCHEMA kept");
      const made = [...journalLayout.migrations.join("\n").matchAll(/CREATE TABLE (?:IF NOT EXISTS )?partner\.(\w+)/g)];
      const tables = made.map(([, name = ""]) => name).toSorted();
      for (const table of tables) await client.query(`CREATE TABLE kept.${table} AS SELECT * FROM ${table}`);
      const place: Place = {
        equals: (name, at) => `${name} IS NOT DISTINCT FROM $${at}`,
        lastRow: async (table) =>
          (await client.query<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1 DESC LIMIT 1`)).rows[0],
        change: async (_, sql, values) =>
          client.query(sql, [...values]).then(
            ({ rowCount }) => rowCount === 1,
            () => false,
          ),
        putBack: async (table) =>
          void (await client.query(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept.${table}`)),
      };
      const passed = await tried(tables, place, async () => (await desk.partner`journal verify`).exit);
      await client.end();
      // The value of `held` means nothing: a lock is the row itself, in a transaction.
      expect(passed).toEqual([...Object.keys(unnoticed), "lock_slots.held", "lock_slots, a row more"].toSorted());
    },
  );
});
