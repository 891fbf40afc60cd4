import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { remittanceFields } from "./fields.ts";

/** The known fields of a remittance, by path, as text. Empty fields are left out. */
export type RemittanceDraft = ReadonlyMap<string, string>;

/** True where a mobile number is credited. */
export function isToMobile(draft: RemittanceDraft): boolean {
  return draft.get("receiverChannel") === "MOBILE";
}

const plainNumber = /^(0|[1-9]\d*)(\.\d+)?$/;

/** The specification's body with every field in order, empty except for constants. */
export function emptyDraft(): JsonObject {
  const body: JsonObject = {};
  for (const { path, standard, kind } of remittanceFields) put(body, path, standard ?? (kind === "amount" ? null : ""));
  return body;
}

/** The body to send: amounts with the digits that were typed, unknown fields left out. */
export function bodyOf(draft: RemittanceDraft): JsonObject {
  const body: JsonObject = {};
  for (const { path, kind } of remittanceFields) {
    const text = draft.get(path);
    if (text !== undefined) put(body, path, kind === "amount" && isPlainNumber(text) ? new Numeral(text) : text);
  }
  return body;
}

/** Digits and a point before decimals, as an amount is typed and as JSON has it. */
export function isPlainNumber(text: string): boolean {
  return plainNumber.test(text);
}

function put(body: JsonObject, path: string, value: JsonValue): void {
  const [first = "", second] = path.split(".");
  if (second === undefined) body[first] = value;
  else {
    const within = body[first];
    body[first] = { ...(isJsonObject(within) ? within : {}), [second]: value };
  }
}
