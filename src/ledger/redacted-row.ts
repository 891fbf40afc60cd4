import { createHash } from "node:crypto";
import { coveredBy, rowWithoutPeople } from "../contract/redaction.ts";
import type { JsonObject } from "../values/json.ts";
import type { AccountKind } from "./ledger.ts";
import { factsOf } from "./row-facts.ts";

/**
 * A row without what may be personal. What takes a text's place is made of the rest of the row alone: nobody can try
 * texts against it, and the same row of the service, read again, becomes the same.
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

/** The same for a row of days before that one, as it comes from the service. */
export function asRedacted(row: JsonObject, kind: AccountKind, before: string): JsonObject {
  const { day } = factsOf(row, kind);
  return day !== "" && day < before ? redactedRow(row, kind) : row;
}
