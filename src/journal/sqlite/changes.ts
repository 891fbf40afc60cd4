import type { Database } from "../../storage/sqlite/database.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import type {
  Claim,
  OutcomeDecision,
  Entered,
  LeftOutcome,
  Order,
  Resolution,
  SeenOrder,
  Settlement,
} from "../journal.ts";
import { issue } from "../issued.ts";
import { ClaimLost, OutcomeUnrecorded, ProofTaken } from "../claim-errors.ts";
import type { MovementWriter } from "../movement-writer.ts";
import type { Movement } from "../movement.ts";
import type { Settled } from "../transitions.ts";
import { enterOutcome, resolveOrder, sendOrder, settleOrder } from "../transitions.ts";
import type { Registration } from "../age/registration.ts";
import type { SeenCover } from "../redaction/redacting.ts";
import type { OrderLines, RedactionTools } from "../redaction/redacted-order.ts";
import { redactOrder } from "../redaction/redacted-order.ts";
import type { MovementRow } from "../history/row.ts";
import { archiveIn } from "./archiving.ts";
import type { SqliteRows } from "./rows.ts";
import { endOf, sealAt } from "./journal-view.ts";
import { noMovement } from "../failures.ts";

/**
 * How long others may keep the journal busy before an outcome is kept elsewhere and tried again: longer than a reader
 * of ours does.
 */
const outcomePatienceMs = 1_000;

/** Writes changes of movements in SQLite, and updates the journal's mark. */
export class SqliteChanges {
  readonly #database: Database;
  readonly #rows: SqliteRows;
  readonly #writer: MovementWriter;
  readonly #registration: Registration;

  constructor(database: Database, rows: SqliteRows, writer: MovementWriter, registration: Registration) {
    this.#database = database;
    this.#rows = rows;
    this.#writer = writer;
    this.#registration = registration;
  }

  /** The right to send an order that was just recorded. */
  claim(row: MovementRow, { deadlineMs }: Order): Claim {
    const { id, claim: token } = row;
    return issue({
      movement: this.#writer.show(row),
      token,
      // A connection that fails is to stay `unsent`, so there is nothing to write yet.
      beforeDialling: () => Promise.resolve(),
      beforeFirstByte: (requestId: string) => {
        const end = this.#database.commitNow(() => {
          this.follow();
          sendOrder(this.#writer, this.require(id), token, { requestId, deadlineMs });
          return endOf(this.#database);
        });
        this.#registration.keep(end);
      },
      settle: (settlement: Settlement) => this.#settle(id, token, settlement),
    });
  }

  /** Records an outcome that another process left behind. */
  async enter(left: LeftOutcome): Promise<Entered> {
    const entered = await this.#database.commit((): Entered => {
      const row = this.#rows.byId(left.movement);
      if (row === undefined) return { outcome: "no movement", movement: undefined };
      return enterOutcome(this.#writer, row, left, this.#rows.lookups.proving(left.settlement.proofs));
    }, outcomePatienceMs);
    this.#note();
    return entered;
  }

  async archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number> {
    const count = await this.#database.commit(() => {
      this.follow();
      return archiveIn(this.#database, this.#rows, this.#writer, orders, file);
    });
    this.#note();
    return count;
  }

  async resolve({ id, attempt }: SeenOrder, decision: OutcomeDecision): Promise<Resolution> {
    const resolution = await this.#database.commit(
      () =>
        resolveOrder(
          this.#writer,
          this.require(id),
          { attempt, decision },
          this.#rows.lookups.proving(decision.proofs),
        ),
      // A callback comes once, and is kept elsewhere too.
      decision.evidence === "callback" ? outcomePatienceMs : undefined,
    );
    this.#note();
    return resolution;
  }

  async redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number> {
    // Has deleted content overwritten, not just freed.
    this.#database.execute("PRAGMA secure_delete = ON");
    const count = await this.#database.commit(() => {
      this.follow();
      const redacted = orders.flatMap((order) => {
        const stored = this.#rows.stored(order.id);
        return (stored && redactOrder(stored, order, tools)) ?? [];
      });
      for (const order of redacted) this.#writer.redact(order);
      if (tools.isLast) this.#rows.forgetLikes(tools.likesBefore);
      return redacted.length;
    });
    if (tools.isLast) this.#database.execute("VACUUM");
    this.#note();
    return count;
  }

  redactSeen(without: SeenCover): Promise<number> {
    this.#database.execute("PRAGMA secure_delete = ON");
    return this.#database.commit(() => {
      this.follow();
      return this.#rows.redactSeen(without, false);
    });
  }

  /**
   * Checks that the journal was not replaced by an earlier copy meanwhile.
   * @throws {Failure} setup
   */
  follow(): void {
    const { last } = this.#registration;
    this.#registration.follow(last, sealAt(this.#database, last.number));
  }

  /** @throws {Failure} for an id that the journal does not know */
  require(id: string): MovementRow {
    const row = this.#rows.byId(id);
    if (row !== undefined) return row;
    throw noMovement(id);
  }

  async #settle(id: string, token: string, settlement: Settlement): Promise<Movement> {
    const { proofs } = settlement;
    let settled: Settled;
    try {
      settled = await this.#database.commit(
        () => settleOrder(this.#writer, this.require(id), token, settlement, this.#rows.lookups.proving(proofs)),
        outcomePatienceMs,
      );
    } catch (error) {
      if (error instanceof ProofTaken) throw error;
      throw new OutcomeUnrecorded(settlement, error);
    }
    this.#note();
    if (settled.isLost) throw new ClaimLost(settled.movement);
    return settled.movement;
  }

  /** Updates the mark after steps that nothing depends on, too, so that it says how far the journal has got. */
  #note(): void {
    try {
      this.#registration.note(endOf(this.#database));
    } catch {
      // The record is there already.
    }
  }
}
