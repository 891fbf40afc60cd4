import type { SharedDatabase, Transaction } from "../../../storage/postgres/database.ts";
import { Failure } from "../../../values/failure.ts";
import type { Day } from "../../../values/time/day.ts";
import { accountIn, namesOfAccount } from "../../account-name.ts";
import { aroundEach, askedKeys, nothingAround } from "../../lookups/around.ts";
import type { AskedKeys } from "../../lookups/around.ts";
import type { Around, Order } from "../../journal.ts";
import type { MovementWriter } from "../../movement-writer.ts";
import type { MovementRow } from "../../history/row.ts";
import { noSums } from "../../spending.ts";
import type { Opened } from "../../transitions.ts";
import { mayClaim, openOrder } from "../../transitions.ts";
import { aroundRows, aroundStatements, rowsIn, standingRow, standingStatement } from "../around.ts";
import type { SharedChanges } from "../changes.ts";
import { lockStatements, readIn } from "../lookups.ts";
import type { SharedReading } from "../reading.ts";
import type { PostgresTransaction, SealedMovement } from "../rows.ts";
import { isWrongAssumption, NotQuick, assumeNothing } from "./quick.ts";

/** What orders are opened with. */
export interface OpeningParts {
  readonly database: SharedDatabase;
  readonly changes: SharedChanges;
  readonly reading: SharedReading;
  /** Shows rows and writes nothing. */
  readonly reader: MovementWriter;
  readonly newWrites: () => { readonly writer: MovementWriter; readonly writes: PostgresTransaction };
  /** Called with a claim that may be on record, but with which nothing will be sent. */
  readonly giveUp: (claim: string) => void;
}

/** An order that was opened, and its row as it was written, where that is known. */
export interface OpenedOrder {
  readonly opened: Opened;
  readonly written: SealedMovement | undefined;
}

type Claimed = Extract<Opened, { outcome: "claimed" }>;

/** Records orders: in one round trip where nothing is around them, else in two. */
export class SharedOpening {
  readonly #parts: OpeningParts;
  /** Accounts that the journal knew when it was last asked; it never forgets one. */
  #accounts: readonly string[] | undefined;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
  }

  async open(order: Order): Promise<OpenedOrder> {
    const tried: { claimed?: Claimed } = {};
    try {
      const opened = (await this.#openQuickly(order, tried)) ?? (await this.#openLooking(order, tried));
      this.#accounts = [...new Set([...(this.#accounts ?? []), order.scope])];
      return opened;
    } catch (error) {
      // An order without approval was not recorded.
      const isDenied = error instanceof Failure && error.ending === "usage";
      if (tried.claimed !== undefined && !isDenied) this.#parts.giveUp(tried.claimed.row.claim);
      throw error;
    }
  }

  /** Assumes that the order is new and that nothing is around it; undefined where either is wrong. */
  async #openQuickly(order: Order, tried: { claimed?: Claimed }): Promise<OpenedOrder | undefined> {
    const { database, changes, reader, newWrites } = this.#parts;
    const accounts = this.#accounts;
    const [asked] = askedKeys(order.scope, [order]);
    if (accounts === undefined || asked === undefined || order.guard !== undefined) return undefined;
    const none = { accounts, near: new Map(), like: new Map(), seen: new Map() };
    try {
      order.check?.(aroundEach(order.scope, [asked], none, (row) => reader.show(row))[0] ?? nothingAround);
    } catch {
      // Whether the order is there already has to be asked before that.
      return undefined;
    }
    const { writer, writes } = newWrites();
    const opened = openOrder(writer, undefined, order, () => undefined);
    const assumptions = [
      ...changes.assumeMark(),
      ...lockStatements(locksAround([asked])),
      assumeNothing(asked, order.batch?.id, accounts.length),
    ];
    try {
      await database.writeInTurn(async (transaction, attempt) => {
        if (attempt > 1) throw new NotQuick();
        if (opened.outcome === "claimed") tried.claimed = opened;
        writes.write(transaction, assumptions);
      });
    } catch (error) {
      if (isWrongAssumption(error)) return undefined;
      throw error;
    }
    return { opened, written: writes.written };
  }

  async #openLooking(order: Order, tried: { claimed?: Claimed }): Promise<OpenedOrder> {
    const { database, reader, newWrites } = this.#parts;
    let written: PostgresTransaction | undefined;
    const opened = await database.writeInTurn(async (transaction): Promise<Opened> => {
      const { row, around } = await this.#lookUp(transaction, order);
      const before = tried.claimed;
      // The first try was committed, and its answer lost.
      if (row !== undefined && before !== undefined && row.claim === before.row.claim && row.state === "prepared")
        return { ...before, row };
      if (row === undefined || mayClaim(reader.show(row))) {
        order.check?.(around());
        await this.#guard(transaction, order);
      }
      const { writer, writes } = newWrites();
      const result = openOrder(writer, row, order, () => undefined);
      if (result.outcome === "claimed") tried.claimed = result;
      writes.write(transaction);
      written = writes;
      return result;
    });
    return { opened, written: written?.written };
  }

  async #guard(transaction: Transaction, { scope, guard }: Order): Promise<void> {
    const { reading } = this.#parts;
    const spent = (day: Day) => reading.spentBy(scope, day, (text, values) => readIn(transaction, text, values));
    guard?.decide(guard.day === undefined ? noSums : await spent(guard.day));
  }

  /** The order under the key, locked until the transaction is over, and what is around it. */
  async #lookUp(
    transaction: Transaction,
    order: Order,
  ): Promise<{ readonly row: MovementRow | undefined; readonly around: () => Around }> {
    const { scope, guard } = order;
    const { changes, reader } = this.#parts;
    const asked = askedKeys(scope, [order]);
    const guarded = guard === undefined ? [] : [`partner guard ${accountIn(scope)?.accountId ?? scope}`];
    const locks = lockStatements([...guarded, ...locksAround(asked)]);
    const questions = aroundStatements(asked, order.batch?.id);
    const answers = await changes.following(transaction, ...locks, standingStatement(order), ...questions);
    const [own = [], ...found] = answers.slice(locks.length);
    const rows = aroundRows(found);
    this.#accounts = rows.accounts;
    const names = namesOfAccount(scope, rows.accounts);
    return {
      row: standingRow(rowsIn(own).filter((row) => names.includes(row.scope))),
      around: () => aroundEach(scope, asked, rows, (row) => reader.show(row))[0] ?? nothingAround,
    };
  }
}

function locksAround(asked: readonly AskedKeys[]): string[] {
  return asked.flatMap(({ near, likes }) => [`partner order ${near}`, ...likes.map((key) => `partner like ${key}`)]);
}
