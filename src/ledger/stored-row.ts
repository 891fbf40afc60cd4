import { decodeJson } from "../contract/wire.ts";
import { DamageError } from "../storage/failures.ts";
import type { JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";

/**
 * A row as the ledger keeps it: JSON text with the service's own digits.
 * @throws {DamageError} where something else stands
 */
export function decodeRow(text: string): JsonObject {
  try {
    const row = decodeJson(text);
    if (isJsonObject(row)) return row;
  } catch (error) {
    throw new DamageError("a row is not JSON", { cause: error });
  }
  throw new DamageError("a row isn't an object");
}

export function encodeRow(row: JsonObject): string {
  return JSON.stringify(row);
}
