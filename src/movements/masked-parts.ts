import type { Movement } from "../journal/movement.ts";
import { requestOf, responseOf } from "../journal/movement-kinds.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { mask } from "../values/secret.ts";
import { withoutCallbackSecret } from "./callback-secret.ts";

/** Proofs of identity: the question before a remittance hides them, and so does all output after it. */
const hidden: ReadonlySet<string> = new Set(["idNumber", "idExpiryDate", "dateOfBirth"]);

/** Request and answer of a movement for a terminal, where other people may see them. */
export function maskedParts(movement: Movement): JsonObject {
  const shown = withoutCallbackSecret(movement);
  const answer = responseOf(shown);
  return {
    request: masked(requestOf(shown)),
    ...(Object.keys(answer).length === 0 ? {} : { response: masked(answer) }),
  };
}

function masked(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]): [string, JsonValue] => [name, maskedValue(name, each)]),
  );
}

function maskedValue(name: string, value: JsonValue): JsonValue {
  if (isJsonObject(value)) return masked(value);
  return hidden.has(name) && typeof value === "string" && value !== "" ? mask(value) : value;
}
