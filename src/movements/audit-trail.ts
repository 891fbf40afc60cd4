import { cellsOf, chainStart, hashOfLine } from "../journal/chain-line.ts";
import type { HistoryLine } from "../journal/history.ts";
import type { Batches, Row } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import { Failure } from "../values/failure.ts";
import { Numeral } from "../values/json.ts";
import { RedactedLines } from "../journal/redaction/redacted-lines.ts";

/** What each line is sealed with. */
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
 * The history for auditors. Each line has the hash of the line before and its own, which covers that hash and the whole
 * line: to change, remove or add a line, every later hash has to change, up to the last one, the head. A copy of the
 * head elsewhere reveals it.
 */
export const auditFields: readonly Field[] = [
  ...sealedFields,
  { name: "previous", kind: "id", role: "detail" },
  { name: "hash", kind: "id", role: "detail" },
];
export const auditNames = auditFields.map(({ name }) => name);

const batchRows = 500;

/** Where a chain ends. */
export interface Chain {
  count: number;
  head: string;
  /** Lines of which something was taken since, until a later line says so. */
  readonly redacted: RedactedLines;
}

export function newChain(): Chain {
  return { count: 0, head: chainStart, redacted: new RedactedLines() };
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
export function chainedRow(line: HistoryLine, chain: Chain): Row {
  const cells = cellsOf(line);
  const previous = chain.head;
  const made = hashOfLine(previous, line);
  chain.head = line.hash ?? made;
  chain.count = line.number;
  chain.redacted.see({ number: String(line.number), hash: chain.head, made: [made] }, line.event);
  return { ...cells, number: Numeral.of(line.number), previous, hash: chain.head };
}

/** A line says something else than it did, and no later one says that something was taken out of it. */
export function changedLine(number: string): Failure {
  return new Failure("mismatch", `Line ${number} of the journal's history is not as it was written.`, {
    hint: "Its history was changed. Compare it with an earlier export: partner journal verify --export FILE",
    reason: "broken chain",
  });
}

/** @throws {Failure} usage */
export function readHead(text: string, name: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new Failure("usage", `${name} is not a head: it has 64 digits and letters from a to f.`, {
    hint: "It is the hash of the last line that was exported.",
  });
}
