import { createHash } from "node:crypto";
import { coveredBy, rowWithoutPeople } from "../contract/redaction.ts";
import { textIn } from "../statements/entry.ts";
import type { JsonObject } from "../values/json.ts";
import { dayOfTimestamp } from "../values/time/wall-time.ts";
import type { AccountKind } from "./ledger.ts";
import { factsOf } from "./row-facts.ts";

/** Spec 2.3 and 2.6. */
const transactionDates = { wallet: "txnDate", merchant: "transactionDate" } as const;

/**
 * A row without personal data. A replacement depends on the rest of the row alone: it can't be matched with guessed
 * texts, and the same row gets the same replacement when it is read again.
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

/** The same for a row of earlier days, as it comes from the service. */
export function asRedacted(row: JsonObject, kind: AccountKind, before: string): JsonObject {
  return isOlder(row, kind, before) ? redactedRow(row, kind) : row;
}

/**
 * True for a row of earlier days: by its value date, or else by the day of its transaction, which says the same of a row
 * that is held and of one that comes. One that has neither is of no day.
 */
export function isOlder(row: JsonObject, kind: AccountKind, before: string): boolean {
  const day = factsOf(row, kind).day || (dayOfTimestamp(textIn(row, transactionDates[kind])) ?? "");
  return day !== "" && day < before;
}
