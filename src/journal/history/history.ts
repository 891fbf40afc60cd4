import { DamageError } from "../../storage/failures.ts";
import type { MovementEvent, MovementKind, Who } from "../movement.ts";
import { movementKinds } from "../movement.ts";
import { eventOf } from "../movement-row.ts";
import type { ArchivedEvent } from "./row.ts";
import { isArchivedEvent, openEvent } from "./row.ts";

/**
 * One line of history, with its order or batch. Later steps never change it; a redaction or an archive takes out
 * content, and leaves the hash.
 */
export interface HistoryLine {
  /** 1 for the first line of the journal, and no gaps. */
  readonly number: number;
  /** Of the order, or of the batch. */
  readonly id: string;
  readonly scope: string;
  /** `batch` for decisions about one, `rules` for the rules of such decisions, `journal` for an archive. */
  readonly kind: MovementKind | "batch" | "rules" | "journal";
  readonly reference: string;
  /** The request that was ordered with it, or all that was submitted or decided; null in lines of other steps. */
  readonly request: string | null;
  readonly event: HistoryEvent;
  /** The hash that the line had before it was redacted; null where it was not. */
  readonly hash: string | null;
  /** True where the line itself is in an archive: what it said is not known here, and `hash` is that of the line. */
  readonly isArchived?: true;
}

/** What happened: to an order, or to a batch. */
export interface HistoryEvent extends Pick<MovementEvent, "at" | "requestId" | "evidence" | "note" | "replaced"> {
  readonly step: string;
  readonly from: string | null;
  readonly to: string;
  readonly who: Who;
}

/** How far history was read: the number of lines, and in a shared journal the numbers of events and facts. */
export interface HistoryPlace {
  readonly line: number;
  readonly event: number;
  readonly fact: number;
}
export const historyStart: HistoryPlace = { line: 0, event: 0, fact: 0 };

/** How many rows a journal has, or had when it was verified. */
export interface RowCounts {
  readonly movements: number;
  readonly events: number;
}

export const historyPageRows = 500;

/**
 * SQL for the lines after a number, in either database. A movement has only its latest request: an earlier one is in
 * the line that replaced it.
 */
export function historySql(schema: "" | "partner.", after: string): string {
  return `SELECT e.*, m.id AS order_id, m.scope, m.kind, m.reference, m.request, (
    SELECT n.replaced FROM ${schema}events n
    WHERE e.step = 'claim' AND n.movement = e.movement AND n.number > e.number AND n.replaced LIKE '%"request":%'
    ORDER BY n.number LIMIT 1
  ) AS later
  FROM ${schema}events e JOIN ${schema}movements m ON m.number = e.movement
  WHERE e.number > ${after} ORDER BY e.number LIMIT ${historyPageRows}`;
}

/** @throws {DamageError} for a row that is not as it was written, or not the next one */
export function historyLine(record: unknown, number: number): HistoryLine {
  const row = openEvent(record);
  if (row.number !== number) throw new DamageError(`line ${number} of its history is missing`);
  const read = (name: string): unknown =>
    typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  const later = read("later");
  const order = {
    id: text(read("order_id")),
    scope: text(read("scope")),
    kind: kindOf(read("kind")),
    reference: text(read("reference")),
  };
  if (isArchivedEvent(row))
    return { number, ...order, request: null, event: noEvent(row), hash: row.archived, isArchived: true };
  const event = eventOf(row);
  return {
    number,
    ...order,
    request: event.step === "claim" ? (typeof later === "string" ? formerRequest(later) : text(read("request"))) : null,
    event,
    hash: textOrNull(read("line_hash")),
  };
}

function noEvent({ at, step, from_state: from, to_state: to }: ArchivedEvent): HistoryEvent {
  const who = { user: "", host: "", version: "" };
  return { at, step, from, to, requestId: null, evidence: null, note: null, replaced: null, who };
}

function formerRequest(replaced: string): string {
  const value: unknown = JSON.parse(replaced);
  return text(typeof value === "object" && value !== null ? Reflect.get(value, "request") : undefined);
}

function kindOf(value: unknown): MovementKind {
  const kind = movementKinds.find((known) => known === value);
  if (kind === undefined) throw new DamageError("a row says a word that none of them says");
  return kind;
}

function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : text(value);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new DamageError("a row holds no text where one belongs");
}
