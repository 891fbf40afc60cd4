import { cellsOf, chainStart, hashOfLine } from "../journal/history/chain-line.ts";
import type { Journal } from "../journal/journal.ts";
import type { HistoryLine } from "../journal/history/history.ts";
import type { Batches, Row } from "../report/report.ts";
import type { Field } from "../values/field.ts";
import { Failure } from "../values/failure.ts";
import { Numeral } from "../values/json.ts";
import { RedactedLines } from "../journal/redaction/redacted-lines.ts";

/** The fields that a line's hash covers, besides the hash of the line before. */
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
 * line. Whoever changes, removes or adds a line has to change every later hash, up to the last one, the head. A copy of
 * the head elsewhere reveals it.
 */
export const auditFields: readonly Field[] = [
  ...sealedFields,
  { name: "previous", kind: "id", role: "detail" },
  { name: "hash", kind: "id", role: "detail" },
];
export const auditNames = auditFields.map(({ name }) => name);

const batchRows = 500;

/** The step of an archive's last line: it says which lines the archive has, and of which orders. */
export const sealStep = "seal";

/** The step of an archive's line with all that is known of one order. */
export const orderStep = "archive";

/** The state of a chain at a line. */
export interface ChainEnd {
  /** The number of the line. */
  readonly count: number;
  readonly head: string;
}

/** Where a chain ends. */
export interface AuditChain {
  count: number;
  head: string;
  /** Lines that no longer match their hash, until a later line says that they were redacted. */
  readonly redacted: RedactedLines;
}

export function newChain(): AuditChain {
  return { count: 0, head: chainStart, redacted: new RedactedLines() };
}

/** The lines after number `after` as rows. Every line advances `chain`. */
export async function* auditRows(history: AsyncIterable<HistoryLine>, chain: AuditChain, after = 0): Batches {
  let batch: Row[] = [];
  for await (const line of history) {
    const row = chainedRow(line, chain);
    if (row !== undefined && line.number > after) batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The position of the last line that is in an archive: everything after it is here. */
export async function archivedEnd(journal: Pick<Journal, "hasArchived" | "history">): Promise<ChainEnd> {
  const chain = newChain();
  let end: ChainEnd = { count: 0, head: chainStart };
  if (!(await journal.hasArchived())) return end;
  for await (const line of journal.history())
    if (chainedRow(line, chain) === undefined) end = { count: chain.count, head: chain.head };
  return end;
}

/** Advances the chain by one line. @returns the line as a row; undefined for one that is in an archive */
export function chainedRow(line: HistoryLine, chain: AuditChain): Row | undefined {
  if (line.isArchived && line.hash !== null) {
    chain.head = line.hash;
    chain.count = line.number;
    return undefined;
  }
  const cells = cellsOf(line);
  const previous = chain.head;
  const made = hashOfLine(previous, line);
  chain.head = line.hash ?? made;
  chain.count = line.number;
  chain.redacted.see({ number: String(line.number), hash: chain.head, made: [made] }, line.event);
  return { ...cells, number: Numeral.of(line.number), previous, hash: chain.head };
}

/** The failure for a line that was changed, and that no later line calls redacted. */
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
