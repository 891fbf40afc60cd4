import { DamageError } from "../../storage/failures.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import { textColumn } from "../history/row.ts";
import { movedTo, markSql } from "./relocation.ts";
import { migrations, newJournal } from "./schema.ts";

const triggerForm = /CREATE TRIGGER (\w+)(?:(?!CREATE TRIGGER)[^;])+;\s*END/g;

/**
 * Checks that all triggers that protect the journal are there as they were made, and no others. A journal of an earlier
 * version has those of its own version, which are not known here.
 * @throws {DamageError}
 */
export function checkTriggers(database: Database): void {
  if (Number(database.value("PRAGMA user_version")) !== migrations.length) return;
  const found = new Map(
    database
      .all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .map((record) => [textColumn(record, "name"), plain(textColumn(record, "sql"))]),
  );
  for (const [name, sql] of triggersIn(newJournal)) {
    if (!found.has(name)) throw new DamageError(`its trigger ${name} is missing`);
    if (found.get(name) !== sql) throw new DamageError(`its trigger ${name} was changed`);
    found.delete(name);
  }
  if (movedTo(database) !== undefined)
    for (const [name, sql] of triggersIn(markSql)) if (found.get(name) === sql) found.delete(name);
  for (const name of found.keys()) throw new DamageError(`its trigger ${name} is not of partner's making`);
}

function triggersIn(sql: string): (readonly [name: string, sql: string])[] {
  return [...sql.matchAll(triggerForm)].map(([made, name = ""]) => [name, plain(made)]);
}

/** Renaming a table puts quotes around its name. */
function plain(sql: string): string {
  return sql.replaceAll(/["\s]+/g, " ").trim();
}
