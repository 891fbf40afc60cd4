import type { PostgresRecord, Statement } from "../../host/databases/postgres.ts";
import type { SharedDatabase, Transaction } from "../../storage/postgres/database.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { JournalEnd } from "../age/marks.ts";
import type { StatementProof, Who } from "../movement.ts";
import type { Registration } from "../age/registration.ts";
import type { MovementRow } from "../history/row.ts";
import type { OrderLines, RedactionTools } from "../redaction/redacted-order.ts";
import { redactOrder } from "../redaction/redacted-order.ts";
import { storedCount, storedIn, storedStatements } from "./redaction.ts";
import { archiveShared } from "./archiving.ts";
import { batchWithout, canRedactSql, redactBatch, rowsOfOrder, wholeBatches } from "./chain/redact-batch.ts";
import { byIdSql, provingIn, provingStatements } from "./lookups.ts";
import { isWrongAssumption, NotQuick, assumeMark, assumeSame } from "./orders/quick.ts";
import type { PostgresTransaction, SealedMovement } from "./rows.ts";
import { movementIn, onlyRow } from "./rows.ts";
import { databaseSql, endIn, factEndIn, factSql, textOrUndefined, timelineFor } from "./journal-view.ts";
import { noMovement } from "../failures.ts";

const sealSql = (timeline: number | undefined) =>
  `SELECT (SELECT seal FROM partner.events WHERE number = $1) AS seal, ${databaseSql} AS database,
    ${timelineFor(timeline)} AS timeline`;
const lastLineSql = "SELECT number, at, seal FROM partner.events ORDER BY number DESC LIMIT 1";

/** Changes a movement, within a transaction. */
export type Change<T> = (writer: MovementWriter, row: MovementRow, attempt: number, proving: readonly number[]) => T;

export interface ChangeOptions {
  /** How many milliseconds to wait for a server that went away. */
  readonly within?: number | undefined;
  readonly proofs?: readonly StatementProof[] | undefined;
}

/** An order, and its row as this process last wrote it, if it did. */
export interface OwnOrder {
  readonly id: string;
  written?: SealedMovement | undefined;
}

interface Changing extends ChangeOptions {
  readonly follows?: boolean | undefined;
}

interface Done<T> {
  readonly result: T;
  readonly writes: PostgresTransaction;
}

interface Changed<T> {
  readonly result: T;
  /** The end of history; undefined where nothing was added. */
  readonly end: JournalEnd | undefined;
}

/** Writes changes of movements in a shared journal, and updates its mark. */
export class SharedChanges {
  readonly #database: SharedDatabase;
  readonly #registration: Registration;
  readonly #newWrites: () => { readonly writer: MovementWriter; readonly writes: PostgresTransaction };

  constructor(
    database: SharedDatabase,
    registration: Registration,
    newWrites: () => { readonly writer: MovementWriter; readonly writes: PostgresTransaction },
  ) {
    this.#database = database;
    this.#registration = registration;
    this.#newWrites = newWrites;
  }

  /**
   * Changes one movement under a lock: `change` gets its row, the number of this attempt, and the numbers of the
   * movements that `proofs` prove by now.
   */
  async change<T>(order: OwnOrder, change: Change<T>, options: ChangeOptions = {}): Promise<T> {
    const { result, end } = await this.#change(order, change, options);
    if (end !== undefined) this.#registration.note(end);
    return result;
  }

  /**
   * The same for recording `sending`.
   * @returns a function that updates the journal's mark; where it throws, the order must not be sent
   */
  async send(order: OwnOrder, change: Change<void>, within: number): Promise<() => void> {
    const { end } = await this.#change(order, change, { within, follows: true });
    // The first try was committed, and its answer lost.
    const last = end ?? endIn(onlyRow(await this.#database.read(lastLineSql)));
    if (end === undefined) await this.#database.waitForDisk();
    return () => this.#registration.keep(last);
  }

  /** Redacts orders under a lock, all in one transaction. @returns how many were redacted */
  async redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number> {
    const { result, written } = await this.#database.writeInTurn(async (transaction) => {
      const asked = orders.flatMap(({ id }) => storedStatements(id));
      const [[found] = [], ...answers] = await this.following(transaction, { text: canRedactSql }, ...asked);
      const hasBatches = found?.["can_redact"] === true;
      const whole = hasBatches ? await wholeBatches(transaction, orders) : new Set<string>();
      const { writer, writes } = this.#newWrites();
      const rows: Statement[] = [];
      const redacted = orders.flatMap((order, at) => {
        const stored = storedIn(answers.slice(at * storedCount, (at + 1) * storedCount));
        if (stored === undefined || whole.has(stored.row.batch ?? "")) return [];
        const without = redactOrder(stored, order, tools);
        if (without !== undefined && hasBatches) rows.push(rowsOfOrder(without.row, stored.row.request_hash));
        return without ?? [];
      });
      for (const order of redacted) writer.redact(order);
      if (tools.isLast) writes.forgetLikes(tools.likesBefore);
      writes.write(transaction, rows);
      return { result: redacted.length, written: writes };
    });
    if (written.end !== undefined) this.#registration.note(written.end);
    return result;
  }

  /** Redacts a submitted batch, under a lock. */
  async redactBatch(batch: OrderLines, tools: RedactionTools, who: Who): Promise<boolean> {
    const without = await batchWithout(this.#database, batch.id, tools.cover);
    return this.#database.writeInTurn(async (transaction) => {
      await this.following(transaction);
      return redactBatch(transaction, batch, tools, without, who);
    });
  }

  /** Archives finished orders. @returns how many were archived */
  async archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number> {
    const { result, written } = await this.#database.writeInTurn(async (transaction) => {
      await this.following(transaction);
      const { writer, writes } = this.#newWrites();
      const archived = await archiveShared(transaction, writer, orders, file);
      writes.write(transaction);
      return { result: archived, written: writes };
    });
    if (written.end !== undefined) this.#registration.note(written.end);
    return result;
  }

  /** Statements that check, in one round trip with others, that the journal is still the same. */
  assumeMark(): Statement[] {
    return assumeMark(this.#registration.last, this.#registration.servedBy);
  }

  /**
   * Runs statements, and checks that the journal was not replaced by an earlier copy meanwhile.
   * @throws {Failure} setup
   */
  async following(
    transaction: Transaction,
    ...statements: readonly Statement[]
  ): Promise<readonly (readonly PostgresRecord[])[]> {
    // It may have grown before the answer comes.
    const { last, lastFact, servedBy } = this.#registration;
    const asked = lastFact === undefined ? [] : [{ text: factSql, values: [lastFact.number] }];
    const all = await transaction.run(
      { text: sealSql(servedBy.timeline), values: [last.number] },
      ...asked,
      ...statements,
    );
    const [there] = all[0] ?? [];
    const { seal, database, timeline } = there ?? {};
    this.#registration.follow(last, textOrUndefined(seal), {
      database: textOrUndefined(database),
      timeline: typeof timeline === "number" ? timeline : undefined,
    });
    if (lastFact !== undefined) {
      const [decided] = all[1] ?? [];
      const now = factEndIn(decided);
      this.#registration.followFact(lastFact, textOrUndefined(decided?.["seal_there"]), now);
      // A mark may only name what is on the disk.
      if (now !== undefined) transaction.afterwards(() => this.#registration.knowFact(now));
    }
    return all.slice(1 + asked.length);
  }

  async #change<T>(order: OwnOrder, change: Change<T>, options: Changing): Promise<Changed<T>> {
    const { written } = order;
    const isQuick = written !== undefined && (options.proofs ?? []).length === 0;
    const quick = isQuick ? await this.#changeQuickly(written, change, options) : { tries: 0, done: undefined };
    const { result, writes } = quick.done ?? (await this.#changeLooking(order.id, change, options, quick.tries));
    order.written = writes.written;
    return { result, end: writes.end };
  }

  /** Assumes that the row is as this process last wrote it; `done` is undefined where it isn't. */
  async #changeQuickly<T>(
    written: SealedMovement,
    change: Change<T>,
    { within, follows = false }: Changing,
  ): Promise<{ readonly tries: number; readonly done: Done<T> | undefined }> {
    const { writer, writes } = this.#newWrites();
    let tries = 0;
    try {
      const result = change(writer, written, 1, []);
      if (writes.isEmpty) return { tries, done: undefined };
      const assumptions = [...(follows ? this.assumeMark() : []), assumeSame(written)];
      await this.#database.writeInTurn(async (transaction, attempt) => {
        if (attempt > 1) throw new NotQuick();
        tries = attempt;
        writes.write(transaction, assumptions);
      }, within);
      return { tries, done: { result, writes } };
    } catch (error) {
      if (tries === 0 || isWrongAssumption(error)) return { tries, done: undefined };
      throw error;
    }
  }

  async #changeLooking<T>(
    id: string,
    change: Change<T>,
    { within, proofs = [], follows = false }: Changing,
    tries: number,
  ): Promise<Done<T>> {
    return this.#database.writeInTurn(async (transaction, attempt) => {
      const proving = proofs.length === 0 ? [] : provingIn(await transaction.run(...provingStatements(proofs)));
      const locked: Statement = { text: `${byIdSql} FOR UPDATE`, values: [id] };
      const answers = follows ? await this.following(transaction, locked) : await transaction.run(locked);
      const [[record] = []] = answers;
      const { writer, writes } = this.#newWrites();
      const result = change(writer, requireRow(movementIn(record), id), attempt + tries, proving);
      writes.write(transaction);
      return { result, writes };
    }, within);
  }
}

/** @throws {Failure} usage where there is no such movement */
function requireRow(row: MovementRow | undefined, id: string): MovementRow {
  if (row !== undefined) return row;
  throw noMovement(id);
}
