import type { Database } from "../storage/database.ts";
import type { Day } from "../values/day.ts";
import { startOfDayInDarEsSalaam } from "../values/day.ts";
import { aroundEach, askedKeys, nothingAround } from "./around.ts";
import type {
  Around,
  AskedOrder,
  Claim,
  Decision,
  Entered,
  Journal,
  LeftOutcome,
  MovementFilter,
  Opening,
  Order,
  Resolution,
  SeenRow,
  Settlement,
} from "./journal.ts";
import { ClaimLost, OutcomeUnrecorded, ProofTaken } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { HistoryLine } from "./history.ts";
import { historyLine, historyPageRows, historySql } from "./history.ts";
import type { StoredFilter } from "./listing.ts";
import { isMeant, readPage } from "./listing.ts";
import type { Movement, MovementEvent, MovementKey } from "./movement.ts";
import { eventOf } from "./movement-row.ts";
import { keysOf } from "./order-keys.ts";
import type { Settled } from "./proceedings.ts";
import { enterOutcome, openOrder, resolveOrder, sendOrder, settleOrder, withoutAbandoned } from "./proceedings.ts";
import type { MovementRow } from "./row.ts";
import type { SqliteRows } from "./sqlite-rows.ts";
import { noMovement } from "./trouble.ts";
import type { Sums } from "./spending.ts";
import { noSums } from "./spending.ts";
import { verifyJournal } from "./verify.ts";

/**
 * How long others may keep the journal when an outcome comes, before it is kept elsewhere and tried again: longer than
 * a reader of ours does.
 */
const outcomePatienceMs = 1_000;

/** What a journal in SQLite works with. */
export interface SqliteParts {
  readonly id: string;
  readonly database: Database;
  readonly rows: SqliteRows;
  readonly ledger: Ledger;
  readonly copyTo: (path: string) => Promise<void>;
}

/** A journal in a SQLite database on this machine's own disk. */
export class SqliteJournal implements Journal {
  readonly id: string;
  readonly #database: Database;
  readonly #rows: SqliteRows;
  readonly #ledger: Ledger;
  readonly #copyTo: (path: string) => Promise<void>;

  constructor({ id, database, rows, ledger, copyTo }: SqliteParts) {
    this.id = id;
    this.#database = database;
    this.#rows = rows;
    this.#ledger = ledger;
    this.#copyTo = copyTo;
  }

  async unsureSince(): Promise<number | undefined> {
    return this.#database.attempt(() => {
      const createdAt = this.#database.value("SELECT created_at FROM journal");
      return typeof createdAt === "number" ? this.#ledger.recent(createdAt) : undefined;
    });
  }

  open(order: Order): Promise<Opening> {
    return this.#database.commit(() => this.#open(order));
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
    return this.#show(() => this.#rows.lookups.likes(keysOf(key, request).like, since));
  }

  async provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#database.attempt(() => this.#rows.lookups.provedBy(keys));
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

  async spent(scope: string, day: Day): Promise<Sums> {
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
      return (row === undefined ? this.#rows.byReference(word) : [row]).map((row) => this.#ledger.show(row));
    });
    if (scope === undefined) return found;
    const names = this.#database.attempt(() => this.#rows.lookups.namesOf(scope));
    return found.filter((movement) => names.includes(movement.scope));
  }

  async *list(filter: MovementFilter = {}): AsyncGenerator<Movement> {
    yield* this.#listed(filter);
  }

  *#listed(asked: MovementFilter): Generator<Movement> {
    const { limit = Infinity } = asked;
    const filter = this.#stored(asked);
    let after: number | undefined;
    let count = 0;
    for (;;) {
      const { rows, isLast } = this.#database.attempt(() => readPage(this.#database, filter, after));
      for (const row of rows) {
        const movement = this.#database.attempt(() => this.#ledger.show(row));
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
    return this.#database.attempt(() => this.#rows.events(this.#require(id).number).map((row) => eventOf(row)));
  }

  async *history(): AsyncGenerator<HistoryLine> {
    const sql = historySql("", ":after");
    for (let after = 0; ;) {
      const page = this.#database.all(sql, { after });
      const lines = this.#database.attempt(() => page.map((record, index) => historyLine(record, after + index + 1)));
      yield* lines;
      after += lines.length;
      if (lines.length < historyPageRows) return;
    }
  }

  async claimOf(id: string): Promise<string | undefined> {
    return this.#database.attempt(() => this.#rows.byId(id)?.claim);
  }

  enter(left: LeftOutcome): Promise<Entered> {
    return this.#database.commit(() => {
      const row = this.#rows.byId(left.movement);
      if (row === undefined) return { outcome: "no movement", movement: undefined };
      return enterOutcome(this.#ledger, row, left, this.#rows.lookups.proving(left.settlement.proofs));
    }, outcomePatienceMs);
  }

  resolve(id: string, decision: Decision): Promise<Resolution> {
    return this.#database.commit(
      () => resolveOrder(this.#ledger, this.#require(id), decision, this.#rows.lookups.proving(decision.proofs)),
      // A callback comes once, and is kept elsewhere too.
      decision.evidence === "callback" ? outcomePatienceMs : undefined,
    );
  }

  async verify(): Promise<{ readonly movements: number; readonly events: number }> {
    return this.#database.attempt(() => verifyJournal(this.#database));
  }

  backup(path: string): Promise<void> {
    return this.#copyTo(path);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #open(order: Order): Opening {
    const opened = openOrder(this.#ledger, this.#rows.byKey(order), order, () => {
      order.check?.(this.#around(order));
      order.guard?.decide(order.guard.day === undefined ? noSums : this.#spent(order.scope, order.guard.day));
    });
    return opened.outcome === "claimed" ? this.#claimed(opened.row, order, opened.again) : opened;
  }

  #spent(scope: string, day: Day): Sums {
    const waiting = this.#rows.preparedSince(scope, startOfDayInDarEsSalaam(day));
    return withoutAbandoned(this.#ledger, this.#rows.spentOn(scope, day.toString()), waiting);
  }

  #around(order: AskedOrder & Pick<Order, "scope" | "batch">): Around {
    return this.#aroundAll(order.scope, [order], order.batch?.id)[0] ?? nothingAround;
  }

  #aroundAll(scope: string, orders: readonly AskedOrder[], batch: string | undefined): Around[] {
    const asked = askedKeys(scope, orders);
    return aroundEach(scope, asked, this.#rows.lookups.around(asked, batch), (row) => this.#ledger.show(row));
  }

  #show(find: () => readonly MovementRow[]): Movement[] {
    return this.#database.attempt(() => find().map((row) => this.#ledger.show(row)));
  }

  #stored({ scope, ...filter }: MovementFilter): StoredFilter {
    return {
      ...filter,
      scopes: scope === undefined ? undefined : this.#database.attempt(() => this.#rows.lookups.namesOf(scope)),
    };
  }

  #claimed(row: MovementRow, order: Order, again: Movement | undefined): Opening {
    const { id, claim: token } = row;
    const claim: Claim = {
      movement: this.#ledger.show(row),
      token,
      // A connection that fails is to stay `unsent`, so there is nothing to write yet.
      beforeDialling: () => Promise.resolve(),
      beforeFirstByte: (requestId) =>
        this.#database.commitNow(() =>
          sendOrder(this.#ledger, this.#require(id), token, { requestId, deadlineMs: order.deadlineMs }),
        ),
      settle: (settlement) => this.#settleSafely(id, token, settlement),
    };
    return { outcome: "claimed", claim, again };
  }

  async #settleSafely(id: string, token: string, settlement: Settlement): Promise<Movement> {
    let settled: Settled;
    try {
      settled = await this.#database.commit(
        () =>
          settleOrder(
            this.#ledger,
            this.#require(id),
            token,
            settlement,
            this.#rows.lookups.proving(settlement.proofs),
          ),
        outcomePatienceMs,
      );
    } catch (error) {
      if (error instanceof ProofTaken) throw error;
      throw new OutcomeUnrecorded(settlement, error);
    }
    if (settled.isLost) throw new ClaimLost(settled.movement);
    return settled.movement;
  }

  #see(find: () => MovementRow | undefined): Movement | undefined {
    return this.#database.attempt(() => {
      const row = find();
      return row === undefined ? undefined : this.#ledger.show(row);
    });
  }

  #require(id: string): MovementRow {
    const row = this.#rows.byId(id);
    if (row !== undefined) return row;
    throw noMovement(id);
  }
}
