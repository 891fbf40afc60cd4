import type { Movement, MovementEvent } from "../journal/movement.ts";
import type { Batches, Row } from "../report/report.ts";
import { firstAmount, payerOf, receiverOf, requestOf } from "../journal/requests/movement-request.ts";
import { archiveOf } from "../journal/archive/archive.ts";
import type { Field } from "../values/field.ts";
import type { JsonObject } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import { exactParts, movementFields, movementRow } from "./movement-report.ts";

/** How many movements are rendered at a time. */
const batchRows = 500;

/** Fields that lists have only for machines; a person sees them with `journal show`. */
const detailNames: ReadonlySet<string> = new Set(["requestId", "settledAt", "request", "response"]);

/** Amount, payer and receiver: columns that can be summed and sorted. */
const movedFields = [
  { name: "amount", kind: "amount", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "from", kind: "id", role: "who" },
  { name: "to", kind: "id", role: "who" },
] as const satisfies readonly Field[];

const profileField: Field = { name: "profile", kind: "id", role: "detail" };

export const listedFields: readonly Field[] = [
  ...movementFields.map((field) => (detailNames.has(field.name) ? { ...field, machineOnly: true } : field)),
  ...movedFields,
  profileField,
];

/**
 * What a terminal shows of an order.
 * @param wholeIds true where the ids are asked for: then they aren't a detail
 */
export function terminalFields(wholeIds: boolean): readonly Field[] {
  const [id, kind, state, reference] = movementFields;
  const ids: Field[] = [wholeIds ? { ...id, role: "what" } : id];
  return [
    { name: "openedAt", kind: "time", title: "time", role: "when", shortens: "minute" },
    kind,
    { name: "from", kind: "id", title: "from → to", role: "who", shortens: "account", arrowTo: "to" },
    ...movedFields.filter(({ role }) => role === "money"),
    state,
    reference,
    ...ids,
    { name: "evidence", kind: "id", role: "detail" },
    profileField,
  ];
}

/** The currency of a wallet that an account's order names, as far as it is known. */
export type CurrencyOfOrder = (scope: string, wallet: string | undefined) => string | undefined;

/** A movement as a row of a list. */
export function listedRow(movement: Movement, currencyOf: CurrencyOfOrder): Row {
  return { ...movementRow(movement), ...movedCells(movement, currencyOf), profile: movement.profile };
}

/** Amount, currency, payer and receiver by the request; null where they aren't known. */
function movedCells(movement: Movement, currencyOf: CurrencyOfOrder): Row {
  const { kind, scope } = movement;
  const request = requestOf(movement);
  const moved = firstAmount(kind, request);
  return {
    amount: moved === undefined ? null : new Numeral(moved.amount.toString()),
    currency: moved?.currency ?? currencyOf(scope, moved?.wallet) ?? null,
    from: payerOf(kind, request) ?? null,
    to: receiverOf(kind, request)?.account ?? null,
  };
}

/** Everything that the journal holds of a movement, for auditors. */
export const exportedFields: readonly Field[] = [
  ...movementFields,
  { name: "scope", kind: "text", title: "account", role: "detail" },
  profileField,
  { name: "transactionId", kind: "id", title: "transaction id", role: "detail" },
  { name: "note", kind: "text", role: "detail" },
  { name: "user", kind: "text", role: "detail" },
  { name: "host", kind: "text", role: "detail" },
  { name: "version", kind: "id", role: "detail" },
  { name: "requestHash", kind: "id", title: "request hash", role: "detail" },
];

/** The same with amount, payer and receiver, for exports. */
export const exportFields: readonly Field[] = [...exportedFields, ...movedFields];

/** A movement as a row of an export. */
export function exportRow(movement: Movement, currencyOf: CurrencyOfOrder): Row {
  return { ...exportedRow(movement), ...movedCells(movement, currencyOf) };
}

/** A whole movement with request and response verbatim, for proofs and archives. */
export function exactRow(movement: Movement): Row {
  return { ...exportedRow(movement), ...exactParts(movement) };
}

export function exportedRow(movement: Movement): Row {
  const { scope, profile, transactionId, note, who, requestHash } = movement;
  return { ...movementRow(movement), scope, profile, transactionId, note, ...who, requestHash };
}

/** What a person sees of each line of a history. */
export const eventFields: readonly Field[] = [
  { name: "at", kind: "time", role: "when" },
  { name: "step", kind: "id", role: "what" },
  { name: "from", kind: "id", role: "detail", machineOnly: true },
  { name: "to", kind: "id", role: "state" },
  { name: "evidence", kind: "id", role: "detail" },
  { name: "note", kind: "text", role: "what", whole: true },
  { name: "user", kind: "text", role: "who" },
  { name: "requestId", kind: "id", title: "request id", role: "detail" },
  { name: "host", kind: "text", role: "detail", machineOnly: true },
];

/** A line of a movement's history. */
export function eventRow(event: MovementEvent): JsonObject {
  const { at, step, from, to, requestId, evidence, who } = event;
  const note = event.note ?? archiveOf(event) ?? null;
  return { at: isoDarEsSalaam(at), step, from, to, requestId, evidence, note, user: who.user, host: who.host };
}

/** Which of the rows are listed. */
export interface Listing {
  readonly keeps?: ((row: Row) => boolean) | undefined;
  /** The largest number of rows. */
  readonly limit?: number | undefined;
  /** Called for each listed movement, and for those beyond the limit. */
  readonly see?: ((movement: Movement) => void) | undefined;
}

/** Movements as rows, a few hundred at a time. */
export async function* inBatches(
  movements: AsyncIterable<Movement>,
  rowOf: (movement: Movement) => Row,
  { keeps, limit = Infinity, see }: Listing = {},
): Batches {
  let [batch, left]: [Row[], number] = [[], limit];
  for await (const movement of movements) {
    if (left <= 0 && see === undefined) break;
    const row = rowOf(movement);
    if (keeps?.(row) === false) continue;
    see?.(movement);
    if (left <= 0) continue;
    left -= 1;
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
