import { createHash } from "node:crypto";
import { coverDigits, coveredBy, coverIn, rowWithoutPeople } from "../contract/redaction.ts";
import { textIn } from "../statements/entry.ts";
import type { JsonObject } from "../values/json.ts";
import { dayOfTimestamp } from "../values/time/wall-time.ts";
import type { AccountKind } from "./ledger.ts";
import { factsOf, identityOf } from "./row-facts.ts";

/** Spec 2.3 and 2.6. */
const transactionDates = { wallet: "txnDate", merchant: "transactionDate" } as const;

/**
 * The row without personal data. Replacements depend only on the rest of the row: a guessed text can't be matched with
 * them, and the same row gets the same replacements when it is read again.
 */
export function redactedRow(row: JsonObject, kind: AccountKind): JsonObject {
  const { time, reference, change } = factsOf(row, kind);
  const seed = [time, reference, change?.toString() ?? ""];
  return rowWithoutPeople(row, (_text, at) =>
    coveredBy(
      createHash("sha256")
        .update(JSON.stringify([...seed, at]))
        .digest("hex"),
    ),
  );
}

/** True where something in the row was replaced. */
export function isRedacted(row: JsonObject): boolean {
  return coverIn.test(JSON.stringify(row));
}

/** What tells rows from others, their personal data apart: the same for a row, and for any redacted form of it. */
export function identityWithoutPeople(row: JsonObject, kind: AccountKind): string {
  const bare = rowWithoutPeople(row, () => coveredBy("0".repeat(coverDigits)));
  return identityOf(bare, kind).replaceAll(new RegExp(coverIn, "g"), "");
}

/** Redacts a row of the service if it is of a day before `before`. */
export function asRedacted(row: JsonObject, kind: AccountKind, before: string): JsonObject {
  return isOlder(row, kind, before) ? redactedRow(row, kind) : row;
}

/**
 * True for a row of a day before `before`: by its value date, or else by its transaction date. Both are in the row
 * itself, so a stored row and the same row from the service agree. A row with neither date is never older.
 */
export function isOlder(row: JsonObject, kind: AccountKind, before: string): boolean {
  const day = factsOf(row, kind).day || (dayOfTimestamp(textIn(row, transactionDates[kind])) ?? "");
  return day !== "" && day < before;
}
