import { DamageError } from "../../storage/failures.ts";
import type { Kept, KeptState } from "./inbox.ts";
import { keptStates } from "./inbox.ts";
import { restored } from "./stored-text.ts";

/** What a statement selects of either table, under the names that `keptOf` reads. */
export const eventColumns =
  "number, id, state, received_at, request_id, timestamp, body, attempts, due_at, wanted_at, tries, problem";
export const forgedColumns =
  "number, id, 'forged' AS state, received_at, request_id, NULL AS timestamp, body, 0 AS attempts, NULL AS due_at, NULL AS wanted_at, 0 AS tries, problem";

/**
 * A row of either table as what it means.
 * @throws {DamageError} when it cannot be one
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

/** @throws {DamageError} when the row has none */
export function idIn(record: unknown): string {
  if (typeof record !== "object" || record === null) throw new DamageError("a row is missing");
  return text(Reflect.get(record, "id"));
}

/** A receiver that showed events, and how far it came. */
export interface WatchRow {
  readonly number: number;
  readonly mark: string;
  readonly shown: number;
}

/** @throws {DamageError} when it is none */
export function watchOf(record: unknown): WatchRow {
  if (typeof record !== "object" || record === null) throw new DamageError("a row is missing");
  const read = (name: string): unknown => Reflect.get(record, name);
  return { number: integer(read("number")), mark: text(read("mark")), shown: integer(read("shown")) };
}

/** The one number that a statement gives; undefined where it gives none. */
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
