import type { Host } from "../host/host.ts";
import { hashRequest, sha256 } from "./requests/request-hash.ts";
import type { Order } from "./journal.ts";
import type { Evidence, Movement, MovementKey, MovementState, StatementProof, Step, Who } from "./movement.ts";
import { isFinal, mayPass } from "./movement.ts";
import { abandonedNote, attemptOf, keyRowOf, movementOf, replacedBy } from "./movement-row.ts";
import type { ArchiveFile } from "./archive/archive.ts";
import { tombstoneOf } from "./archive/tombstone.ts";
import { orderStandingOf } from "./lookups/order-keys.ts";
import type { LeaseTime } from "./lease.ts";
import { isOwnerGone, lateMarginMs, machineTime } from "./lease.ts";
import { namingEmptied, namingProofs } from "./history/proof-names.ts";
import type { RedactedOrder } from "./redaction/redacted-order.ts";
import type { MovementRow } from "./history/row.ts";
import { isStorable } from "./history/row.ts";
import type { TransactionWriter } from "./transaction-writer.ts";
import { spendingOf, takeBack } from "./spending.ts";

/** What history says about a step besides the states. */
export interface Words {
  readonly requestId?: string | undefined;
  readonly evidence?: Evidence | undefined;
  readonly note?: string | undefined;
  /** Rows of statements that the step keeps. */
  readonly proofs?: readonly StatementProof[] | undefined;
}

type Changes = Partial<Omit<MovementRow, "number" | "id" | "key_hash" | "scope" | "kind" | "reference" | "state">>;

/**
 * Enters movements and their history, in any kind of journal. Everything that writes is called inside a transaction.
 */
export class MovementWriter {
  readonly #host: Host;
  readonly #transaction: TransactionWriter;
  readonly #who: string;
  /** Claims that this process has given up. */
  readonly #givenUp: ReadonlySet<string>;
  readonly #leaseTime: LeaseTime;

  constructor(
    host: Host,
    transaction: TransactionWriter,
    who: Who,
    givenUp: ReadonlySet<string> = new Set(),
    leaseTime = machineTime(host.clock),
  ) {
    this.#host = host;
    this.#transaction = transaction;
    this.#who = JSON.stringify(who);
    this.#givenUp = givenUp;
    this.#leaseTime = leaseTime;
  }

  /** True when a process was working on the order and is gone, or has released it. */
  isAbandoned(row: MovementRow): boolean {
    if (row.state !== "prepared" && row.state !== "sending") return false;
    if (this.#givenUp.has(row.claim)) return true;
    const owner = { mark: row.owner, endsAt: row.claim_ends_at };
    return isOwnerGone(owner, this.#host.machine, this.#leaseTime.earliest());
  }

  show(row: MovementRow): Movement {
    return movementOf(row, this.isAbandoned(row));
  }

  /** Enters a new order, claimed by this process. */
  enter(order: Order): MovementRow {
    const { scope, kind, reference } = order;
    const row = this.#transaction.addMovement({
      id: this.#newId(),
      key_hash: hashKey(order),
      scope,
      kind,
      reference,
      state: "prepared",
      request_ids: "[]",
      changed_at: this.#host.clock.now(),
      ...this.#attemptOf(order, 1),
    });
    this.#record(row, null, "claim", "prepared", { note: order.note }, null);
    this.#spend(undefined, row);
    return row;
  }

  /** Claims an order that moved nothing once more, for this process. */
  enterAgain(row: MovementRow, order: Order): MovementRow {
    const attempt = attemptOf(row.claim) + 1;
    const next = this.advance(row, "claim", "prepared", this.#attemptOf(order, attempt), { note: order.note });
    this.#transaction.changeKeys(next.number, keyRowOf(next));
    return next;
  }

  /** Records what an order whose process ended must be: `unsent` or `unknown`. */
  giveUp(row: MovementRow): MovementRow {
    if (row.state === "prepared") return this.advance(row, "abandon", "unsent", {});
    return this.advance(row, "abandon", "unknown", { note: abandonedNote }, { note: abandonedNote });
  }

  /** Takes a movement one step further, and records that in its history. */
  advance(row: MovementRow, step: Step, to: MovementState, changes: Changes, words: Words = {}): MovementRow {
    const { state: from } = movementOf(row, false);
    if (!mayPass(step, from, to)) throw new Error(`No movement goes from ${from} to ${to} by ${step}`);
    const now = this.#host.clock.now();
    const settledAt = isFinal(to) ? (row.settled_at ?? now) : null;
    const changed = { ...row, ...changes, state: to, changed_at: now, settled_at: settledAt };
    const next = this.#transaction.changeMovement(changed, row.claim);
    if (orderStandingOf(to) !== orderStandingOf(from))
      this.#transaction.changeStanding(row.number, orderStandingOf(to));
    const { proofs = [] } = words;
    this.#transaction.addProofs(row.number, proofs);
    this.#record(next, row.state, step, to, words, namingProofs(replacedBy(row, next), proofs));
    this.#spend(row, next);
    return next;
  }

  /** Has history name rows of statements that prove an order and were kept by an earlier version. */
  nameProofs(row: MovementRow, proofs: readonly StatementProof[]): void {
    const { state } = movementOf(row, false);
    this.#record(row, state, "prove", state, {}, namingProofs(null, proofs));
  }

  /**
   * Reduces an order whose answer and history are in an archive; its reference stays used, and known.
   * @param digest of its lines that are there
   * @param proofs keys of the rows that prove it, which are in the archive, too
   */
  archive(row: MovementRow, { name, head }: ArchiveFile, digest: string, proofs: readonly string[]): MovementRow {
    const next = this.#transaction.changeMovement(tombstoneOf(row), row.claim);
    const said = namingEmptied(JSON.stringify({ file: name, head, digest }), proofs);
    this.#record(next, row.state, "archive", movementOf(row, false).state, {}, said);
    return next;
  }

  /** Records a claim that contradicts what is known about a movement. */
  contradict(row: MovementRow, claimed: MovementState, words: Words): void {
    this.#record(row, row.state, "contradict", claimed, words, null);
  }

  /** Replaces an order by its redacted form, and records that in its history. */
  redact({ row, events, proofs, replaced }: RedactedOrder): void {
    this.#transaction.redact({ row, events, proofs });
    const state = movementOf(row, false).state;
    this.#record(row, state, "redact", state, {}, replaced);
  }

  /** When an attempt that goes on now is over at the latest, in milliseconds since 1970. */
  endOf(deadlineMs: number): number {
    return this.#leaseTime.latest() + deadlineMs + lateMarginMs;
  }

  /**
   * Changes what left on a day when an order begins or ceases to count, or is ordered again on another day or with
   * another request.
   */
  #spend(before: MovementRow | undefined, after: MovementRow): void {
    const [was, is] = [before && spendingOf(movementOf(before, false)), spendingOf(movementOf(after, false))];
    const isSame = before?.request === after.request && before.opened_at === after.opened_at;
    if (isSame && (was === undefined) === (is === undefined)) return;
    if (was !== undefined) this.#transaction.addSpending(takeBack(was));
    if (is !== undefined) this.#transaction.addSpending(is);
  }

  #attemptOf(order: Order, attempt: number) {
    refuseUnstorable(order);
    return {
      profile: order.profile ?? null,
      request: order.request,
      request_hash: hashRequest(order.request, order.volatile),
      response: null,
      evidence: null,
      note: null,
      transaction_id: null,
      opened_at: this.#host.clock.now(),
      settled_at: null,
      who: this.#who,
      batch: order.batch?.id ?? null,
      batch_row: order.batch?.row ?? null,
      claim: `${attempt}.${Buffer.from(this.#host.ids.bytes(16)).toString("hex")}`,
      owner: this.#host.machine.processMark(),
      claim_ends_at: this.endOf(order.deadlineMs),
    };
  }

  #record(
    row: MovementRow,
    from: string | null,
    step: Step,
    to: MovementState,
    words: Words,
    replaced: string | null,
  ): void {
    this.#transaction.addEvent({
      movement: row.number,
      at: this.#host.clock.now(),
      step,
      from_state: from,
      to_state: to,
      request_id: words.requestId ?? null,
      evidence: words.evidence ?? null,
      note: words.note ?? null,
      replaced,
      who: this.#who,
    });
  }

  /** Random ids don't collide; those of a test, which are the same on every run, do. */
  #newId(): string {
    for (;;) {
      const id = this.#host.ids.uuid();
      if (this.#transaction.isFree(id)) return id;
    }
  }
}

/** @throws {Error} for an order whose texts can't be stored unchanged */
export function refuseUnstorable({ scope, reference, request }: Order): void {
  if ([scope, reference, request].every((text) => isStorable(text))) return;
  throw new Error("An order holds characters that cannot be put on record");
}

/** A second key of an order: its own index still finds the order where damage hides it in the other. */
export function hashKey({ scope, kind, reference }: MovementKey): string {
  return sha256(JSON.stringify([scope, kind, reference]));
}

/** Who runs this program now. */
export function whoOf({ machine }: Host, version: string): Who {
  return { user: machine.userName, host: machine.hostName, version };
}
