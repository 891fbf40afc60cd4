import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";
import type { Database } from "../storage/database.ts";
import type { Claim, Decision, Journal, MovementFilter, Opening, Order, Resolution, Settlement } from "./journal.ts";
import { ClaimLost, OutcomeUnrecorded } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import { readPage } from "./listing.ts";
import type { Movement, MovementEvent, MovementKey } from "./movement.ts";
import { mayPass, strongerEvidence } from "./movement.ts";
import { movementOf } from "./movement-row.ts";
import { hashRequest } from "./canonical.ts";
import type { MovementRow } from "./row.ts";
import { verifyJournal } from "./verify.ts";

/** A journal in a SQLite database on this machine's own disk. */
export class SqliteJournal implements Journal {
  readonly id: string;
  readonly #database: Database;
  readonly #ledger: Ledger;
  readonly #copyTo: (path: string) => Promise<void>;

  constructor(id: string, database: Database, ledger: Ledger, copyTo: (path: string) => Promise<void>) {
    this.id = id;
    this.#database = database;
    this.#ledger = ledger;
    this.#copyTo = copyTo;
  }

  open(order: Order): Promise<Opening> {
    return this.#database.commit(() => this.#open(order));
  }

  async read(id: string): Promise<Movement | undefined> {
    return this.#see(() => this.#ledger.byId(id));
  }

  async find(key: MovementKey): Promise<Movement | undefined> {
    return this.#see(() => this.#ledger.byKey(key));
  }

  async search(word: string, scope?: string): Promise<Movement[]> {
    const found = this.#database.attempt(() => {
      const row = this.#ledger.byId(word);
      return (row === undefined ? this.#ledger.byReference(word) : [row]).map((row) => this.#ledger.show(row));
    });
    return scope === undefined ? found : found.filter((movement) => movement.scope === scope);
  }

  async *list(filter: MovementFilter = {}): AsyncGenerator<Movement> {
    yield* this.#listed(filter);
  }

  *#listed(filter: MovementFilter): Generator<Movement> {
    const { states, limit = Infinity } = filter;
    let after: number | undefined;
    let count = 0;
    for (;;) {
      const { rows, isLast } = this.#database.attempt(() => readPage(this.#database, filter, after));
      for (const row of rows) {
        const movement = this.#database.attempt(() => this.#ledger.show(row));
        if (states?.includes(movement.state) === false) continue;
        if (count >= limit) return;
        count += 1;
        yield movement;
      }
      after = rows.at(-1)?.number;
      if (isLast) return;
    }
  }

  async events(id: string): Promise<MovementEvent[]> {
    return this.#database.attempt(() => this.#ledger.events(this.#require(id).number));
  }

  resolve(id: string, decision: Decision): Promise<Resolution> {
    return this.#database.commit(() => this.#resolve(this.#require(id), decision));
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
    const row = this.#ledger.byKey(order);
    const lookAtOthers = () => order.guard?.check(this.#listed(order.guard.looksAt));
    if (row === undefined) {
      lookAtOthers();
      return this.#claimed(this.#ledger.enter(order), order, undefined);
    }
    const before = this.#ledger.show(row);
    const abandoned = this.#ledger.isAbandoned(row);
    if (before.state !== "prepared" && mayPass("claim", before.state, "prepared")) {
      lookAtOthers();
      return this.#claimed(this.#ledger.enterAgain(row, order), order, before);
    }
    if (abandoned) this.#ledger.giveUp(row);
    return { outcome: "exists", movement: before, isSameRequest: isSame(before, order) };
  }

  #claimed(row: MovementRow, order: Order, again: Movement | undefined): Opening {
    const { id, claim: token } = row;
    const claim: Claim = {
      movement: this.#ledger.show(row),
      // A connection that fails is to stay `unsent`, so there is nothing to write yet.
      beforeDialling: () => Promise.resolve(),
      beforeFirstByte: (requestId) =>
        this.#database.commitNow(() => this.#send(id, token, requestId, order.deadlineMs)),
      settle: (settlement) => this.#settleSafely(id, token, settlement),
    };
    return { outcome: "claimed", claim, again };
  }

  #send(id: string, token: string, requestId: string, deadlineMs: number): void {
    const row = this.#require(id);
    const movement = this.#ledger.show(row);
    if (row.claim !== token || row.state !== "prepared") throw new ClaimLost(movement);
    const changes = {
      request_ids: JSON.stringify([...movement.requestIds, requestId]),
      claim_ends_at: this.#ledger.endOf(deadlineMs),
    };
    this.#ledger.advance(row, "send", "sending", changes, { requestId });
  }

  async #settleSafely(id: string, token: string, settlement: Settlement): Promise<Movement> {
    let settled: { readonly movement: Movement; readonly isLost: boolean };
    try {
      settled = await this.#database.commit(() => this.#settle(id, token, settlement));
    } catch (error) {
      throw new OutcomeUnrecorded(settlement, error);
    }
    if (settled.isLost) throw new ClaimLost(settled.movement);
    return settled.movement;
  }

  #settle(id: string, token: string, settlement: Settlement): { movement: Movement; isLost: boolean } {
    const { state, response, note, transactionId } = settlement;
    const evidence = settlement.evidence ?? (response === undefined ? undefined : "answer");
    const row = this.#require(id);
    const before = this.#ledger.show(row);
    const words = { requestId: before.requestIds.at(-1), evidence, note };
    if (row.claim !== token || !mayPass("settle", movementOf(row, false).state, state)) {
      // That nothing was sent is no news to whoever took the order over.
      if (state !== "unsent") this.#ledger.contradict(row, state, words);
      return { movement: before, isLost: true };
    }
    const changes = {
      response: response ?? row.response,
      evidence: row.state === state ? strongerEvidence(before.evidence, evidence ?? null) : (evidence ?? null),
      note: note ?? (row.state === state ? row.note : null),
      transaction_id: transactionId ?? row.transaction_id,
    };
    return { movement: this.#ledger.show(this.#ledger.advance(row, "settle", state, changes, words)), isLost: false };
  }

  #resolve(row: MovementRow, decision: Decision): Resolution {
    const found = this.#ledger.isAbandoned(row) ? this.#ledger.giveUp(row) : row;
    const movement = this.#ledger.show(found);
    const { state } = decision;
    const words = { evidence: decision.evidence, note: decision.note };
    if (movement.state === "prepared" || movement.state === "sending") return { outcome: "in flight", movement };
    const isConfirmed = movement.state === state;
    const step = movement.evidence === "person" && !isConfirmed ? "overrule" : "resolve";
    if (!mayPass(step, movement.state, state)) {
      this.#ledger.contradict(found, state, words);
      return { outcome: "contradicted", movement };
    }
    const changes = {
      evidence: isConfirmed ? strongerEvidence(movement.evidence, decision.evidence) : decision.evidence,
      note: decision.note ?? (isConfirmed ? movement.note : null),
      transaction_id: decision.transactionId ?? movement.transactionId,
    };
    const next = this.#ledger.show(this.#ledger.advance(found, step, state, changes, words));
    return { outcome: isConfirmed ? "confirmed" : "resolved", movement: next };
  }

  #see(find: () => MovementRow | undefined): Movement | undefined {
    return this.#database.attempt(() => {
      const row = find();
      return row === undefined ? undefined : this.#ledger.show(row);
    });
  }

  #require(id: string): MovementRow {
    const row = this.#ledger.byId(id);
    if (row !== undefined) return row;
    throw new Failure("usage", `The journal has no movement ${quote(id)}.`, {
      hint: "See what it has: partner journal list",
    });
  }
}

/** The same to the last field, or the same but for what was filled in both times. */
function isSame(movement: Movement, order: Order): boolean {
  if (movement.requestHash === hashRequest(order.request, order.volatile)) return true;
  return hashRequest(movement.request) === hashRequest(order.request);
}
