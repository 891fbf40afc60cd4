import { isJsonObject } from "../../values/json.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import type { Batches, Row } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { eventRow, payloadOf, textAt } from "../listen/event-line.ts";
import type { Kept } from "./inbox.ts";

const batchMaxRows = 500;
const batchMaxBytes = 4 * 1024 * 1024;

/** The columns for programs: the members that a receiver prints, and the state of the event. */
export const machineFields: readonly Field[] = [
  { name: "id", kind: "id" },
  { name: "receivedAt", kind: "time" },
  { name: "late", kind: "flag" },
  { name: "requestId", kind: "id" },
  { name: "timestamp", kind: "time" },
  { name: "payload", kind: "text" },
  { name: "state", kind: "id" },
  { name: "attempts", kind: "count" },
  { name: "problem", kind: "text" },
];

/** The columns for people: what the payload says, rather than how it came. */
export const personFields: readonly Field[] = [
  { name: "id", kind: "id", role: "detail" },
  { name: "receivedAt", kind: "time", title: "received", role: "when", shortens: "minute" },
  { name: "state", kind: "id", role: "state" },
  { name: "account", kind: "id", role: "who", shortens: "account" },
  { name: "credit", kind: "amount", role: "money", side: "credit" },
  { name: "debit", kind: "amount", role: "money", side: "debit" },
  { name: "currency", kind: "id", role: "money" },
  { name: "reference", kind: "id", role: "what", orElse: ["payer"] },
  { name: "attempts", kind: "count", role: "detail" },
  { name: "problem", kind: "text", role: "detail" },
];

/** The same in the order of a terminal: the most important ones first. */
export const terminalFields: readonly Field[] = [
  "receivedAt",
  "account",
  "credit",
  "debit",
  "currency",
  "reference",
  "state",
  "problem",
  "id",
  "attempts",
].flatMap((name) => personFields.filter((field) => field.name === name));

/** Everything about an event. */
export const detailFields: readonly Field[] = [
  ...machineFields,
  { name: "nextAttemptAt", kind: "time", title: "next attempt" },
  { name: "body", kind: "text" },
];

/** An event for programs, with its whole payload. */
export function machineRow(kept: Kept): Row {
  const { state, attempts, problem } = kept;
  return { ...eventRow(kept, payloadOf(kept) ?? null), state, attempts: Numeral.of(attempts), problem };
}

/** An event for people: account and amount. */
export function personRow(kept: Kept): Row {
  const payload = payloadOf(kept) ?? {};
  const { id, receivedAt, state, attempts, problem } = kept;
  return {
    id,
    receivedAt: isoDarEsSalaam(receivedAt),
    state,
    ...paymentIn(payload),
    attempts: Numeral.of(attempts),
    problem,
  };
}

/** The account, the other party and the amount of an event. */
export function paymentIn(payload: JsonObject) {
  return {
    account: textAt(payload, "account", "accountNo") ?? null,
    credit: amountIn(payload, "amountCredit"),
    debit: amountIn(payload, "amountDebit"),
    currency: textAt(payload, "transaction", "currency") ?? null,
    reference: textAt(payload, "transaction", "reference") ?? null,
    payer: payerIn(payload),
  };
}

/** The fields to search events by: those for programs, and those of the payload for people. */
export const searchFields: readonly Field[] = [
  ...machineFields,
  ...personFields.filter(({ name }) => !machineFields.some((field) => field.name === name)),
  { name: "payer", kind: "text" },
];

export function searchRow(kept: Kept): Row {
  return { ...personRow(kept), ...machineRow(kept) };
}

/** Everything about an entry, with the body as text where it isn't an event. */
export function detailRow(kept: Kept): Row {
  const { dueAt, state, body } = kept;
  const isOdd = state === "forged" || state === "quarantined";
  return {
    ...machineRow(kept),
    nextAttemptAt: dueAt === null ? null : isoDarEsSalaam(dueAt),
    body: isOdd ? new TextDecoder().decode(body) : null,
  };
}

/** Batches that are large enough for a table's widths, and small enough for the memory. */
export async function* inSmallBatches(
  kept: AsyncIterable<Kept>,
  rowOf: (kept: Kept) => Row,
  keeps: (kept: Kept) => boolean = () => true,
): Batches {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const each of kept) {
    if (!keeps(each)) continue;
    batch.push(rowOf(each));
    bytes += each.body.length;
    if (batch.length < batchMaxRows && bytes < batchMaxBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** An event has an amount on one side and a zero on the other, which is not shown. */
function amountIn(payload: JsonObject, name: string): JsonValue {
  const transaction = payload["transaction"];
  const amount = isJsonObject(transaction) ? transaction[name] : undefined;
  if (amount === undefined || (amount instanceof Numeral && Number(amount.text) === 0)) return null;
  return amount;
}

/** Spec is silent on the fields of a counterparty: a name, under any of these keys. */
function payerIn(payload: JsonObject): string | null {
  const names = ["name", "accountName", "accountNo"].map((name) => textAt(payload, "counterparty", name));
  return names.find((name) => name !== undefined && name !== "") ?? null;
}
