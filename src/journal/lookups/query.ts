import type { Database } from "../../storage/sqlite/database.ts";
import type { MovementFilter } from "../journal.ts";
import type { Movement, MovementState } from "../movement.ts";
import { numbersHolding } from "../../storage/postgres/text-hints.ts";
import type { TextHints } from "../../values/text/text-hints.ts";
import type { MovementRow } from "../history/row.ts";
import { isStorable, movementColumns, openRow } from "../history/row.ts";

/** Few enough to be kept in memory even if each has an answer of a megabyte. */
const pageMaxRows = 100;
/** How many numbers are scanned for a page with few matching rows: some hundredths of a second. */
const windowNumbers = 10_000;

/** The same as `MovementFilter`, with every name of the account. */
export type StoredFilter = Omit<MovementFilter, "scope"> & { readonly scopes?: readonly string[] | undefined };

/** A page of a list. Writers wait while it is read, so it is short. */
export interface Page {
  readonly rows: readonly MovementRow[];
  /** The number after which the next page begins; undefined where this is the last. */
  readonly next: number | undefined;
}

/** The next rows that may fit the filter, after the one numbered `after`: few, and out of not too many. */
export function readPage(database: Database, filter: StoredFilter, after: number | undefined): Page {
  const isDown = filter.newestFirst === true;
  const last = Number(database.value("SELECT coalesce(max(number), 0) FROM movements"));
  const from = after ?? (isDown ? last + 1 : 0);
  const end = isDown ? from - windowNumbers : from + windowNumbers;
  const { where, parameters, order, onlyOpen } = select(filter, from, end);
  const index = onlyOpen ? "INDEXED BY movements_open" : "";
  const sql = `SELECT * FROM movements ${index} ${where} ORDER BY number ${order} LIMIT ${pageMaxRows}`;
  const rows = database.all(sql, parameters).map((record) => openRow(movementColumns, record));
  if (rows.length === pageMaxRows) return { rows, next: rows.at(-1)?.number };
  return { rows, next: (isDown ? end > 1 : end < last) ? end : undefined };
}

/** Who ordered, as an index in PostgreSQL has it. */
export const userSql = "(CAST(who AS json) ->> 'user')";

/** All texts of an order by which it can be found. */
const textsSql = "concat_ws(' ', m.id, m.reference, m.request, m.response, m.request_ids, m.transaction_id, m.batch)";

/** The same in PostgreSQL, where parameters have numbers. */
export async function readSharedPage(
  read: (text: string, values: readonly (string | number)[]) => Promise<readonly object[]>,
  filter: StoredFilter,
  after: number | undefined,
): Promise<Page> {
  const { where: chosen, parameters: chosenValues, order } = select(filter, after);
  const { user } = filter;
  const isUsers = user !== undefined && isStorable(user);
  const parameters = isUsers ? { ...chosenValues, user } : chosenValues;
  const where = isUsers ? `${chosen === "" ? "WHERE" : `${chosen} AND`} ${userSql} = :user` : chosen;
  const names = Object.keys(parameters);
  const numbered = where.replaceAll(/:(\w+)/g, (_, name: string) => `$${names.indexOf(name) + 1}`);
  const text = `SELECT * FROM partner.movements ${numbered} ORDER BY number ${order} LIMIT ${pageMaxRows}`;
  const rows = (await read(text, Object.values(parameters))).map((record) => openRow(movementColumns, record));
  return { rows, next: rows.length < pageMaxRows ? undefined : rows.at(-1)?.number };
}

/** Orders of an account that may have what is sought, in ascending order, in pages. */
export async function* sharedPagesHolding(
  read: (text: string, values: readonly (string | number | readonly string[])[]) => Promise<readonly object[]>,
  scopes: readonly string[],
  holding: TextHints,
): AsyncGenerator<readonly MovementRow[]> {
  const where = `m.scope IN (${scopes.map((_, index) => `$${index + 1}`).join(", ")})`;
  const held = { table: "partner.movements", text: textsSql, where, values: scopes };
  for await (const numbers of numbersHolding(read, held, holding))
    for (let at = 0; at < numbers.length; at += pageMaxRows) {
      const page = numbers.slice(at, at + pageMaxRows).map(String);
      const records = await read("SELECT * FROM partner.movements WHERE number = ANY ($1::bigint[]) ORDER BY number", [
        page,
      ]);
      yield records.map((record) => openRow(movementColumns, record));
    }
}

/** True for a movement that matches the filter: the query finds rows that may match. */
export function isMeant({ state, who }: Movement, { states, user, host }: StoredFilter): boolean {
  if (states?.includes(state) === false) return false;
  return (user === undefined || who.user === user) && (host === undefined || who.host === host);
}

interface Selection {
  readonly where: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly order: "ASC" | "DESC";
  readonly onlyOpen: boolean;
}

/** @param end the last number that is looked at: with newest first, the smallest */
function select(filter: StoredFilter, after: number | undefined, end?: number): Selection {
  const parameters: Record<string, string | number> = {};
  const conditions: string[] = [];
  const limit = (condition: string, name: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters[name] = value;
  };
  for (const [index, scope] of filter.scopes?.entries() ?? []) parameters[`scope${index}`] = scope;
  if (filter.scopes !== undefined)
    conditions.push(`scope IN (${filter.scopes.map((_, index) => `:scope${index}`).join(", ")})`);
  limit("opened_at >= :since", "since", filter.since);
  limit("batch = :batch", "batch", filter.batch);
  limit(filter.newestFirst === true ? "number < :after" : "number > :after", "after", after);
  limit(filter.newestFirst === true ? "number >= :end" : "number <= :end", "end", end);
  if (filter.kinds !== undefined) conditions.push(isOneOf("kind", filter.kinds));
  const states = filter.states?.flatMap((state) => storedAs(state));
  if (states !== undefined) conditions.push(isOneOf("state", states));
  // The few open ones among many are found by their own index.
  const onlyOpen = states !== undefined && states.length > 0 && states.every((state) => openStates.has(state));
  if (onlyOpen) conditions.push("settled_at IS NULL");
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return { where, parameters, order: filter.newestFirst === true ? "DESC" : "ASC", onlyOpen };
}

const openStates: ReadonlySet<MovementState> = new Set(["prepared", "sending", "pending", "unknown"]);

/** A movement whose process is gone is shown as what it must be, and is stored as what it was. */
function storedAs(state: MovementState): MovementState[] {
  if (state === "unknown") return ["unknown", "sending"];
  return state === "unsent" ? ["unsent", "prepared"] : [state];
}

/** The words are the program's own, never a person's. */
function isOneOf(column: string, words: readonly string[]): string {
  return words.length === 0 ? "1 = 0" : `${column} IN (${words.map((word) => `'${word}'`).join(", ")})`;
}
