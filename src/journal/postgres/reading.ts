import type { PostgresRecord, PostgresValue } from "../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { Day } from "../../values/time/day.ts";
import { startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import { namesOfAccount } from "../account-name.ts";
import { aroundEach, askedKeys, nothingAround } from "../lookups/around.ts";
import { endOfIds, foundMaxRows } from "../movement-row.ts";
import type { HistoryLine, HistoryPlace } from "../history/history.ts";
import { batchStandings } from "./chain/standings.ts";
import { sharedHistory } from "./chain/shared-history.ts";
import type { Around, AskedOrder, Journal, MovementFilter, Order } from "../journal.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { Movement, MovementEvent, MovementKey } from "../movement.ts";
import { likeKeysOf } from "../lookups/order-keys.ts";
import { withoutAbandoned } from "../transitions.ts";
import type { BatchStanding } from "../redaction/redacting.ts";
import { isStorable, openEvent, textColumn } from "../history/row.ts";
import { eventOf } from "../movement-row.ts";
import { archivableMaxRows, archivableSql, hasArchivedSql } from "./archiving.ts";
import { requireOwner } from "./roles/owner.ts";
import { aroundStatements, aroundRows, rowsIn, standingRow } from "./around.ts";
import {
  accountsSql,
  byIdSql,
  knownAsSql,
  likesSince,
  preparedSql,
  proofsOfSql,
  provedBySql,
  scopesIn,
  spentSql,
  sumsIn,
} from "./lookups.ts";
import type { ReadRows } from "./listing.ts";
import { listedShared } from "./listing.ts";
import { eventsIn, movementIn } from "./rows.ts";
import type { CurrencySums } from "../spending.ts";
import { noMovement } from "../failures.ts";

const byKeys = `SELECT m.* FROM unnest($1::text[], $2::text[]) AS k (reference, kind)
  JOIN partner.movements m ON m.reference = k.reference AND m.kind = k.kind AND m.scope = ANY ($3::text[])`;
const byReference = "SELECT * FROM partner.movements WHERE reference = $1 ORDER BY number";
const idsBetween = `SELECT * FROM partner.movements WHERE id COLLATE "C" >= $1 AND id COLLATE "C" < $2
  ORDER BY id COLLATE "C" LIMIT $3`;
const eventsSql = `SELECT m.id, e.* FROM partner.movements m JOIN partner.events e ON e.movement = m.number
  WHERE m.id = ANY ($1::text[]) ORDER BY e.number`;

const tallySql = `SELECT state, count(*) AS count FROM partner.movements WHERE settled_at IS NOT NULL GROUP BY state`;
const lastOpenedSql = "SELECT opened_at FROM partner.movements ORDER BY number DESC LIMIT 1";

type Reading = Omit<
  Journal,
  | "id"
  | "refusal"
  | "unsure"
  | "open"
  | "enter"
  | "resolve"
  | "keepSeen"
  | "keepNames"
  | "archive"
  | "redact"
  | "redactSeen"
  | "redactBatch"
  | "verify"
  | "guards"
  | "backup"
  | "close"
>;

/** Reads a journal in a PostgreSQL database: it writes nothing and locks nothing. */
export class SharedReading implements Reading {
  readonly #database: SharedDatabase;
  readonly #writer: Pick<MovementWriter, "show" | "isAbandoned">;

  constructor(database: SharedDatabase, writer: Pick<MovementWriter, "show" | "isAbandoned">) {
    this.#database = database;
    this.#writer = writer;
  }

  async read(id: string): Promise<Movement | undefined> {
    return this.#see(byIdSql, [id]);
  }

  async claimOf(id: string): Promise<string | undefined> {
    if (!isStorable(id)) return undefined;
    const [record] = await this.#database.read(byIdSql, [id]);
    return movementIn(record)?.claim;
  }

  async find({ scope, kind, reference }: MovementKey): Promise<Movement | undefined> {
    return (await this.findAll(scope, [{ kind, reference }]))[0];
  }

  async knownAs(scope: string, words: readonly string[]): Promise<Movement[]> {
    return this.#ofAccount(scope, knownAsSql, [words.filter((word) => isStorable(word))]);
  }

  async likes(key: MovementKey, request: string, since: number): Promise<Movement[]> {
    return this.#ofAccount(key.scope, likesSince, [likeKeysOf(key, request), since]);
  }

  /** Roles see different orders: an index of them would have to know for whom it was made. */
  async trail(): Promise<undefined> {
    return undefined;
  }

  async provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.#database.read(provedBySql, [keys]);
    return this.#explained(
      () => new Map(records.map((record) => [textColumn(record, "row_key"), textColumn(record, "id")])),
    );
  }

  async proofsOf(id: string): Promise<readonly string[]> {
    const records = await this.#database.read(proofsOfSql, [id]);
    return this.#explained(() => records.map((record) => textColumn(record, "row")));
  }

  async lookAround(key: MovementKey & Pick<Order, "batch">, request: string): Promise<Around> {
    const [around] = await this.lookAroundAll(key.scope, [{ ...key, request }], key.batch?.id);
    return around ?? nothingAround;
  }

  async lookAroundAll(scope: string, orders: readonly AskedOrder[], batch?: string): Promise<readonly Around[]> {
    if (orders.length === 0) return [];
    const asked = askedKeys(scope, orders);
    const answers: (readonly PostgresRecord[])[] = [];
    for (const { text, values } of aroundStatements(asked, batch))
      answers.push(await this.#database.read(text, values));
    return this.#explained(() => aroundEach(scope, asked, aroundRows(answers), (row) => this.#writer.show(row)));
  }

  async spent(scope: string, day: Day): Promise<CurrencySums> {
    return this.#explained(() => this.spentBy(scope, day, (text, values) => this.#database.read(text, values)));
  }

  /** The same, read by `read`. */
  async spentBy(scope: string, day: Day, read: ReadRows): Promise<CurrencySums> {
    const names = namesOfAccount(scope, scopesIn(await read(accountsSql, [])));
    const sums = sumsIn(await read(spentSql, [names, day.toString()]));
    const prepared = await read(preparedSql, [names, startOfDayInDarEsSalaam(day)]);
    const waiting = rowsIn(prepared);
    return withoutAbandoned(this.#writer, sums, waiting);
  }

  async submitted(before: number): Promise<ReadonlyMap<string, BatchStanding>> {
    return batchStandings(this.#database, before);
  }

  async accounts(): Promise<readonly string[]> {
    return scopesIn(await this.#database.read(accountsSql));
  }

  async findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]> {
    const asked = keys.filter(({ reference }) => isStorable(reference));
    const [references, kinds] = [asked.map(({ reference }) => reference), asked.map(({ kind }) => kind)];
    if (asked.length === 0 || !isStorable(scope)) return [];
    const names = namesOfAccount(scope, await this.accounts());
    const records = await this.#database.read(byKeys, [references, kinds, names]);
    return this.#explained(() => {
      const byKey = Map.groupBy(rowsIn(records), ({ kind, reference }) => `${kind} ${reference}`);
      return [...byKey.values()].flatMap((same) => standingRow(same) ?? []).map((row) => this.#writer.show(row));
    });
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    if (!isStorable(word)) return [];
    const [one, records] = [await this.#see(byIdSql, [word]), await this.#database.read(byReference, [word])];
    const rows = rowsIn(records);
    const found = one === undefined ? rows.map((row) => this.#writer.show(row)) : [one];
    if (scope === undefined || found.length === 0) return found;
    const names = namesOfAccount(scope, await this.accounts());
    return found.filter((movement) => names.includes(movement.scope));
  }

  async beginningWith(start: string): Promise<Movement[]> {
    const end = endOfIds(start);
    if (end === undefined) return [];
    const records = await this.#database.read(idsBetween, [start, end, foundMaxRows]);
    return this.#explained(() => rowsIn(records).map((row) => this.#writer.show(row)));
  }

  async *list({ scope, ...filter }: MovementFilter = {}): AsyncGenerator<Movement> {
    try {
      const scopes = scope === undefined ? undefined : namesOfAccount(scope, await this.accounts());
      yield* listedShared((text, values) => this.#database.read(text, values), this.#writer, { ...filter, scopes });
    } catch (error) {
      throw this.#database.explain(error);
    }
  }

  async events(id: string): Promise<MovementEvent[]> {
    const records = await this.#database.read(eventsSql, [[id].filter((text) => isStorable(text))]);
    if (records.length === 0) throw noMovement(id);
    return this.#explained(() => eventsIn(records));
  }

  async eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, MovementEvent[]>> {
    const records = await this.#database.read(eventsSql, [ids.filter((id) => isStorable(id))]);
    return this.#explained(() => {
      const byId = Map.groupBy(records, (record) => textColumn(record, "id"));
      return new Map([...byId].map(([id, lines]) => [id, lines.map((line) => eventOf(openEvent(line)))]));
    });
  }

  async tally(): ReturnType<Journal["tally"]> {
    const records = await this.#database.read(tallySql);
    const [last] = await this.#database.read(lastOpenedSql);
    const at = last?.["opened_at"];
    return {
      settled: new Map(records.map(({ state, count }) => [String(state), Number(count)])),
      lastAt: typeof at === "number" ? at : undefined,
    };
  }

  async *history(after?: HistoryPlace): AsyncGenerator<HistoryLine> {
    const read: ReadRows = (text, values) => this.#database.read(text, values);
    try {
      yield* sharedHistory(read, after);
    } catch (error) {
      throw this.#database.explain(error);
    }
  }

  async *archivable(before: number): AsyncGenerator<Movement> {
    await requireOwner(this.#database, "archives");
    for (let after = 0; ;) {
      const records = await this.#database.read(archivableSql, [after, before]);
      const rows = await this.#explained(() => rowsIn(records));
      for (const row of rows) yield this.#writer.show(row);
      after = rows.at(-1)?.number ?? after;
      if (rows.length < archivableMaxRows) return;
    }
  }

  async hasArchived(): Promise<boolean> {
    const [record] = await this.#database.read(hasArchivedSql);
    return record?.["is_there"] === true;
  }

  async #ofAccount(scope: string, text: string, values: readonly PostgresValue[]): Promise<Movement[]> {
    const names = namesOfAccount(scope, await this.accounts());
    const records = await this.#database.read(text, values);
    return this.#explained(() =>
      rowsIn(records)
        .filter((row) => names.includes(row.scope))
        .map((row) => this.#writer.show(row)),
    );
  }

  async #see(text: string, values: readonly string[]): Promise<Movement | undefined> {
    // A text that can't be stored can't be found: PostgreSQL would report an error.
    if (!values.every((value) => isStorable(value))) return undefined;
    const [record] = await this.#database.read(text, values);
    return this.#explained(() => {
      const row = movementIn(record);
      return row === undefined ? undefined : this.#writer.show(row);
    });
  }

  /** Explains errors in rows that are decoded here, outside of `SharedDatabase`: they may be damaged all the same. */
  async #explained<T>(use: () => T | Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      throw this.#database.explain(error);
    }
  }
}
