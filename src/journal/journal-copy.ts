import type { Host } from "../host/host.ts";
import type { Statement } from "../host/databases/postgres.ts";
import type { Database } from "../storage/sqlite/database.ts";
import type { SharedDatabase, Transaction } from "../storage/postgres/database.ts";
import { DamageError } from "../storage/failures.ts";
import { counted } from "../values/text/counted.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { isOwnerGone } from "./lease.ts";
import { markMoved, movedTo, unmarkMoved } from "./sqlite/relocation.ts";
import type { MovementRow } from "./history/row.ts";
import { besideColumns, eventColumns, movementColumns, openEvent, openRow } from "./history/row.ts";
import { fillSharedKeys } from "./postgres/keys.ts";
import { insertSealed, numberIn } from "./postgres/rows.ts";

const pageMaxRows = 500;
const tables = ["movements", "events"] as const;
type Table = (typeof tables)[number];
const columnsOf = { movements: movementColumns, events: eventColumns } as const;
/** Tables of the local journal that are copied besides orders and history; lookup tables are rebuilt. */
const besides = {
  accounts: ["scope"],
  proofs: ["row_key", "movement", "row"],
  seen: ["row_key", "reference", "near_form", "scope", "account_no", "row"],
} as const;
/** Locks the row, so that no order is recorded in between. */
const headSql = "SELECT movements, events FROM partner.journal FOR UPDATE";
const lastSealSql = "SELECT seal FROM events ORDER BY number DESC LIMIT 1";

export interface CopyParts {
  readonly host: Host;
  readonly local: Database;
  /** Of the local journal's file. */
  readonly path: string;
  readonly shared: SharedDatabase;
  /** Of the shared journal, as it may be shown. */
  readonly target: string;
}

/** How many orders and lines of history. */
export interface Copied {
  readonly movements: number;
  readonly events: number;
}

/**
 * Moves a journal with its whole history into an empty shared one. The local one is closed to orders first, so that
 * none comes in between, and stays closed. An interrupted move continues at the next call: the copy is one transaction.
 * @throws {Failure} usage (the target has orders of its own, or it was moved elsewhere) | unavailable (an order is
 * under way) | mismatch | setup
 */
export async function copyJournal(parts: CopyParts): Promise<Copied> {
  const { local, shared, target } = parts;
  const counts = { movements: countOf(local, "movements"), events: countOf(local, "events") };
  await refuseOccupied(parts);
  const isClosedNow = await close(parts);
  try {
    await shared.write((transaction) => fill(transaction, local, target, counts));
  } catch (error) {
    await reopen(parts, isClosedNow);
    throw error;
  }
  await fillSharedKeys(shared);
  await compare(parts);
  return counts;
}

/** Checks, before anything is changed, that the target has no orders, unless it was filled from here. */
async function refuseOccupied({ local, shared, target }: CopyParts): Promise<void> {
  if (local.attempt(() => movedTo(local)) === target) return;
  const [head] = await shared.read("SELECT movements, events FROM partner.journal");
  checkTarget(headIn(head), { movements: 0, events: 0 }, target);
}

/**
 * Refuses while an order is under way: its outcome would go to the old journal.
 * @returns false where it was closed before
 */
async function close({ host, local, path, target }: CopyParts): Promise<boolean> {
  return local.commit(() => {
    const before = movedTo(local);
    if (before !== undefined && before !== target)
      throw new Failure("usage", `The journal ${namePath(path)} was moved to ${before} already.`, {
        hint: `What is there can be moved on with the tools of its database (pg_dump).`,
      });
    if (before !== undefined) return false;
    const open = local.all("SELECT * FROM movements WHERE settled_at IS NULL AND state IN ('prepared', 'sending')");
    const flying = open.map((row) => openRow(movementColumns, row)).find((row) => !isAbandoned(host, row));
    if (flying !== undefined)
      throw new Failure("unavailable", `The order ${flying.reference} is on its way right now.`, {
        hint: "Copy the journal when no partner sends money from this machine.",
        reference: flying.reference,
      });
    markMoved(local, target, host.clock.now());
    return true;
  });
}

/**
 * Opens the local journal again where certainly nothing arrived: the other one is empty, or others have filled it since
 * this run read it. The last line of our history is in its place there only if all of it is.
 */
async function reopen({ local, shared }: CopyParts, isClosedNow: boolean): Promise<void> {
  try {
    const [number, seal] = [countOf(local, "events"), local.value(lastSealSql)];
    const isUntouched = await shared.write(async (transaction) => {
      const [[head] = [], [last] = []] = await transaction.run(
        { text: headSql },
        { text: "SELECT seal FROM partner.events WHERE number = $1", values: [number] },
      );
      return headIn(head).events === 0 || (isClosedNow && (number === 0 || last?.["seal"] !== seal));
    });
    if (isUntouched) await local.commit(() => unmarkMoved(local));
  } catch {
    // It stays closed, and the next call continues.
  }
}

async function fill(transaction: Transaction, local: Database, target: string, counts: Copied): Promise<void> {
  const [[head] = []] = await transaction.run({ text: headSql });
  if (!checkTarget(headIn(head), counts, target)) return;
  for (const table of tables)
    for (const page of pagesOf(local, table)) await transaction.run(insertSealed(table, ...page));
  await transaction.run({ text: "INSERT INTO partner.accounts SELECT DISTINCT scope FROM partner.movements" });
  for (const [table, names] of Object.entries(besides))
    for (const page of besidePages(local, table)) await transaction.run(insertBeside(table, names, page));
  const { movements, events } = counts;
  transaction.finish({
    text: "UPDATE partner.journal SET movements = $1, events = $2",
    values: [movements, events],
  });
}

/** @returns false where the copy was made before */
function checkTarget(head: Copied, { movements, events }: Copied, target: string): boolean {
  // Every order has a line of history.
  if (head.events === 0) return true;
  if (head.movements === movements && head.events === events) return false;
  throw new Failure("usage", `The shared journal ${target} has ${counted(head.movements, "order")} of its own.`, {
    hint: "Copy into an empty one: make another database and partner journal migrate. Two histories are not mixed.",
  });
}

/** Compares row by row what was written with what is read back. */
async function compare({ local, shared, target }: CopyParts): Promise<void> {
  for (const table of tables) {
    const beside = table === "events" ? besideColumns : [];
    const names = [...Object.keys(columnsOf[table]), "seal", ...beside];
    for (const page of pagesOf(local, table)) {
      const first = numberIn({ ...page[0] }, "number");
      const sql = `SELECT * FROM partner.${table} WHERE number >= $1 ORDER BY number LIMIT ${page.length}`;
      const copies = await shared.read(sql, [first]);
      const differing = page.findIndex((row, index) => names.some((name) => differs(row, copies[index], name)));
      if (differing < 0) continue;
      throw new Failure(
        "mismatch",
        `Row ${first + differing} of the ${table} in ${target} differs from what was copied.`,
        {
          hint: "Both journals are left as they are, and the local one takes no orders. Use another, empty database.",
        },
      );
    }
  }
}

function differs(row: object, copy: object | undefined, name: string): boolean {
  return copy === undefined || (Reflect.get(row, name) ?? null) !== (Reflect.get(copy, name) ?? null);
}

function* pagesOf(local: Database, table: Table): Generator<readonly object[]> {
  const sql = `SELECT * FROM ${table} WHERE number > :after ORDER BY number LIMIT ${pageMaxRows}`;
  for (let after = 0; ;) {
    const page = local.attempt(() => local.all(sql, { after }).map((row) => sealed(table, row)));
    if (page.length > 0) yield page;
    after += page.length;
    if (page.length < pageMaxRows) return;
  }
}

/** Yields nothing where the local journal is of a version that had no such table. */
function* besidePages(local: Database, table: string): Generator<readonly object[]> {
  if (local.get("SELECT 1 FROM sqlite_schema WHERE name = :table", { table }) === undefined) return;
  const sql = `SELECT * FROM ${table} ORDER BY rowid LIMIT ${pageMaxRows} OFFSET :after`;
  for (let after = 0; ;) {
    const page = local.all(sql, { after }).filter((row) => typeof row === "object" && row !== null);
    if (page.length > 0) yield page;
    after += page.length;
    if (page.length < pageMaxRows) return;
  }
}

function insertBeside(table: string, names: readonly string[], rows: readonly object[]): Statement {
  const columns = names.map((name) => rows.map((row) => String(Reflect.get(row, name))));
  const places = names.map((name, index) => `$${index + 1}::${name === "movement" ? "bigint" : "text"}[]`);
  return {
    text: `INSERT INTO partner.${table} (${names.map((name) => `"${name}"`).join(", ")})
      SELECT * FROM unnest(${places.join(", ")}) ON CONFLICT DO NOTHING`,
    values: columns,
  };
}

/** The row with its seal, which is checked. */
function sealed(table: Table, record: unknown): object {
  const row: object = table === "movements" ? openRow(movementColumns, record) : openEvent(record);
  return row;
}

function countOf(local: Database, table: Table): number {
  const [count, last] = [local.value(`SELECT count(*) FROM ${table}`), local.value(`SELECT max(number) FROM ${table}`)];
  return local.attempt(() => {
    if (typeof count !== "number" || (last ?? 0) !== count) throw new DamageError("a row is missing");
    return count;
  });
}

function headIn(record: Readonly<Record<string, unknown>> | undefined): Copied {
  return { movements: numberIn(record, "movements"), events: numberIn(record, "events") };
}

function isAbandoned({ machine, clock }: Host, { owner, claim_ends_at: endsAt }: MovementRow): boolean {
  return isOwnerGone({ mark: owner, endsAt }, machine, clock.now());
}
