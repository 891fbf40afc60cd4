import type { PostgresRecord } from "../../../host/databases/postgres.ts";
import { DamageError } from "../../../storage/failures.ts";
import { sha256 } from "../../requests/request-hash.ts";
import { textColumn } from "../../history/row.ts";
import { numberIn } from "../rows.ts";

/** An action of a person on a batch or on the rules, as recorded in history. */
export interface Fact {
  readonly number: number;
  /** The number of the event before it. */
  readonly after: number;
  readonly step: string;
  readonly at: number;
  /** The role in the database. */
  readonly by: string;
  /** Empty for a fact about no single batch. */
  readonly batch: string;
  /** JSON text: the row. */
  readonly body: string;
  /** The hash that its line of history had before it was redacted; null where it was not. */
  readonly hash: string | null;
}

/** True where a database has facts at all: a journal without roles has no submissions and approvals. */
export const hasFactsSql = "SELECT to_regclass('partner.facts') IS NOT NULL AS is_there";

/**
 * A fact as it was written.
 * @throws {DamageError} where it is not, or is not the next one
 */
export function factIn(record: PostgresRecord, number: number): Fact {
  const fact: Fact = {
    number: numberIn(record, "number"),
    after: numberIn(record, "after_event"),
    step: textColumn(record, "step"),
    at: numberIn(record, "at"),
    by: textColumn(record, "said_by"),
    batch: typeof record["batch"] === "string" ? record["batch"] : "",
    body: textColumn(record, "body"),
    hash: typeof record["line_hash"] === "string" ? record["line_hash"] : null,
  };
  if (fact.number !== number) throw new DamageError(`fact ${number} of its history is missing`);
  if ((record["redacted_seal"] ?? record["seal"]) !== sealOfFact(fact))
    throw new DamageError(`fact ${number} of its history is not as it was written`);
  return fact;
}

export function sealOfFact({ number, after, step, at, by, batch, body }: Fact): string {
  return sha256([number, after, step, at, by, batch, body].join("\n"));
}

/** The text of a JSON object's member; empty where it has none, or isn't an object. */
export function memberOf(body: string, name: string): string {
  const member: unknown = Reflect.get(Object(parsed(body)), name);
  return typeof member === "string" ? member : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON list; empty for any other text. */
export function listOf(text: string): readonly unknown[] {
  const value = parsed(text);
  return Array.isArray(value) ? value : [];
}
