import type { Movement, MovementEvent } from "../journal/movement.ts";
import type { Batches, Row } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import type { JsonObject } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import { movementFields, movementRow } from "./movement-report.ts";

/** How many movements are rendered at a time. */
const batchRows = 500;

/** Fields that a list has for machines and a person asks for with `journal show`. */
const detailNames: ReadonlySet<string> = new Set(["requestId", "settledAt", "request", "response"]);

export const listedFields: readonly Field[] = movementFields.map((field) =>
  detailNames.has(field.name) ? { ...field, machineOnly: true } : field,
);

/** Everything that the journal holds of a movement, for auditors. */
export const exportedFields: readonly Field[] = [
  ...movementFields,
  { name: "scope", kind: "text", title: "account" },
  { name: "profile", kind: "id" },
  { name: "transactionId", kind: "id", title: "transaction id" },
  { name: "note", kind: "text" },
  { name: "user", kind: "text" },
  { name: "host", kind: "text" },
  { name: "version", kind: "id" },
  { name: "requestHash", kind: "id", title: "request hash" },
];

export function exportedRow(movement: Movement): Row {
  const { scope, profile, transactionId, note, who, requestHash } = movement;
  return { ...movementRow(movement), scope, profile, transactionId, note, ...who, requestHash };
}

/** What a person sees of each line of a history. */
export const eventFields: readonly Field[] = [
  { name: "at", kind: "time" },
  { name: "step", kind: "id" },
  { name: "from", kind: "id", machineOnly: true },
  { name: "to", kind: "id" },
  { name: "evidence", kind: "id" },
  { name: "note", kind: "text" },
  { name: "user", kind: "text" },
  { name: "requestId", kind: "id", title: "request id" },
  { name: "host", kind: "text", machineOnly: true },
];

/** A line of a movement's history. */
export function eventRow({ at, step, from, to, requestId, evidence, note, who }: MovementEvent): JsonObject {
  return { at: isoDarEsSalaam(at), step, from, to, requestId, evidence, note, user: who.user, host: who.host };
}

/** Movements as rows, a few hundred at a time; `see` looks at each while it passes. */
export async function* inBatches(
  movements: AsyncIterable<Movement>,
  rowOf: (movement: Movement) => Row,
  see: (movement: Movement) => void = () => undefined,
): Batches {
  let batch: Row[] = [];
  for await (const movement of movements) {
    see(movement);
    batch.push(rowOf(movement));
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
