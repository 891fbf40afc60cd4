import type { Database } from "./database.ts";
import { DamageError } from "../failures.ts";

/** How many rows are checked in an index while others wait: a few hundredths of a second. */
const windowRows = 5_000;

interface Index {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The condition of a partial index; undefined where the index has all rows. */
  readonly where: string | undefined;
}

/**
 * Checks that every row is in each index of its table, and that no full index has more entries, in many short reads:
 * others may write in between. For tables whose rows are never removed.
 * @throws {DamageError}
 */
export function checkIndexes(database: Database): void {
  for (const index of indexesOf(database)) {
    const { rows, last } = checkRows(database, index);
    if (index.where === undefined && countEntries(database, index, last) !== rows)
      throw new DamageError(`the index ${index.name} has more than the rows of its table`);
  }
}

function indexesOf(database: Database): Index[] {
  const records = database.all(`SELECT tbl_name, name, sql FROM sqlite_schema WHERE type = 'index'
    AND tbl_name NOT IN (SELECT name FROM sqlite_schema WHERE sql LIKE '%WITHOUT ROWID%') ORDER BY name`);
  return records.map((record) => {
    const [table, name] = [textIn(record, "tbl_name"), textIn(record, "name")];
    const columns = database.all(`PRAGMA index_info(${name})`).map((column) => textIn(column, "name"));
    return { table, name, columns, where: / WHERE (.+)$/s.exec(textIn(record, "sql"))?.[1] };
  });
}

/** @returns how many rows were checked, and the number of the last one */
function checkRows(
  database: Database,
  { table, name, columns, where = "1" }: Index,
): { readonly rows: number; readonly last: number } {
  const last = Number(database.value(`SELECT coalesce(max(rowid), 0) FROM ${table}`));
  const same = columns.map((column) => `entry.${column} IS own.${column}`).join(" AND ");
  const found = `SELECT 1 FROM ${table} AS entry INDEXED BY ${name} WHERE (${where}) AND ${same} AND entry.rowid = own.rowid`;
  const sql = `SELECT count(*) AS rows, total((${where}) AND NOT EXISTS (${found})) AS missing
    FROM ${table} AS own NOT INDEXED WHERE own.rowid > :after AND own.rowid <= :end`;
  let rows = 0;
  for (let after = 0; after < last; after += windowRows) {
    const seen = database.get(sql, { after, end: Math.min(after + windowRows, last) });
    if (numberIn(seen, "missing") !== 0) throw new DamageError(`a row of its ${table} is missing in the index ${name}`);
    rows += numberIn(seen, "rows");
  }
  return { rows, last };
}

/** An index is much smaller than its table, so it is read at once. */
function countEntries(database: Database, { table, name }: Index, last: number): number {
  const counted = database.get(`SELECT count(*) AS rows FROM ${table} INDEXED BY ${name} WHERE rowid <= :last`, {
    last,
  });
  return numberIn(counted, "rows");
}

function textIn(record: unknown, name: string): string {
  return String((typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined) ?? "");
}

function numberIn(record: unknown, name: string): number {
  return Number(textIn(record, name));
}
