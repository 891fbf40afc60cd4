import { sha256 } from "../requests/request-hash.ts";
import { DamageError } from "../../storage/failures.ts";

type ColumnType = "text" | "integer" | "text or null" | "integer or null";
type Columns = Readonly<Record<string, ColumnType>>;

interface Values {
  readonly text: string;
  readonly integer: number;
  readonly "text or null": string | null;
  readonly "integer or null": number | null;
}

/** A row with those columns. */
export type HistoryRow<C extends Columns> = { readonly [Name in keyof C]: Values[C[Name]] };

/** Sealed in this order: the same columns in another order give another seal. */
export const movementColumns = {
  number: "integer",
  id: "text",
  key_hash: "text",
  scope: "text",
  kind: "text",
  reference: "text",
  state: "text",
  profile: "text or null",
  request: "text",
  request_hash: "text",
  response: "text or null",
  evidence: "text or null",
  note: "text or null",
  request_ids: "text",
  transaction_id: "text or null",
  opened_at: "integer",
  changed_at: "integer",
  settled_at: "integer or null",
  who: "text",
  batch: "text or null",
  batch_row: "integer or null",
  claim: "text",
  owner: "text",
  claim_ends_at: "integer",
} as const satisfies Columns;
export type MovementRow = HistoryRow<typeof movementColumns>;

/** Sealed in this order, too. */
export const eventColumns = {
  number: "integer",
  movement: "integer",
  at: "integer",
  step: "text",
  from_state: "text or null",
  to_state: "text",
  request_id: "text or null",
  evidence: "text or null",
  note: "text or null",
  replaced: "text or null",
  who: "text",
} as const satisfies Columns;
export type EventRow = HistoryRow<typeof eventColumns>;

/**
 * Additions to an event: its new seal and the former hash of its line after a redaction, and the hash of its line where
 * that is in an archive.
 */
export const besideColumns = ["redacted_seal", "line_hash", "archived"] as const;

/** What is left of a line of history that is in an archive. */
export interface ArchivedEvent extends Pick<
  EventRow,
  "number" | "movement" | "at" | "step" | "from_state" | "to_state"
> {
  /** Of the whole line, as it was written. */
  readonly seal: string;
  /** The hash of the line in the chain. */
  readonly archived: string;
}

/**
 * A line of history as it was written, or what is left of one that is in an archive.
 * @throws {DamageError} when it is neither
 */
export function openEvent(record: unknown): EventRow | ArchivedEvent {
  if (!isRow({ ...eventColumns, archived: "text", seal: "text" }, record)) return openRow(eventColumns, record);
  const isBlank = record.who === "" && [record.request_id, record.evidence, record.note, record.replaced].every(isNull);
  if (!isBlank || !isHash(record.archived)) throw new DamageError("a row is not as it was archived");
  return record;
}

export function isArchivedEvent(event: EventRow | ArchivedEvent): event is ArchivedEvent {
  return "archived" in event && event.archived !== null;
}

/** The digest in an order's archive step, by which none of the archived lines can be exchanged later. */
export function archiveDigest(events: readonly ArchivedEvent[]): string {
  const cells = events.map((event) => [
    event.number,
    event.at,
    event.step,
    event.from_state,
    event.to_state,
    event.seal,
    event.archived,
  ]);
  return sha256(JSON.stringify(cells));
}

function isNull(value: unknown): boolean {
  return value === null;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The columns that identify a movement; they never change. */
export const identityColumns: ReadonlySet<string> = new Set([
  "number",
  "id",
  "key_hash",
  "scope",
  "kind",
  "reference",
] satisfies (keyof MovementRow)[]);

/**
 * A row as it can be stored, with a checksum over all of it: SQLite has none of its own, and a flipped bit must not
 * pass for another state.
 */
export function sealRow<R extends MovementRow | EventRow>(columns: Columns, row: R): R & { readonly seal: string } {
  const stored = { ...row };
  for (const name of Object.keys(columns)) {
    const value: unknown = Reflect.get(stored, name);
    if (typeof value === "string" && !isStorable(value)) Reflect.set(stored, name, storable(value));
  }
  return { ...stored, seal: sealOf(columns, stored) };
}

/** False for a text that SQLite would give back as another one: cut off at a NUL, or with half a character replaced. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** The nearest text that can be stored unchanged, for any text from outside. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u2400");
}

/**
 * A row as it was written.
 * @throws {DamageError} when it is not
 */
export function openRow<C extends Columns>(columns: C, record: unknown): HistoryRow<C> {
  if (!isRow(columns, record)) throw new DamageError("a row holds what cannot be in it");
  if (sealIn(record) !== sealOf(columns, record)) throw new DamageError("a row is not as it was written");
  return record;
}

/** The seal that a row has to match: a redacted event keeps its first seal beside the new one. */
function sealIn(record: object): unknown {
  const later: unknown = Reflect.get(record, "redacted_seal");
  return later === undefined || later === null ? Reflect.get(record, "seal") : later;
}

function sealOf(columns: Columns, row: object): string {
  return sha256(JSON.stringify(Object.keys(columns).map((name): unknown => Reflect.get(row, name))));
}

function isRow<C extends Columns>(columns: C, record: unknown): record is HistoryRow<C> {
  if (typeof record !== "object" || record === null) return false;
  return Object.entries(columns).every(([name, type]) => isOf(type, Reflect.get(record, name)));
}

function isOf(type: ColumnType, value: unknown): boolean {
  if (value === null) return type.endsWith("null");
  return type.startsWith("text") ? typeof value === "string" : Number.isSafeInteger(value);
}

/** @throws {DamageError} where it isn't a text */
export function textColumn(record: unknown, name: string): string {
  const value: unknown = typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value !== "string") throw new DamageError("a row holds no text where one belongs");
  return value;
}
