import { DamageError } from "../storage/failures.ts";
import { Day } from "../values/time/day.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { JsonObject } from "../values/json.ts";
import type { AcceptedGap, AccountClosure, ChangeKind, LedgerAccount } from "./ledger.ts";
import { accountKinds, changeKinds } from "./ledger.ts";
import { decodeRow } from "./stored-row.ts";

/**
 * A row of a database, whose columns are checked as they are read.
 * @throws {DamageError} where a column has another type
 */
export class Columns {
  readonly #record: object;

  constructor(record: unknown) {
    if (typeof record !== "object" || record === null) throw new DamageError("a row has no columns");
    this.#record = record;
  }

  text(name: string): string {
    const value: unknown = Reflect.get(this.#record, name);
    if (typeof value !== "string") throw new DamageError(`${name} is not a text`);
    return value;
  }

  textOrNull(name: string): string | null {
    return Reflect.get(this.#record, name) === null ? null : this.text(name);
  }

  dayOrNull(name: string): string | null {
    const text = this.textOrNull(name);
    if (text !== null && Day.parse(text) === undefined) throw new DamageError(`${name} is not a day`);
    return text;
  }

  number(name: string): number {
    const value: unknown = Reflect.get(this.#record, name);
    if (typeof value !== "number") throw new DamageError(`${name} is not a number`);
    return value;
  }

  numberOrNull(name: string): number | null {
    return Reflect.get(this.#record, name) === null ? null : this.number(name);
  }

  amountOrNull(name: string): Decimal | null {
    const text = this.textOrNull(name);
    if (text === null) return null;
    const amount = Decimal.parseJson(text);
    if (amount === undefined) throw new DamageError(`${name} is not an amount`);
    return amount;
  }

  bytes(name: string): Uint8Array {
    const value: unknown = Reflect.get(this.#record, name);
    if (!(value instanceof Uint8Array)) throw new DamageError(`${name} has no bytes`);
    return value;
  }

  row(name: string): JsonObject {
    return decodeRow(this.text(name));
  }

  rowOrNull(name: string): JsonObject | null {
    return Reflect.get(this.#record, name) === null ? null : this.row(name);
  }
}

/** @param record with the columns of its closure, which are null without one */
export function accountOf(record: unknown): LedgerAccount {
  const columns = new Columns(record);
  const kind = accountKinds.find((known) => known === columns.text("kind"));
  if (kind === undefined) throw new DamageError("an account is of no known kind");
  return {
    number: columns.number("number"),
    scope: columns.text("scope"),
    kind,
    accountNo: columns.text("account"),
    profile: columns.textOrNull("profile"),
    name: columns.text("name"),
    currency: columns.text("currency"),
    isNewestFirst: columns.number("newest_first") === 1,
    firstDay: columns.dayOrNull("first_day"),
    lastDay: columns.dayOrNull("last_day"),
    live: columns.amountOrNull("live"),
    isReached: columns.number("is_reached") === 1,
    syncedAt: columns.numberOrNull("synced_at"),
    closure: closureOf(columns),
  };
}

function closureOf(columns: Columns): AccountClosure | null {
  const at = columns.numberOrNull("closure_at");
  return at === null ? null : { evidence: columns.text("closure_evidence"), by: columns.text("closure_by"), at };
}

/** @param columns a record of `acceptances`; the second argument is the row at which the balance jumps */
export function acceptedGap(columns: Columns, { reference, day }: Pick<AcceptedGap, "reference" | "day">): AcceptedGap {
  return {
    side: columns.text("side") === "after" ? "after" : "before",
    reference,
    day,
    gap: columns.amountOrNull("gap") ?? Decimal.zero,
    evidence: columns.text("evidence"),
    by: columns.text("accepted_by"),
    at: columns.number("accepted_at"),
  };
}

export function changeKindOf(text: string): ChangeKind {
  const kind = changeKinds.find((known) => known === text);
  if (kind === undefined) throw new DamageError("a change is of no known kind");
  return kind;
}
