import type { Movement } from "../journal/movement.ts";
import { firstAmount, payerOf, receiverOf, requestOf, responseOf } from "../journal/requests/movement-request.ts";
import type { RecordReport, Row } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import type { CurrencyOfOrder } from "./journal-report.ts";
import { exportedFields, exportedRow } from "./journal-report.ts";
import { mask } from "../values/secret.ts";
import { withoutCallbackSecret } from "./callback-secret.ts";

/** Proofs of identity: the question before a remittance hides them, and so does all output after it. */
const hidden: ReadonlySet<string> = new Set(["idNumber", "idExpiryDate", "dateOfBirth"]);

/** The fields that people look for first, in this order; the others follow. */
const firstNames = ["state", "amount", "from", "to", "reference", "kind", "openedAt", "settledAt", "evidence", "note"];
const moved: readonly Field[] = [
  { name: "amount", kind: "amount" },
  { name: "from", kind: "id" },
  { name: "to", kind: "id" },
];

/**
 * One order for a person at a terminal: the outcome and the amount come first; empty fields are left out, and so is the
 * hash that programs compare.
 */
export function orderForPerson(
  movement: Movement,
  currencyOf: CurrencyOfOrder,
): Pick<RecordReport, "currency"> & { readonly columns: readonly Field[]; readonly record: Row } {
  const { kind, scope } = movement;
  const request = requestOf(movement);
  const order = firstAmount(kind, request);
  const cells: Row = {
    ...exportedRow(movement),
    ...maskedParts(movement),
    amount: order === undefined ? null : new Numeral(order.amount.toString()),
    from: payerOf(kind, request) ?? null,
    to: receiverOf(kind, request)?.account ?? null,
  };
  const known = new Map([...moved, ...exportedFields].map((field) => [field.name, field]));
  const columns = [...new Set([...firstNames, ...known.keys()])].flatMap((name) => known.get(name) ?? []);
  return {
    columns,
    record: Object.fromEntries(Object.entries(cells).filter(isShown)),
    currency: order?.currency ?? currencyOf(scope, order?.wallet),
  };
}

function isShown([name, value]: readonly [string, unknown]): boolean {
  return name !== "requestHash" && value !== null && value !== "";
}

/** Request and answer of a movement for a terminal, where other people may see them. */
function maskedParts(movement: Movement): JsonObject {
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
