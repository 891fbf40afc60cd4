import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import type { Rows, RowsResponse, WholeResponse } from "../endpoint.ts";

/** An answer is JSON, but not what the specification describes, even read leniently. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** A list whose elements are objects, such as the wallets. */
export function listOfObjects(): WholeResponse<readonly JsonObject[]> {
  return {
    kind: "whole",
    decode(body) {
      if (!Array.isArray(body)) throw new Unreadable("A list was expected.");
      return body.map((element) => objectOf(element, "Each element of the list"));
    },
  };
}

/** The object at `path` within the answer; without a path, the answer itself. */
export function objectAt(...path: readonly string[]): WholeResponse<JsonObject> {
  return {
    kind: "whole",
    decode(body) {
      let value: JsonValue | undefined = body;
      for (const name of path) value = objectOf(value, "The answer")[name];
      return objectOf(value, path.length === 0 ? "The answer" : `"${path.join(".")}"`);
    },
  };
}

/** A list of any length at `path`, read row by row. */
export function rowsAt(...path: readonly string[]): RowsResponse<Rows> {
  return { kind: "rows", at: path, of: (rows) => rows };
}

function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (!isJsonObject(value)) throw new Unreadable(`${what} should be an object.`);
  return value;
}
