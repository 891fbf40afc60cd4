import { createHash } from "node:crypto";
import { coveredBy, rowWithoutPeople } from "../contract/redaction.ts";
import type { JsonObject } from "../values/json.ts";
import type { AccountKind } from "./ledger.ts";
import { factsOf } from "./row-facts.ts";

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
  const { day } = factsOf(row, kind);
  return day !== "" && day < before ? redactedRow(row, kind) : row;
}
