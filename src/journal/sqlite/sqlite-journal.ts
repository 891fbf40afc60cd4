import { orderedWallet } from "../requests/movement-request.ts";
import type { DatabaseSync } from "node:sqlite";
import type { Database } from "../../storage/sqlite/database.ts";
import type { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import { startOfDayInDarEsSalaam } from "../../values/time/day.ts";
import { aroundEach, askedKeys, nothingAround } from "../lookups/around.ts";
import type {
  Around,
  AskedOrder,
  OutcomeDecision,
  Entered,
  Journal,
  LeftOutcome,
  MovementFilter,
  Opening,
  Order,
  Resolution,
  SeenOrder,
  SeenRow,
} from "../journal.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { HistoryLine, HistoryPlace, RowCounts } from "../history/history.ts";
import { historyLine, historyPageRows, historySql, historyStart } from "../history/history.ts";
import { listed } from "../lookups/listing.ts";
import { readPage } from "../lookups/query.ts";
import type { Movement, MovementEvent, MovementKey } from "../movement.ts";
import { eventOf } from "../movement-row.ts";
import { likeKeysOf } from "../lookups/order-keys.ts";
import type { BatchStanding, SeenCover } from "../redaction/redacting.ts";
import type { OrderLines, RedactionTools } from "../redaction/redacted-order.ts";
import { openOrder, withoutAbandoned } from "../transitions.ts";
import type { MovementRow } from "../history/row.ts";
import { archivableIn, hasArchived } from "./archiving.ts";
import { SqliteChanges } from "./changes.ts";
import type { SqliteRows } from "./rows.ts";
import type { Registration } from "../age/registration.ts";
import type { CurrencySums } from "../spending.ts";
import { noSums } from "../spending.ts";
import type { OrderTrail } from "../history/trail.ts";
import { SqliteOrderTrail } from "./trail.ts";
import { verifyJournal } from "./verify.ts";

/** What a journal in SQLite works with. */
export interface SqliteParts {
  readonly id: string;
  readonly database: Database;
  readonly rows: SqliteRows;
  readonly writer: MovementWriter;
  readonly copyTo: (path: string) => Promise<void>;
  readonly registration: Registration;
  /** Opens it a second time, for reading without locks. */
  readonly openUnlocked: () => DatabaseSync;
}

/** A journal in a SQLite database on this machine's own disk. */
export class SqliteJournal implements Journal {
  readonly id: string;
  readonly #database: Database;
  readonly #rows: SqliteRows;
  readonly #writer: MovementWriter;
  readonly #copyTo: (path: string) => Promise<void>;
  readonly #registration: Registration;
  readonly #changes: SqliteChanges;
  readonly #openUnlocked: () => DatabaseSync;
  readonly #trail: SqliteOrderTrail;

  constructor({ id, database, rows, writer, copyTo, registration, openUnlocked }: SqliteParts) {
    this.id = id;
    this.#database = database;
    this.#rows = rows;
    this.#writer = writer;
    this.#copyTo = copyTo;
    this.#registration = registration;
    this.#changes = new SqliteChanges(database, rows, writer, registration);
    this.#openUnlocked = openUnlocked;
    this.#trail = new SqliteOrderTrail(database, rows, writer);
  }

  async trail(): Promise<OrderTrail> {
    return this.#trail;
  }

  get refusal(): Failure | undefined {
    return this.#registration.refusal;
  }

  async unsure(): ReturnType<Journal["unsure"]> {
    return this.#registration.unsure;
  }

  open(order: Order): Promise<Opening> {
    const admission = this.#registration.admit(order.scope, orderedWallet(order));
    const open = () => this.#database.commit(() => this.#open(order));
    return admission === undefined ? open() : admission.then(open);
  }

  async read(id: string): Promise<Movement | undefined> {
    return this.#see(() => this.#rows.byId(id));
  }

  async find(key: MovementKey): Promise<Movement | undefined> {
    return this.#see(() => this.#rows.byKey(key));
  }

  async knownAs(scope: string, words: readonly string[]): Promise<Movement[]> {
    return this.#show(() => this.#rows.lookups.knownAs(scope, words));
  }

  async likes(key: MovementKey, request: string, since: number): Promise<Movement[]> {
    return this.#show(() => this.#rows.lookups.likes(likeKeysOf(key, request), since));
  }

  async provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#database.attempt(() => this.#rows.lookups.provedBy(keys));
  }

  async proofsOf(id: string): Promise<readonly string[]> {
    return this.#database.attempt(() => this.#rows.lookups.proofsOf(id));
  }

  async lookAround(key: MovementKey & Pick<Order, "batch">, request: string): Promise<Around> {
    return this.#database.attempt(() => this.#around({ ...key, request }));
  }

  async lookAroundAll(scope: string, orders: readonly AskedOrder[], batch?: string): Promise<readonly Around[]> {
    return this.#database.attempt(() => this.#aroundAll(scope, orders, batch));
  }

  keepSeen(rows: readonly SeenRow[]): Promise<number> {
    return this.#database.commit(() => rows.filter((row) => this.#rows.addSeen(row)).length);
  }

  keepNames(scopes: readonly string[]): Promise<void> {
    return this.#database.commit(() => scopes.forEach((scope) => this.#rows.addAccount(scope)));
  }

  async spent(scope: string, day: Day): Promise<CurrencySums> {
    return this.#database.attempt(() => this.#spent(scope, day));
  }

  async accounts(): Promise<readonly string[]> {
    return this.#database.attempt(() => this.#rows.lookups.accounts());
  }

  async findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]> {
    return keys.flatMap((key) => this.#see(() => this.#rows.byKey({ ...key, scope })) ?? []);
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    const found = this.#database.attempt(() => {
      const row = this.#rows.byId(word);
      return (row === undefined ? this.#rows.byReference(word) : [row]).map((row) => this.#writer.show(row));
    });
    if (scope === undefined) return found;
    const names = this.#database.attempt(() => this.#rows.lookups.namesOf(scope));
    return found.filter((movement) => names.includes(movement.scope));
  }

  async beginningWith(start: string): Promise<Movement[]> {
    return this.#database.attempt(() => this.#rows.lookups.beginningWith(start).map((row) => this.#writer.show(row)));
  }

  list({ scope, ...asked }: MovementFilter = {}): AsyncGenerator<Movement> {
    const scopes = scope === undefined ? undefined : this.#database.attempt(() => this.#rows.lookups.namesOf(scope));
    const filter = { ...asked, scopes };
    const readAfter = (after: number | undefined) =>
      this.#database.attempt(() => readPage(this.#database, filter, after));
    return listed(readAfter, (row) => this.#database.attempt(() => this.#writer.show(row)), filter);
  }

  async events(id: string): Promise<MovementEvent[]> {
    return this.#database.attempt(() => this.#rows.events(this.#changes.require(id).number).map((row) => eventOf(row)));
  }

  async eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, MovementEvent[]>> {
    const linesOf = (id: string) => this.#rows.lines(this.#changes.require(id).number).map((line) => eventOf(line));
    return this.#database.attempt(() => new Map(ids.map((id) => [id, linesOf(id)])));
  }

  async *history({ line }: HistoryPlace = historyStart): AsyncGenerator<HistoryLine> {
    const sql = historySql("", ":after");
    for (let after = line; ;) {
      const page = this.#database.all(sql, { after });
      const lines = this.#database.attempt(() => page.map((record, index) => historyLine(record, after + index + 1)));
      yield* lines;
      after += lines.length;
      if (lines.length < historyPageRows) return;
    }
  }

  async *archivable(before: number): AsyncGenerator<Movement> {
    yield* archivableIn(this.#database, this.#writer, before);
  }

  archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number> {
    return this.#changes.archive(orders, file);
  }

  async hasArchived(): Promise<boolean> {
    return this.#database.attempt(() => hasArchived(this.#database));
  }

  async claimOf(id: string): Promise<string | undefined> {
    return this.#database.attempt(() => this.#rows.byId(id)?.claim);
  }

  enter(left: LeftOutcome): Promise<Entered> {
    return this.#changes.enter(left);
  }

  resolve(seen: SeenOrder, decision: OutcomeDecision): Promise<Resolution> {
    return this.#changes.resolve(seen, decision);
  }

  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number> {
    return this.#changes.redact(orders, tools);
  }

  async redactSeen(without: SeenCover, isLook: boolean): Promise<number> {
    return isLook ? this.#rows.redactSeen(without, true) : this.#changes.redactSeen(without);
  }

  readonly submitted = async (): Promise<ReadonlyMap<string, BatchStanding>> => new Map();
  readonly redactBatch = async (): Promise<boolean> => false;
  readonly guards = async (): Promise<undefined> => undefined;

  async tally(): ReturnType<Journal["tally"]> {
    return this.#database.attempt(() => this.#rows.tally());
  }

  async verify(newest: number | RowCounts = Infinity): Promise<RowCounts> {
    const parts = { database: this.#database, openUnlocked: this.#openUnlocked };
    return this.#database.attempt(() => verifyJournal(parts, newest));
  }

  backup(path: string): Promise<void> {
    return this.#copyTo(path);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #open(order: Order): Opening {
    this.#changes.follow();
    const opened = openOrder(this.#writer, this.#rows.byKey(order), order, () => {
      order.check?.(this.#around(order));
      order.guard?.decide(order.guard.day === undefined ? noSums : this.#spent(order.scope, order.guard.day));
    });
    if (opened.outcome !== "claimed") return opened;
    return { outcome: "claimed", claim: this.#changes.claim(opened.row, order), again: opened.again };
  }

  #spent(scope: string, day: Day): CurrencySums {
    const waiting = this.#rows.preparedSince(scope, startOfDayInDarEsSalaam(day));
    return withoutAbandoned(this.#writer, this.#rows.spentOn(scope, day.toString()), waiting);
  }

  #around(order: AskedOrder & Pick<Order, "scope" | "batch">): Around {
    return this.#aroundAll(order.scope, [order], order.batch?.id)[0] ?? nothingAround;
  }

  #aroundAll(scope: string, orders: readonly AskedOrder[], batch: string | undefined): Around[] {
    const asked = askedKeys(scope, orders);
    return aroundEach(scope, asked, this.#rows.lookups.around(asked, batch), (row) => this.#writer.show(row));
  }

  #show(find: () => readonly MovementRow[]): Movement[] {
    return this.#database.attempt(() => find().map((row) => this.#writer.show(row)));
  }

  #see(find: () => MovementRow | undefined): Movement | undefined {
    return this.#show(() => [find()].flatMap((row) => row ?? []))[0];
  }
}
