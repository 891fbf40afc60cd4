import type { PostgresRecord, PostgresValue, Statement } from "../../host/databases/postgres.ts";
import { DamageError } from "../../storage/failures.ts";
import type { Transaction } from "../../storage/postgres/database.ts";
import type { JournalEnd } from "../age/marks.ts";
import type { MovementEvent, StatementProof } from "../movement.ts";
import type { KeyRow } from "../movement-row.ts";
import { eventOf, keyRowOf } from "../movement-row.ts";
import type { RedactedOrder } from "../redaction/redacted-order.ts";
import type { EventRow, MovementRow } from "../history/row.ts";
import {
  eventColumns,
  identityColumns,
  movementColumns,
  openRow,
  besideColumns,
  isArchivedEvent,
  openEvent,
  sealRow,
  textColumn,
} from "../history/row.ts";
import { addProof, addSpending, putKeys, putStanding, sumsOf } from "./orders/beside.ts";
import type { SqlPart } from "./orders/numbered.ts";
import { insertEvent, insertMovement, numberedStatements } from "./orders/numbered.ts";
import type { TransactionWriter, Unnumbered } from "../transaction-writer.ts";
import type { Spending } from "../spending.ts";

const movementNames = Object.keys(movementColumns);
const changingNames = [...movementNames.filter((name) => !identityColumns.has(name)), "seal"];
const updateMovement = `UPDATE partner.movements
  SET ${changingNames.map((name, index) => `${name} = $${index + 3}`).join(", ")} WHERE number = $1 AND claim = $2`;

const addAccount = "INSERT INTO partner.accounts (scope) VALUES ($1) ON CONFLICT DO NOTHING";
const forgetLikes = `UPDATE partner.order_keys k SET like_key = 'redacted-' || replace(gen_random_uuid()::text, '-', '')
  FROM partner.movements m WHERE m.number = k.movement AND m.opened_at < $1 AND m.request_hash LIKE 'pbkdf2:%'
    AND k.like_key NOT LIKE 'redacted-%'`;
const redactEvent = `UPDATE partner.events SET note = $2, replaced = $3, redacted_seal = $4, line_hash = $5
  WHERE number = $1`;
const redactProof = `UPDATE partner.proofs SET "row" = $2 WHERE row_key = $1`;

/** A movement with its seal. */
export type SealedMovement = MovementRow & { readonly seal: string };

interface Change {
  readonly row: MovementRow;
  readonly held: string | undefined;
}

/**
 * Changes of one transaction. They are collected first and then written at once, since the turn, for which all writers
 * wait, is taken as late as possible.
 */
export class PostgresTransaction implements TransactionWriter {
  readonly #changes: Change[] = [];
  readonly #events: Unnumbered<EventRow>[] = [];
  readonly #keys: { readonly movement: number; readonly keys: KeyRow }[] = [];
  readonly #standings: { readonly movement: number; readonly standing: KeyRow["standing"] }[] = [];
  readonly #spendings: Spending[] = [];
  readonly #proofs: { readonly movement: number; readonly proof: StatementProof }[] = [];

  readonly #redacted: Statement[] = [];

  #end: JournalEnd | undefined;
  #written: SealedMovement | undefined;

  /** Where history ends when this is committed; undefined where it adds nothing to it. */
  get end(): JournalEnd | undefined {
    return this.#end;
  }

  /** The movement that was changed last, once this is committed. */
  get written(): SealedMovement | undefined {
    return this.#written;
  }

  /** True where there is nothing to write. */
  get isEmpty(): boolean {
    return this.#changes.length === 0 && this.#events.length === 0;
  }

  /** Ids in a shared database are always random, and a unique index protects them. */
  isFree(): boolean {
    return true;
  }

  /** Number 0 is a placeholder for its final number. */
  addMovement(row: Unnumbered<MovementRow>): MovementRow {
    const sealed = sealRow(movementColumns, { ...row, number: 0 });
    this.#changes.push({ row: sealed, held: undefined });
    this.changeKeys(0, keyRowOf(sealed));
    return sealed;
  }

  changeKeys(movement: number, keys: KeyRow): void {
    this.#keys.push({ movement, keys });
  }

  changeStanding(movement: number, standing: KeyRow["standing"]): void {
    this.#standings.push({ movement, standing });
  }

  addSpending(spending: Spending): void {
    this.#spendings.push(spending);
  }

  addProofs(movement: number, proofs: readonly StatementProof[]): void {
    for (const proof of proofs) this.#proofs.push({ movement, proof });
  }

  changeMovement(row: MovementRow, held: string): MovementRow {
    const sealed = sealRow(movementColumns, row);
    this.#changes.push({ row: sealed, held });
    return sealed;
  }

  redact({ row, events, proofs }: Omit<RedactedOrder, "replaced">): void {
    this.changeMovement(row, row.claim);
    for (const { number, note, replaced, redacted_seal, line_hash } of events)
      this.#redacted.push({ text: redactEvent, values: [number, note, replaced, redacted_seal, line_hash] });
    for (const { key, row: text } of proofs) this.#redacted.push({ text: redactProof, values: [key, text] });
  }

  /** Has redacted orders that were placed before then no longer found by orders like them. */
  forgetLikes(before: number): void {
    this.#redacted.push({ text: forgetLikes, values: [before] });
  }

  addEvent(row: Unnumbered<EventRow>): void {
    this.#events.push(row);
  }

  /**
   * Has all changes written with the commit, in one round trip.
   * @param first statements that go before them in the same round trip
   */
  write(transaction: Transaction, first: readonly Statement[] = []): void {
    if (this.isEmpty) return transaction.finish(...this.#redacted);
    const added = this.#changes.flatMap(({ row, held }) => (held === undefined ? [row] : []));
    const updates = this.#changes.flatMap(({ row, held }) => (held === undefined ? [] : [updateOf(row, held)]));
    const accounts = added.map(({ scope }): Statement => ({ text: addAccount, values: [scope] }));
    // History has to show an approval before its order, so the turn is taken before the approval is looked for.
    const isClaim = this.#changes.some(({ row }) => row.state === "prepared");
    const numbered = numberedStatements(added.length, this.#events.length, this.#parts(added));
    const written = isClaim ? [...accounts, ...numbered, ...updates] : [...updates, ...accounts, ...numbered];
    const statements = [...first, ...written, ...this.#redacted];
    const lastAt = statements.findIndex((statement) => statement === numbered.at(-1));
    transaction.finishWith(statements, (answers) => {
      const last = this.#events.at(-1);
      const [line] = answers[lastAt] ?? [];
      if (last !== undefined)
        this.#end = { number: numberIn(line, "number"), at: last.at, seal: textColumn(line, "seal") };
      const row = this.#changes.at(-1)?.row;
      const number = row?.number === 0 ? numberIn(line, "movement") : row?.number;
      if (row !== undefined && number !== undefined) this.#written = sealRow(movementColumns, { ...row, number });
    });
  }

  /** What is written in the turn; the lines of history are the last of it. */
  #parts(added: readonly MovementRow[]): SqlPart[] {
    const keys = new Map(this.#keys.map(({ movement, keys }) => [movement, keys]));
    const standings = new Map(this.#standings.map(({ movement, standing }) => [movement, standing]));
    return [
      ...added.map((row, index) => insertMovement(row, added.length - index - 1)),
      ...[...standings]
        .filter(([movement]) => !keys.has(movement))
        .map(([movement, standing]) => putStanding(movement, standing)),
      ...[...keys].map(([movement, keys]) => putKeys(movement, keys)),
      ...this.#proofs.map(({ movement, proof }) => addProof(movement, proof)),
      ...sumsOf(this.#spendings).map((spending) => addSpending(spending)),
      ...this.#events.map((row, index) => insertEvent(row, this.#events.length - index - 1)),
    ];
  }
}

/**
 * The row of `partner.journal`, which gives the numbers.
 * @throws {DamageError} where there isn't exactly one
 */
export function onlyRow(rows: readonly PostgresRecord[] = []): PostgresRecord {
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0)
    throw new DamageError("its numbers come from one row, and there is not one");
  return row;
}

/** @throws {DamageError} where it is not as it was written */
export function movementIn(record: PostgresRecord | undefined): MovementRow | undefined {
  return record === undefined ? undefined : openRow(movementColumns, record);
}

/** @throws {DamageError} where there is no such number */
export function numberIn(record: PostgresRecord | undefined, name: string): number {
  const value = record?.[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new DamageError("its rows are not numbered");
  return value;
}

/** The history of a movement without lines that are in an archive. */
export function eventsIn(records: readonly PostgresRecord[]): MovementEvent[] {
  const lines = records.map((record) => openEvent(record));
  return lines.flatMap((line) => (isArchivedEvent(line) ? [] : [eventOf(line)]));
}

/** Inserts sealed rows as they are. */
export function insertSealed(table: "movements" | "events", ...rows: readonly object[]): Statement {
  const beside = rows.some((row) => hasBeside(row)) ? besideColumns : [];
  const names = [...Object.keys(table === "movements" ? movementColumns : eventColumns), "seal", ...beside];
  const places = rows.map((_, row) => `(${names.map((_name, at) => `$${row * names.length + at + 1}`).join(", ")})`);
  return {
    text: `INSERT INTO partner.${table} (${names.join(", ")}) VALUES ${places.join(", ")}`,
    values: rows.flatMap((row) => valuesOf(row, names)),
  };
}

function updateOf(row: MovementRow, held: string): Statement {
  return { text: updateMovement, values: [row.number, held, ...valuesOf(row, changingNames)] };
}

function valuesOf(row: object, names: readonly string[]): PostgresValue[] {
  return names.map((name): PostgresValue => {
    const value: unknown = Reflect.get(row, name);
    return typeof value === "string" || typeof value === "number" ? value : null;
  });
}

/** True for an event that was redacted or is in an archive. */
function hasBeside(row: object): boolean {
  return besideColumns.some((name) => typeof Reflect.get(row, name) === "string");
}
