import type { Database } from "../storage/database.ts";
import type {
  Claim,
  Decision,
  Guard,
  Journal,
  MovementFilter,
  Opening,
  Order,
  Resolution,
  Settlement,
} from "./journal.ts";
import { ClaimLost, OutcomeUnrecorded } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { HistoryLine } from "./history.ts";
import { historyLine, historyPageRows, historySql } from "./history.ts";
import { isMeant, readPage } from "./listing.ts";
import type { Movement, MovementEvent, MovementKey } from "./movement.ts";
import { eventOf } from "./movement-row.ts";
import { Others } from "./others.ts";
import type { Settled } from "./proceedings.ts";
import { openOrder, resolveOrder, sendOrder, settleOrder } from "./proceedings.ts";
import type { MovementRow } from "./row.ts";
import type { SqliteRows } from "./sqlite-rows.ts";
import { noMovement } from "./trouble.ts";
import { verifyJournal } from "./verify.ts";

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
  #others: Others | undefined;

  constructor({ id, database, rows, ledger, copyTo }: SqliteParts) {
    this.id = id;
    this.#database = database;
    this.#rows = rows;
    this.#ledger = ledger;
    this.#copyTo = copyTo;
  }

  open(order: Order): Promise<Opening> {
    return this.#database
      .commit(() => this.#open(order))
      .catch((error: unknown) => {
        // What it saw of others may have been undone together with it.
        this.#others = undefined;
        throw error;
      });
  }

  async read(id: string): Promise<Movement | undefined> {
    return this.#see(() => this.#rows.byId(id));
  }

  async find(key: MovementKey): Promise<Movement | undefined> {
    return this.#see(() => this.#rows.byKey(key));
  }

  async findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]> {
    return keys.flatMap((key) => this.#see(() => this.#rows.byKey({ ...key, scope })) ?? []);
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    const found = this.#database.attempt(() => {
      const row = this.#rows.byId(word);
      return (row === undefined ? this.#rows.byReference(word) : [row]).map((row) => this.#ledger.show(row));
    });
    return scope === undefined ? found : found.filter((movement) => movement.scope === scope);
  }

  async *list(filter: MovementFilter = {}): AsyncGenerator<Movement> {
    yield* this.#listed(filter);
  }

  *#listed(filter: MovementFilter): Generator<Movement> {
    const { limit = Infinity } = filter;
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

  resolve(id: string, decision: Decision): Promise<Resolution> {
    return this.#database.commit(() => resolveOrder(this.#ledger, this.#require(id), decision));
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
    const opened = openOrder(this.#ledger, this.#rows.byKey(order), order, () => this.#lookAtOthers(order.guard));
    return opened.outcome === "claimed" ? this.#claimed(opened.row, order, opened.again) : opened;
  }

  #lookAtOthers(guard: Guard | undefined): void {
    if (guard === undefined) return;
    const others = this.#others?.isOf(guard.looksAt) === true ? this.#others : new Others(guard.looksAt);
    // Until it has seen everything it is worth nothing.
    this.#others = undefined;
    const since = others.lastEvent;
    others.lastEvent = this.#rows.lastEvent();
    if (since === undefined) for (const other of this.#listed(guard.looksAt)) others.weigh(other, guard);
    else {
      const changed = [...others.restless.map((id) => this.#require(id)), ...this.#rows.changedSince(since)];
      for (const row of changed) others.weigh(this.#ledger.show(row), guard);
    }
    this.#others = others;
    guard.decide(others.sum);
  }

  #claimed(row: MovementRow, order: Order, again: Movement | undefined): Opening {
    const { id, claim: token } = row;
    const claim: Claim = {
      movement: this.#ledger.show(row),
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
      settled = await this.#database.commit(() => settleOrder(this.#ledger, this.#require(id), token, settlement));
    } catch (error) {
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
