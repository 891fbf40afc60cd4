import type { Movement, MovementEvent, Who } from "./movement.ts";
import { evidences, movementKinds, movementStates, steps } from "./movement.ts";
import type { OrderKeys, OrderStanding } from "./lookups/order-keys.ts";
import { keysOf, orderStandingOf } from "./lookups/order-keys.ts";
import type { ArchivedEvent, EventRow, MovementRow } from "./history/row.ts";
import { isArchivedEvent } from "./history/row.ts";
import { DamageError } from "../storage/failures.ts";

/** The note of an order whose process ended before it sent anything. */
const neverSentNote = "Its process ended before anything was sent.";
/** The note of an order whose process ended before the outcome was recorded. */
export const abandonedNote =
  "Its process ended after the request had begun to leave and before an outcome was recorded.";

const unknownWriter: Who = { user: "", host: "", version: "" };

/**
 * A movement as its row says, or as it must be when its process is gone: that needs no write, so it is visible on a
 * full or read-only disk, too.
 */
export function movementOf(row: MovementRow, isAbandoned: boolean): Movement {
  const movement: Movement = {
    id: row.id,
    scope: row.scope,
    kind: oneOf(movementKinds, row.kind),
    reference: row.reference,
    state: oneOf(movementStates, row.state),
    profile: row.profile,
    request: row.request,
    requestHash: row.request_hash,
    response: row.response,
    evidence: row.evidence === null ? null : oneOf(evidences, row.evidence),
    note: row.note,
    requestIds: textsOf(row.request_ids),
    transactionId: row.transaction_id,
    attempt: attemptOf(row.claim),
    openedAt: row.opened_at,
    changedAt: row.changed_at,
    settledAt: row.settled_at,
    who: whoOf(row.who),
    batch: row.batch === null || row.batch_row === null ? null : { id: row.batch, row: row.batch_row },
  };
  if (!isAbandoned) return movement;
  if (movement.state === "sending") return { ...movement, state: "unknown", note: abandonedNote };
  if (movement.state === "prepared") return { ...movement, state: "unsent", note: neverSentNote };
  return movement;
}

/** The attempt that a claim's token belongs to. */
export function attemptOf(claim: string): number {
  return Number.parseInt(claim, 10);
}

/** A line of history; what is left of an archived one says nothing but its time, step and states. */
export function eventOf(row: EventRow | ArchivedEvent): MovementEvent {
  const said = isArchivedEvent(row) ? undefined : row;
  const evidence = said?.evidence ?? null;
  return {
    at: row.at,
    step: oneOf(steps, row.step),
    from: row.from_state === null ? null : oneOf(movementStates, row.from_state),
    to: oneOf(movementStates, row.to_state),
    requestId: said?.request_id ?? null,
    evidence: evidence === null ? null : oneOf(evidences, evidence),
    note: said?.note ?? null,
    replaced: said?.replaced ?? null,
    who: said === undefined ? unknownWriter : whoOf(said.who),
  };
}

/** Columns whose former value a step may replace: the history keeps it. */
const keptColumns = [
  "profile",
  "request",
  "request_hash",
  "response",
  "evidence",
  "note",
  "transaction_id",
  "opened_at",
  "settled_at",
  "who",
  "batch",
  "batch_row",
] as const satisfies readonly (keyof MovementRow)[];

/** What was in a row and no longer is, as JSON text; null where nothing was lost. */
export function replacedBy(before: MovementRow, after: MovementRow): string | null {
  const lost = keptColumns.filter((name) => before[name] !== null && before[name] !== after[name]);
  return lost.length === 0 ? null : JSON.stringify(Object.fromEntries(lost.map((name) => [name, before[name]])));
}

function oneOf<const T extends string>(words: readonly T[], text: string): T {
  const word = words.find((known) => known === text);
  if (word === undefined) throw new DamageError("a row says a word that none of them says");
  return word;
}

function textsOf(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
}

function whoOf(json: string): Who {
  const value: unknown = JSON.parse(json);
  const word = (name: keyof Who) => String(typeof value === "object" && value !== null && Reflect.get(value, name));
  return { user: word("user"), host: word("host"), version: word("version") };
}

/** Lookup keys of a movement, by which possible repeats are found. */
export interface KeyRow extends OrderKeys {
  readonly standing: OrderStanding;
  /** The id of its batch; empty outside of batches. */
  readonly batch: string;
}

export function keyRowOf(row: MovementRow): KeyRow {
  const { scope, kind, reference, state, request } = movementOf(row, false);
  return { ...keysOf({ scope, kind, reference }, request), standing: orderStandingOf(state), batch: row.batch ?? "" };
}

/** How many orders are listed when several ids have the same beginning. */
export const foundMaxRows = 10;
const inIds = /^[0-9a-f-]+$/;

/** A text that sorts after all ids with that beginning; undefined where no id can have it. */
export function endOfIds(start: string): string | undefined {
  return inIds.test(start) ? `${start}~` : undefined;
}
