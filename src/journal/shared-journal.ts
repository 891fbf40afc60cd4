import type { Host } from "../host/host.ts";
import type { PostgresRecord, PostgresValue } from "../host/postgres.ts";
import type { SharedDatabase, Transaction } from "../storage/shared-database.ts";
import type { Day } from "../values/day.ts";
import { startOfDayInDarEsSalaam } from "../values/day.ts";
import { Failure } from "../values/failure.ts";
import { accountIn, namesOfAccount } from "./account-name.ts";
import { Ledger, refuseUnstorable } from "./ledger.ts";
import type {
  Around,
  Decision,
  Guard,
  Journal,
  MovementFilter,
  Opening,
  Order,
  Resolution,
  SeenRow,
} from "./journal.ts";
import type { HistoryLine } from "./history.ts";
import { historyLine, historyPageRows, historySql } from "./history.ts";
import type { StoredFilter } from "./listing.ts";
import { isMeant, readSharedPage } from "./listing.ts";
import type { Movement, MovementEvent, MovementKey, StatementProof, Who } from "./movement.ts";
import { eventOf } from "./movement-row.ts";
import { keysOf } from "./order-keys.ts";
import { Others } from "./others.ts";
import type { Opened } from "./proceedings.ts";
import { mayClaim, openOrder, resolveOrder, withoutAbandoned } from "./proceedings.ts";
import type { MovementRow } from "./row.ts";
import { eventColumns, isStorable, openRow } from "./row.ts";
import { sharedClaim } from "./shared-claim.ts";
import {
  accountsSql,
  addSeenStatement,
  isSeenStorable,
  knownAsSql,
  likesSince,
  lookupStatements,
  provedBySql,
  provingIn,
  provingStatements,
  lockStatements,
  preparedSql,
  readLookups,
  scopesIn,
  spentSql,
  sumsIn,
  textIn,
} from "./shared-lookups.ts";
import { movementIn, numberIn, SharedSheet } from "./shared-rows.ts";
import type { Sums } from "./spending.ts";
import { verifyShared } from "./shared-verify.ts";
import { noMovement } from "./trouble.ts";

const byId = "SELECT * FROM partner.movements WHERE id = $1";
const byKeys = `SELECT m.* FROM unnest($1::text[], $2::text[]) AS k (reference, kind)
  JOIN partner.movements m ON m.reference = k.reference AND m.kind = k.kind AND m.scope = ANY ($3::text[])`;
const byReference = "SELECT * FROM partner.movements WHERE reference = $1 ORDER BY number";
const eventsOf = "SELECT * FROM partner.events WHERE movement = $1 ORDER BY number";
/** Whoever writes holds this row until it has committed, so none that is lower comes later. */
const lastEvent = "SELECT events FROM partner.journal";
const changedSince = `SELECT * FROM partner.movements
  WHERE number IN (SELECT movement FROM partner.events WHERE number > $1)`;

type Read = (text: string, values: readonly PostgresValue[]) => Promise<readonly PostgresRecord[]>;
/** Changes a movement, within a transaction. */
type Change<T> = (ledger: Ledger, row: MovementRow, attempt: number, proving: readonly number[]) => T;

interface ChangeOptions {
  /** How long a server that went away is waited for. */
  readonly within?: number | undefined;
  readonly proofs?: readonly StatementProof[] | undefined;
}

export interface SharedParts {
  readonly id: string;
  readonly host: Host;
  readonly database: SharedDatabase;
  readonly who: Who;
}

/** A journal in a PostgreSQL database, which several hosts share. */
export class SharedJournal implements Journal {
  readonly id: string;
  readonly #host: Host;
  readonly #database: SharedDatabase;
  readonly #who: Who;
  /** Shows rows and writes nothing. */
  readonly #reader: Ledger;
  /** Claims whose server went away: they may be on record, and nobody sends anything with them. */
  readonly #givenUp = new Set<string>();
  #others: Others | undefined;

  constructor({ id, host, database, who }: SharedParts) {
    this.id = id;
    this.#host = host;
    this.#database = database;
    this.#who = who;
    this.#reader = new Ledger(host, new SharedSheet(), who, this.#givenUp);
  }

  async open(order: Order): Promise<Opening> {
    refuseUnstorable(order);
    let tried: Extract<Opened, { outcome: "claimed" }> | undefined;
    const opening = this.#database.write(async (transaction): Promise<Opened> => {
      const { row, around } = await this.#lookUp(transaction, order);
      // The first try was committed, and its answer lost.
      if (row !== undefined && row.claim === tried?.row.claim && row.state === "prepared") return { ...tried, row };
      if (row === undefined || mayClaim(this.#reader.show(row))) {
        order.check?.(around);
        await this.#lookAtOthers(transaction, order.guard);
      }
      const { ledger, sheet } = this.#newSheet();
      const result = openOrder(ledger, row, order, () => undefined);
      if (result.outcome === "claimed") tried = result;
      await sheet.write(transaction);
      return result;
    });
    const opened = await opening.catch((error: unknown) => {
      // What nobody approved was not put down.
      const isDenied = error instanceof Failure && error.ending === "usage";
      if (tried !== undefined && !isDenied) this.#givenUp.add(tried.row.claim);
      throw error;
    });
    if (opened.outcome === "exists") return opened;
    const { row, again } = opened;
    const movement = this.#reader.show(row);
    const changing = <T>(change: Change<T>, options?: ChangeOptions) => this.change(row.id, change, options);
    const giveUp = () => void this.#givenUp.add(row.claim);
    const { clock } = this.#host;
    const parts = { clock, token: row.claim, deadlineMs: order.deadlineMs, movement, changing, giveUp };
    return { outcome: "claimed", claim: sharedClaim(parts), again };
  }

  async read(id: string): Promise<Movement | undefined> {
    return this.#see(byId, [id]);
  }

  async find({ scope, kind, reference }: MovementKey): Promise<Movement | undefined> {
    const found = await this.findAll(scope, [{ kind, reference }]);
    return found.find(({ state }) => state !== "unsent" && state !== "refused") ?? found.at(-1);
  }

  async knownAs(scope: string, words: readonly string[]): Promise<Movement[]> {
    return this.#ofAccount(scope, knownAsSql, [words.filter((word) => isStorable(word))]);
  }

  async likes(key: MovementKey, request: string, since: number): Promise<Movement[]> {
    return this.#ofAccount(key.scope, likesSince, [keysOf(key, request).like, since]);
  }

  async provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.#database.read(provedBySql, [keys]);
    return this.#explained(() => new Map(records.map((record) => [textIn(record, "row_key"), textIn(record, "id")])));
  }

  async lookAround(key: MovementKey, request: string): Promise<Around> {
    const answers: (readonly PostgresRecord[])[] = [];
    for (const { text, values } of lookupStatements(key, request, ""))
      answers.push(await this.#database.read(text, values));
    return this.#explained(() => readLookups(key, answers, (row) => this.#reader.show(row)).around);
  }

  keepSeen(rows: readonly SeenRow[]): Promise<number> {
    const kept = rows.filter((row) => isSeenStorable(row));
    return this.#database.write(async (transaction) => {
      const answers = await transaction.run(...kept.map((row) => addSeenStatement(row)));
      return answers.flat().length;
    });
  }

  async spent(scope: string, day: Day): Promise<Sums> {
    const names = namesOfAccount(scope, await this.accounts());
    const [sums, prepared] = [
      await this.#database.read(spentSql, [names, day.toString()]),
      await this.#database.read(preparedSql, [names, startOfDayInDarEsSalaam(day)]),
    ];
    return this.#explained(() =>
      withoutAbandoned(
        this.#reader,
        sumsIn(sums),
        prepared.flatMap((record) => movementIn(record) ?? []),
      ),
    );
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
    return this.#explained(() =>
      records.flatMap((record) => movementIn(record) ?? []).map((row) => this.#reader.show(row)),
    );
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    if (!isStorable(word)) return [];
    const [one, records] = [await this.#see(byId, [word]), await this.#database.read(byReference, [word])];
    const rows = records.flatMap((record) => movementIn(record) ?? []);
    const found = one === undefined ? rows.map((row) => this.#reader.show(row)) : [one];
    if (scope === undefined || found.length === 0) return found;
    const names = namesOfAccount(scope, await this.accounts());
    return found.filter((movement) => names.includes(movement.scope));
  }

  async *list(filter: MovementFilter = {}): AsyncGenerator<Movement> {
    try {
      const read: Read = (text, values) => this.#database.read(text, values);
      yield* this.#listed(await this.#stored(filter, read), read);
    } catch (error) {
      throw this.#database.explain(error);
    }
  }

  async *#listed(filter: StoredFilter, read: Read): AsyncGenerator<Movement> {
    const { limit = Infinity } = filter;
    let after: number | undefined;
    let count = 0;
    for (;;) {
      const { rows, isLast } = await readSharedPage(read, filter, after);
      for (const row of rows) {
        const movement = this.#reader.show(row);
        if (!isMeant(movement, filter)) continue;
        if (count >= limit) return;
        count += 1;
        yield movement;
      }
      after = rows.at(-1)?.number;
      if (isLast) return;
    }
  }

  async events(id: string): Promise<MovementEvent[]> {
    const [record] = await this.#database.read(byId, [id]);
    const { number } = require(movementIn(record), id);
    const records = await this.#database.read(eventsOf, [number]);
    return this.#explained(() => records.map((event) => eventOf(openRow(eventColumns, event))));
  }

  async *history(): AsyncGenerator<HistoryLine> {
    const sql = historySql("partner.", "$1");
    for (let after = 0; ;) {
      const page = await this.#database.read(sql, [after]);
      const lines = await this.#explained(() => page.map((record, index) => historyLine(record, after + index + 1)));
      yield* lines;
      after += lines.length;
      if (lines.length < historyPageRows) return;
    }
  }

  resolve(id: string, decision: Decision): Promise<Resolution> {
    return this.change(id, (ledger, row, _, proving) => resolveOrder(ledger, row, decision, proving), {
      proofs: decision.proofs,
    });
  }

  async verify(): Promise<{ readonly movements: number; readonly events: number }> {
    return this.#explained(() => verifyShared(this.#database));
  }

  /** @throws {Failure} usage: the server has its own way to do that */
  backup(): Promise<void> {
    throw new Failure("usage", "A shared journal is not copied into a file of ours.", {
      hint: "Its database is backed up as a whole: pg_dump, or what whoever runs it offers.",
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /**
   * Has one movement changed while nobody else can: `change` gets its row, how often this was tried, and the numbers of
   * the movements that `proofs` prove by now.
   */
  change<T>(id: string, change: Change<T>, { within, proofs = [] }: ChangeOptions = {}): Promise<T> {
    return this.#database.write(async (transaction, attempt) => {
      const proving = proofs.length === 0 ? [] : provingIn(await transaction.run(...provingStatements(proofs)));
      const [[record] = []] = await transaction.run({ text: `${byId} FOR UPDATE`, values: [id] });
      const { ledger, sheet } = this.#newSheet();
      const result = change(ledger, require(movementIn(record), id), attempt, proving);
      await sheet.write(transaction);
      return result;
    }, within);
  }

  async #lookAtOthers(transaction: Transaction, guard: Guard | undefined): Promise<void> {
    if (guard === undefined) return;
    const filter = await this.#stored(guard.looksAt, (text, values) => readIn(transaction, text, values));
    const others = this.#others?.isOf(filter) === true ? this.#others : new Others(filter);
    // Until it has seen everything it is worth nothing.
    this.#others = undefined;
    const read: Read = (text, values) => readIn(transaction, text, values);
    const since = others.lastEvent;
    // Asked for first: what happens meanwhile is seen again the next time.
    const [top] = await read(lastEvent, []);
    others.lastEvent = numberIn(top, "events");
    if (since === undefined) for await (const other of this.#listed(filter, read)) others.weigh(other, guard);
    else {
      const changed = [...(await read(changedSince, [since]))];
      for (const id of others.restless) changed.push(...(await read(byId, [id])));
      for (const record of changed) {
        const row = movementIn(record);
        if (row !== undefined) others.weigh(this.#reader.show(row), guard);
      }
    }
    this.#others = others;
    guard.decide(others.sum);
  }

  /** What stands under the key and around it, kept from others until the transaction is over. */
  async #lookUp(transaction: Transaction, order: Order): Promise<ReturnType<typeof readLookups>> {
    const { near, like } = keysOf(order, order.request);
    const guarded =
      order.guard === undefined ? [] : [`partner guard ${accountIn(order.scope)?.accountId ?? order.scope}`];
    const locks = lockStatements([...guarded, `partner order ${near}`, `partner like ${like}`]);
    const answers = await transaction.run(...locks, ...lookupStatements(order, order.request, " FOR UPDATE"));
    return readLookups(order, answers.slice(locks.length), (row) => this.#reader.show(row));
  }

  async #stored({ scope, ...filter }: MovementFilter, read: Read): Promise<StoredFilter> {
    const scopes = scope === undefined ? undefined : namesOfAccount(scope, scopesIn(await read(accountsSql, [])));
    return { ...filter, scopes };
  }

  async #ofAccount(scope: string, text: string, values: readonly PostgresValue[]): Promise<Movement[]> {
    const names = namesOfAccount(scope, await this.accounts());
    const records = await this.#database.read(text, values);
    return this.#explained(() =>
      records
        .flatMap((record) => movementIn(record) ?? [])
        .filter((row) => names.includes(row.scope))
        .map((row) => this.#reader.show(row)),
    );
  }

  #newSheet(): { readonly ledger: Ledger; readonly sheet: SharedSheet } {
    const sheet = new SharedSheet();
    return { sheet, ledger: new Ledger(this.#host, sheet, this.#who, this.#givenUp) };
  }

  async #see(text: string, values: readonly string[]): Promise<Movement | undefined> {
    // What cannot be on record is not looked for: PostgreSQL takes it for an error.
    if (!values.every((value) => isStorable(value))) return undefined;
    const [record] = await this.#database.read(text, values);
    return this.#explained(() => {
      const row = movementIn(record);
      return row === undefined ? undefined : this.#reader.show(row);
    });
  }

  /** What was read is looked at outside of the database, and may be damaged all the same. */
  async #explained<T>(use: () => T | Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      throw this.#database.explain(error);
    }
  }
}

async function readIn(
  transaction: Transaction,
  text: string,
  values: readonly PostgresValue[],
): Promise<readonly PostgresRecord[]> {
  return (await transaction.run({ text, values })).at(0) ?? [];
}

function require(row: MovementRow | undefined, id: string): MovementRow {
  if (row !== undefined) return row;
  throw noMovement(id);
}
