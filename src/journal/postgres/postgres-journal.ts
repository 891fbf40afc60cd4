import { orderedWallet } from "../requests/movement-request.ts";
import type { Host } from "../../host/host.ts";
import type { SharedDatabase } from "../../storage/postgres/database.ts";
import type { Day } from "../../values/time/day.ts";
import { Failure } from "../../values/failure.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import type { HistoryLine, HistoryPlace, RowCounts } from "../history/history.ts";
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
import { MovementWriter, refuseUnstorable } from "../movement-writer.ts";
import type { Movement, MovementEvent, MovementKey, Who } from "../movement.ts";
import { enterOutcome, resolveOrder } from "../transitions.ts";
import type { BatchStanding, SeenCover } from "../redaction/redacting.ts";
import type { OrderLines, RedactionTools } from "../redaction/redacted-order.ts";
import { redactSeen } from "./redaction.ts";
import type { Change, ChangeOptions } from "./changes.ts";
import { SharedChanges } from "./changes.ts";
import { sharedClaim } from "./claim.ts";
import { addAccountsStatement, addSeenStatement, isSeenStorable } from "./lookups.ts";
import { lookAtGuards } from "./guards/look.ts";
import { SharedOpening } from "./orders/opening.ts";
import { SharedReading } from "./reading.ts";
import { PostgresTransaction } from "./rows.ts";
import type { CurrencySums } from "../spending.ts";
import { verifyShared } from "./verify/verify.ts";
import { isNoMovement } from "../failures.ts";
import type { LeaseTime } from "../lease.ts";
import { noBackup } from "./failures.ts";
import type { Registration } from "../age/registration.ts";

/** How long to wait for a server that went away, to enter an outcome that is kept elsewhere. */
const enteringPatienceMs = 1_000;

export interface SharedParts {
  readonly id: string;
  readonly host: Host;
  readonly database: SharedDatabase;
  readonly who: Who;
  readonly registration: Registration;
  readonly leaseTime: LeaseTime;
}

/** A journal in a PostgreSQL database, which several hosts share. */
export class SharedJournal implements Journal {
  readonly id: string;
  readonly #host: Host;
  readonly #database: SharedDatabase;
  readonly #who: Who;
  readonly #leaseTime: LeaseTime;
  /** Shows rows and writes nothing. */
  readonly #reader: MovementWriter;
  readonly #reading: SharedReading;
  /** Claims whose connection was lost: they may be on record, but are never used for sending. */
  readonly #givenUp = new Set<string>();
  readonly #registration: Registration;
  readonly #changes: SharedChanges;
  readonly #opening: SharedOpening;

  constructor({ id, host, database, who, registration, leaseTime }: SharedParts) {
    this.id = id;
    this.#registration = registration;
    this.#host = host;
    this.#database = database;
    this.#who = who;
    this.#leaseTime = leaseTime;
    this.#reader = this.#writerTo(new PostgresTransaction());
    this.#reading = new SharedReading(database, this.#reader);
    const newWrites = () => this.#newWrites();
    this.#changes = new SharedChanges(database, registration, newWrites);
    this.#opening = new SharedOpening({
      database,
      changes: this.#changes,
      reading: this.#reading,
      reader: this.#reader,
      newWrites,
      giveUp: (claim) => void this.#givenUp.add(claim),
    });
  }

  get refusal(): Failure | undefined {
    return this.#registration.refusal;
  }

  async unsure(): ReturnType<Journal["unsure"]> {
    return this.#registration.unsure;
  }

  async open(order: Order): Promise<Opening> {
    refuseUnstorable(order);
    await this.#registration.admit(order.scope, orderedWallet(order));
    const { opened, written } = await this.#opening.open(order);
    if (opened.outcome === "exists") return opened;
    const { row, again } = opened;
    const movement = this.#reader.show(row);
    const ordered = { id: row.id, written };
    const changing = <T>(change: Change<T>, options?: ChangeOptions) => this.#changes.change(ordered, change, options);
    const sending = (change: Change<void>, within: number) => this.#changes.send(ordered, change, within);
    const giveUp = () => void this.#givenUp.add(row.claim);
    const own = { clock: this.#host.clock, token: row.claim, deadlineMs: order.deadlineMs };
    return { outcome: "claimed", claim: sharedClaim({ ...own, movement, changing, sending, giveUp }), again };
  }

  read(id: string): Promise<Movement | undefined> {
    return this.#reading.read(id);
  }

  find(key: MovementKey): Promise<Movement | undefined> {
    return this.#reading.find(key);
  }

  findAll(scope: string, keys: readonly Omit<MovementKey, "scope">[]): Promise<Movement[]> {
    return this.#reading.findAll(scope, keys);
  }

  search(word: string, scope?: string): Promise<Movement[]> {
    return this.#reading.search(word, scope);
  }

  beginningWith(start: string): Promise<Movement[]> {
    return this.#reading.beginningWith(start);
  }

  knownAs(scope: string, words: readonly string[]): Promise<Movement[]> {
    return this.#reading.knownAs(scope, words);
  }

  likes(key: MovementKey, request: string, since: number): Promise<Movement[]> {
    return this.#reading.likes(key, request, since);
  }

  trail(): Promise<undefined> {
    return this.#reading.trail();
  }

  provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#reading.provedBy(keys);
  }

  proofsOf(id: string): Promise<readonly string[]> {
    return this.#reading.proofsOf(id);
  }

  lookAround(key: MovementKey & Pick<Order, "batch">, request: string): Promise<Around> {
    return this.#reading.lookAround(key, request);
  }

  lookAroundAll(scope: string, orders: readonly AskedOrder[], batch?: string): Promise<readonly Around[]> {
    return this.#reading.lookAroundAll(scope, orders, batch);
  }

  spent(scope: string, day: Day): Promise<CurrencySums> {
    return this.#reading.spent(scope, day);
  }

  accounts(): Promise<readonly string[]> {
    return this.#reading.accounts();
  }

  list(filter?: MovementFilter): AsyncIterable<Movement> {
    return this.#reading.list(filter);
  }

  events(id: string): Promise<MovementEvent[]> {
    return this.#reading.events(id);
  }

  eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, MovementEvent[]>> {
    return this.#reading.eventsOf(ids);
  }

  history(after?: HistoryPlace): AsyncIterable<HistoryLine> {
    return this.#reading.history(after);
  }

  archivable(before: number): AsyncIterable<Movement> {
    return this.#reading.archivable(before);
  }

  archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number> {
    return this.#changes.archive(orders, file);
  }

  hasArchived(): Promise<boolean> {
    return this.#reading.hasArchived();
  }

  keepSeen(rows: readonly SeenRow[]): Promise<number> {
    const kept = rows.filter((row) => isSeenStorable(row));
    return this.#database.write(async (transaction) => {
      const names = addAccountsStatement(kept.map(({ scope }) => scope));
      const answers = await transaction.run(names, ...kept.map((row) => addSeenStatement(row)));
      return answers.flat().length;
    });
  }

  keepNames(scopes: readonly string[]): Promise<void> {
    return this.#database.write(async (transaction) => void (await transaction.run(addAccountsStatement(scopes))));
  }

  claimOf(id: string): Promise<string | undefined> {
    return this.#reading.claimOf(id);
  }

  enter(left: LeftOutcome): Promise<Entered> {
    const { movement, settlement } = left;
    const entering = this.#changes.change(
      { id: movement },
      (writer, row, _, proving) => enterOutcome(writer, row, left, proving),
      { within: enteringPatienceMs, proofs: settlement.proofs },
    );
    return entering.catch((error: unknown) => {
      if (!isNoMovement(error)) throw error;
      return { outcome: "no movement", movement: undefined };
    });
  }

  resolve({ id, attempt }: SeenOrder, decision: OutcomeDecision): Promise<Resolution> {
    const put = { attempt, decision };
    return this.#changes.change({ id }, (writer, row, _, proving) => resolveOrder(writer, row, put, proving), {
      proofs: decision.proofs,
    });
  }

  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number> {
    return this.#changes.redact(orders, tools);
  }

  redactSeen(without: SeenCover, isLook: boolean): Promise<number> {
    return redactSeen(this.#database, without, isLook);
  }

  submitted(before: number): Promise<ReadonlyMap<string, BatchStanding>> {
    return this.#reading.submitted(before);
  }

  redactBatch(batch: OrderLines, tools: RedactionTools): Promise<boolean> {
    return this.#changes.redactBatch(batch, tools, this.#who);
  }

  tally(): ReturnType<Journal["tally"]> {
    return this.#reading.tally();
  }

  async verify(newest: number | RowCounts = Infinity): Promise<RowCounts> {
    try {
      return await verifyShared(this.#database, newest);
    } catch (error) {
      throw this.#database.explain(error);
    }
  }

  guards(): Promise<readonly string[]> {
    return lookAtGuards(this.#database);
  }

  /** @throws {Failure} usage: the server has its own way to do that */
  backup(): Promise<void> {
    throw noBackup();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #newWrites(): { readonly writer: MovementWriter; readonly writes: PostgresTransaction } {
    const writes = new PostgresTransaction();
    return { writes, writer: this.#writerTo(writes) };
  }

  #writerTo(writes: PostgresTransaction): MovementWriter {
    return new MovementWriter(this.#host, writes, this.#who, this.#givenUp, this.#leaseTime);
  }
}
