import { sha256 } from "../journal/request-hash.ts";
import type { HistoryLine } from "../journal/history.ts";
import type { Batches, Row } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import { Failure } from "../values/failure.ts";
import { Numeral } from "../values/json.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";

/** What each line is sealed with, in the order in which it is sealed. */
const sealedFields: readonly Field[] = [
  { name: "number", kind: "count", role: "detail" },
  { name: "at", kind: "time", role: "when" },
  { name: "id", kind: "id", role: "detail" },
  { name: "kind", kind: "id", role: "what" },
  { name: "reference", kind: "id", role: "what" },
  { name: "scope", kind: "text", title: "account", role: "detail" },
  { name: "step", kind: "id", role: "state" },
  { name: "from", kind: "id", role: "detail" },
  { name: "to", kind: "id", role: "state" },
  { name: "requestId", kind: "id", title: "request id", role: "detail" },
  { name: "evidence", kind: "id", role: "detail" },
  { name: "note", kind: "text", role: "detail" },
  { name: "request", kind: "text", role: "detail" },
  { name: "replaced", kind: "text", role: "detail" },
  { name: "user", kind: "text", role: "who" },
  { name: "host", kind: "text", role: "detail" },
  { name: "version", kind: "id", role: "detail" },
];

/**
 * The history for auditors. Each line has the hash of the one before it and its own, which is made of that and of all
 * that the line says: whoever changes, removes or adds a line has to change every hash after it, up to the last one,
 * the head. Whoever keeps the head elsewhere notices.
 */
export const auditFields: readonly Field[] = [
  ...sealedFields,
  { name: "previous", kind: "id", role: "detail" },
  { name: "hash", kind: "id", role: "detail" },
];
export const auditNames = auditFields.map(({ name }) => name);

/** What comes before the first line. */
export const chainStart = "0".repeat(64);
const batchRows = 500;

/**
 * The hash of a line: SHA-256 of the JSON list of the hash before and the line's cells as text, nothing where there is
 * none.
 */
export function hashLine(previous: string, cell: (name: string) => string): string {
  return sha256(JSON.stringify([previous, ...sealedFields.map(({ name }) => cell(name))]));
}

/** Where a chain ends. */
export interface Chain {
  count: number;
  head: string;
}

/** The lines as rows, and `chain` brought forward with each. */
export async function* auditRows(history: AsyncIterable<HistoryLine>, chain: Chain): Batches {
  let batch: Row[] = [];
  for await (const line of history) {
    batch.push(chainedRow(line, chain));
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Brings the chain forward by one line. */
export function chainedRow({ number, event, id, kind, reference, scope, request }: HistoryLine, chain: Chain): Row {
  const { at, step, from, to, requestId, evidence, note, replaced, who } = event;
  const said = { id, kind, reference, scope, step, from, to, requestId, evidence, note, request, replaced, ...who };
  const row: Readonly<Record<string, string | null>> = { ...said, number: String(number), at: isoDarEsSalaam(at) };
  const previous = chain.head;
  chain.head = hashLine(previous, (name) => row[name] ?? "");
  chain.count = number;
  return { ...row, number: Numeral.of(number), previous, hash: chain.head };
}

/** @throws {Failure} usage */
export function readHead(text: string, name: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new Failure("usage", `${name} is not a head: it has 64 digits and letters from a to f.`, {
    hint: "It is the hash of the last line that was exported.",
  });
}
