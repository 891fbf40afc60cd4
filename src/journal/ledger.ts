import type { Host } from "../host/host.ts";
import { hashRequest, sha256 } from "./canonical.ts";
import type { Database } from "../storage/database.ts";
import type { Order } from "./journal.ts";
import type { Evidence, Movement, MovementEvent, MovementKey, MovementState, Step, Who } from "./movement.ts";
import { isFinal, mayPass } from "./movement.ts";
import { abandonedNote, eventOf, movementOf, replacedBy } from "./movement-row.ts";
import { isGone, lateMarginMs } from "./owner.ts";
import type { MovementRow } from "./row.ts";
import { eventColumns, isStorable, movementColumns, openRow, sealRow } from "./row.ts";
import { Damage } from "../storage/trouble.ts";

/** What the history says of a step besides the states. */
export interface Words {
  readonly requestId?: string | undefined;
  readonly evidence?: Evidence | undefined;
  readonly note?: string | undefined;
}

type Changes = Partial<Omit<MovementRow, "number" | "id" | "key_hash" | "scope" | "kind" | "reference" | "state">>;

const movementNames = Object.keys(movementColumns);
const insertMovement = insertInto("movements", [...movementNames, "seal"]);
const identity = new Set(["number", "id", "key_hash", "scope", "kind", "reference"]);
const changing = [...movementNames.filter((name) => !identity.has(name)), "seal"];
const updateMovement = `UPDATE movements SET ${changing.map((name) => `${name} = :${name}`).join(", ")}
  WHERE number = :number AND claim = :held`;
const insertEvent = insertInto("events", [...Object.keys(eventColumns), "seal"]);

/** The rows of movements and of their history. Everything that writes is called inside of a transaction. */
export class Ledger {
  readonly #host: Host;
  readonly #database: Database;
  readonly #who: string;

  constructor(host: Host, database: Database, who: Who) {
    this.#host = host;
    this.#database = database;
    this.#who = JSON.stringify(who);
  }

  byId(id: string): MovementRow | undefined {
    return rowOf(this.#database.get("SELECT * FROM movements WHERE id = :id", { id }));
  }

  byKey({ scope, kind, reference }: MovementKey): MovementRow | undefined {
    const sql = "SELECT * FROM movements WHERE reference = :reference AND kind = :kind AND scope = :scope";
    return rowOf(this.#database.get(sql, { reference, kind, scope }));
  }

  byReference(reference: string): MovementRow[] {
    const rows = this.#database.all("SELECT * FROM movements WHERE reference = :reference ORDER BY number", {
      reference,
    });
    return rows.map((row) => openRow(movementColumns, row));
  }

  events(movement: number): MovementEvent[] {
    const rows = this.#database.all("SELECT * FROM events WHERE movement = :movement ORDER BY number", { movement });
    return rows.map((row) => eventOf(openRow(eventColumns, row)));
  }

  /** True when a process had the order in hand and is gone. */
  isAbandoned(row: MovementRow): boolean {
    if (row.state !== "prepared" && row.state !== "sending") return false;
    const { machine, clock } = this.#host;
    return isGone({ mark: row.owner, endsAt: row.claim_ends_at }, machine, clock.now());
  }

  show(row: MovementRow): Movement {
    return movementOf(row, this.isAbandoned(row));
  }

  /** A new order, in this process's hand. */
  enter(order: Order): MovementRow {
    const { scope, kind, reference } = order;
    const row: MovementRow = {
      number: this.#nextNumber("movements"),
      id: this.#newId(),
      key_hash: hashKey(order),
      scope,
      kind,
      reference,
      state: "prepared",
      request_ids: "[]",
      changed_at: this.#host.clock.now(),
      ...this.#attemptOf(order, 1),
    };
    const sealed = sealRow(movementColumns, row);
    this.#database.run(insertMovement, sealed);
    this.#record(sealed, null, "claim", "prepared", {}, null);
    return sealed;
  }

  /** An order that did not move anything, in this process's hand again. */
  enterAgain(row: MovementRow, order: Order): MovementRow {
    const attempt = Number.parseInt(row.claim, 10) + 1;
    return this.advance(row, "claim", "prepared", this.#attemptOf(order, attempt));
  }

  /** An order whose process ended is what it must be, on disk too. */
  giveUp(row: MovementRow): MovementRow {
    if (row.state === "prepared") return this.advance(row, "abandon", "unsent", {});
    return this.advance(row, "abandon", "unknown", { note: abandonedNote }, { note: abandonedNote });
  }

  /** Takes a movement one step further, and its history with it. */
  advance(row: MovementRow, step: Step, to: MovementState, changes: Changes, words: Words = {}): MovementRow {
    const { state: from } = movementOf(row, false);
    if (!mayPass(step, from, to)) throw new Error(`No movement goes from ${from} to ${to} by ${step}`);
    const now = this.#host.clock.now();
    const settledAt = isFinal(to) ? (row.settled_at ?? now) : null;
    const next = sealRow(movementColumns, { ...row, ...changes, state: to, changed_at: now, settled_at: settledAt });
    const bound = Object.entries(next).filter(([name]) => name === "number" || !identity.has(name));
    const changed = this.#database.run(updateMovement, { ...Object.fromEntries(bound), held: row.claim });
    if (changed !== 1) throw new Damage("an order changed under our hands");
    this.#record(next, row.state, step, to, words, replacedBy(row, next));
    return next;
  }

  /** Keeps what somebody claims of a movement that is known to be otherwise. */
  contradict(row: MovementRow, claimed: MovementState, words: Words): void {
    this.#record(row, row.state, "contradict", claimed, words, null);
  }

  /** When an attempt that is going on now is over at the latest. */
  endOf(deadlineMs: number): number {
    return this.#host.clock.now() + deadlineMs + lateMarginMs;
  }

  #attemptOf(order: Order, attempt: number) {
    if (![order.scope, order.reference, order.request].every((text) => isStorable(text))) {
      throw new Error("An order holds characters that cannot be put on record");
    }
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
    const event = {
      number: this.#nextNumber("events"),
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
    };
    this.#database.run(insertEvent, sealRow(eventColumns, event));
  }

  /** Rows are numbered without gaps, so that a missing one is noticed. */
  #nextNumber(table: "movements" | "events"): number {
    const last = this.#database.value(`SELECT max(number) FROM ${table}`);
    if (last !== null && typeof last !== "number") throw new Damage("its rows are not numbered");
    return (last ?? 0) + 1;
  }

  /** Random ids don't meet; those of a test, which are the same on every run, do. */
  #newId(): string {
    for (;;) {
      const id = this.#host.ids.uuid();
      if (this.#database.get("SELECT 1 FROM movements WHERE id = :id", { id }) === undefined) return id;
    }
  }
}

function rowOf(record: unknown): MovementRow | undefined {
  return record === undefined ? undefined : openRow(movementColumns, record);
}

function hashKey({ scope, kind, reference }: MovementKey): string {
  return sha256(JSON.stringify([scope, kind, reference]));
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;
}
