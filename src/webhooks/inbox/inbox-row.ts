import { DamageError } from "../../storage/failures.ts";
import type { Arrival, Kept, KeptState, RejectedWebhook } from "./inbox.ts";
import { keptStates } from "./inbox.ts";
import { nameOf, restored, storable, storableOrNull } from "./stored-text.ts";

/** The columns of either table that `keptOf` reads. */
export const eventColumns =
  "number, id, state, received_at, request_id, timestamp, body, attempts, due_at, wanted_at, tries, problem";
export const forgedColumns =
  "number, id, 'forged' AS state, received_at, request_id, NULL AS timestamp, body, 0 AS attempts, NULL AS due_at, NULL AS wanted_at, 0 AS tries, problem";

/** The values of a new event, in the order of `INSERT`. */
export type NewRow = readonly [
  id: string,
  state: "new" | "quarantined",
  receivedAt: number,
  requestId: string | null,
  timestamp: string | null,
  body: Uint8Array,
  dueAt: number | null,
  problem: string | null,
];

/** The values of an event that arrived. */
export function arrivalRow({ id, receivedAt, requestId, timestamp, body, dueAt, problem }: Arrival): NewRow {
  const [kept, sender] = [storable(id), storableOrNull(requestId)];
  if (problem === undefined) return [kept, "new", receivedAt, sender, timestamp, body, dueAt, null];
  return [kept, "quarantined", receivedAt, sender, timestamp, body, null, problem];
}

/** The values of a signed body that can't be read as an event. */
export function quarantinedRow({ body, receivedAt, timestamp, problem, requestId }: RejectedWebhook): NewRow {
  const id = nameOf("quarantined", body);
  return [id, "quarantined", receivedAt, storableOrNull(requestId), timestamp, body, null, problem];
}

/**
 * Decodes a page of events after the one with that number. Where pages of two databases are mixed, as by the log of
 * another one, a search of them could go in circles.
 * @throws {DamageError} where a row isn't valid, or not in its order
 */
export function eventPage(records: readonly unknown[], after: number): readonly Kept[] {
  let last = after;
  return records.map((record) => {
    const kept = keptOf(record);
    if (kept.number <= last) throw new DamageError("its events are not in their order");
    last = kept.number;
    return kept;
  });
}

/**
 * Decodes a row of either table.
 * @throws {DamageError} where it isn't a valid row
 */
export function keptOf(record: unknown): Kept {
  if (typeof record !== "object" || record === null) throw new DamageError("a row is missing");
  const read = (name: string): unknown => Reflect.get(record, name);
  const body = read("body");
  const state = read("state");
  if (!(body instanceof Uint8Array) || !isState(state)) throw new DamageError("a row holds what cannot be in it");
  return {
    number: integer(read("number")),
    id: restored(text(read("id"))),
    state,
    receivedAt: integer(read("received_at")),
    requestId: orNull(read("request_id"), (value) => restored(text(value))),
    timestamp: orNull(read("timestamp"), text),
    body,
    attempts: integer(read("attempts")),
    dueAt: orNull(read("due_at"), integer),
    wantedAt: orNull(read("wanted_at"), integer),
    tries: integer(read("tries")),
    problem: orNull(read("problem"), text),
  };
}

/** @throws {DamageError} when the row has no id */
export function idIn(record: unknown): string {
  if (typeof record !== "object" || record === null) throw new DamageError("a row is missing");
  return text(Reflect.get(record, "id"));
}

/** A watch: a receiver's mark, and the last event that it has shown. */
export interface WatchRow {
  readonly number: number;
  readonly mark: string;
  readonly shown: number;
}

/** @throws {DamageError} when it isn't a valid row */
export function watchOf(record: unknown): WatchRow {
  if (typeof record !== "object" || record === null) throw new DamageError("a row is missing");
  const read = (name: string): unknown => Reflect.get(record, name);
  return { number: integer(read("number")), mark: text(read("mark")), shown: integer(read("shown")) };
}

/** The only number in a result; undefined where there is none. */
export function numberIn(record: unknown): number | undefined {
  const value: unknown = typeof record === "object" && record !== null ? Object.values(record)[0] : undefined;
  return value === null || value === undefined ? undefined : integer(value);
}

function isState(value: unknown): value is KeptState {
  return keptStates.some((state) => state === value);
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new DamageError("a row holds no text where one belongs");
}

function integer(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new DamageError("a row holds no number where one belongs");
}
