import type { Journal } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { archiveOf } from "../../journal/archive/archive.ts";
import { keptRow } from "../../journal/requests/movement-request.ts";
import { chainStart } from "../../journal/history/chain-line.ts";
import { NamedProofs } from "../../journal/history/proof-names.ts";
import { archivedEnd, chainedRow, changedLine, newChain } from "../../movements/audit-trail.ts";
import { exactRow } from "../../movements/journal-report.ts";
import type { RecordReport, Row } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

/** The fields of a proof; the long ones are for machines. */
export const proofFields = [
  { name: "reference", kind: "id" },
  { name: "id", kind: "id" },
  { name: "state", kind: "id" },
  { name: "batch", kind: "id" },
  { name: "lines", kind: "count" },
  { name: "from", kind: "id" },
  { name: "head", kind: "id" },
  { name: "order", kind: "text", machineOnly: true },
  { name: "request", kind: "text", machineOnly: true },
  { name: "answer", kind: "text", machineOnly: true },
  { name: "statementRows", kind: "text", machineOnly: true },
  { name: "statementTexts", kind: "text", machineOnly: true },
  { name: "chain", kind: "text", machineOnly: true },
  { name: "redactedLines", kind: "text", machineOnly: true },
] as const;

/**
 * The proof of one order: the order, its evidence, and history from a head on.
 * @param asked the first line's `previous`; undefined for all of history that is here
 * @throws {Failure} mismatch where history does not have that head, or has the order before it
 */
export async function proofOf(journal: Journal, movement: Movement, asked?: string): Promise<RecordReport> {
  const chain = newChain();
  const elsewhere = await inArchive(journal, movement);
  if (elsewhere !== undefined) throw elsewhere;
  const archived = await archivedEnd(journal);
  // Of archived lines only the hashes are here.
  const from = asked ?? archived.head;
  const lines: JsonObject[] = [];
  const named = new NamedProofs();
  let isPassed = from === chainStart;
  let isShown = false;
  const redacted: number[] = [];
  for await (const line of journal.history()) {
    const row = chainedRow(line, chain);
    if (isPassed && row === undefined) throw notPassed("Lines after the given head are in an archive.");
    if (isPassed && row !== undefined) lines.push(objectOf(row));
    if (isPassed && line.hash !== null && [movement.id, movement.batch?.id].includes(line.id))
      redacted.push(line.number);
    isShown ||= isPassed && line.id === movement.id && line.event.step === "claim";
    isPassed ||= chain.head === from;
    if (line.id === movement.id) named.see({ movement: 0, replaced: line.event.replaced });
  }
  if (chain.redacted.changed !== undefined) throw changedLine(chain.redacted.changed);
  if (!isPassed) throw notPassed("None of the lines of the journal's history has the given head.");
  if (!isShown)
    throw notPassed(
      asked === undefined
        ? "The order was placed before lines that are in an archive."
        : "The order was placed before the given head.",
    );
  const proofs = await journal.proofsOf(movement.id);
  if (!named.areRows(proofs)) throw otherRows(movement);
  const { reference, id, state, request, response, batch } = movement;
  const record: Row = {
    reference,
    id,
    state,
    batch: batch?.id ?? null,
    lines: Numeral.of(lines.length),
    from,
    head: chain.head,
    order: objectOf(exactRow(movement)),
    request,
    answer: response,
    statementRows: proofs.map((row) => keptRow(row)),
    statementTexts: [...proofs],
    chain: lines,
    redactedLines: redacted.map((line) => Numeral.of(line)),
  };
  const notes = [...redactedNote(redacted), ...(proofs.length === 0 ? rowlessNote(movement) : [])];
  return { shape: "record", columns: proofFields, record, findings: () => ({ notes }) };
}

/** Names the lines whose hashes a reader of the proof can't recompute. */
function redactedNote(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  const named = `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")} of its history`;
  return [`${named} lost personal data: the hash of what was said there can't be recomputed; later lines name it.`];
}

/** A row of the ledger proves nothing until the history names it. */
function rowlessNote({ id, state }: Movement): string[] {
  if (state !== "accepted" && state !== "reversed") return [];
  return [`No row of a statement proves it yet. To look one up and put it in: partner journal resolve ${id}`];
}

export function objectOf(row: Row): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Why an order cannot be proved here; undefined where it can. */
async function inArchive(journal: Journal, { id, reference }: Movement): Promise<Failure | undefined> {
  const archived = (await journal.events(id)).findLast(({ step }) => step === "archive");
  if (archived === undefined) return undefined;
  return new Failure("usage", `The order ${reference} is proved by its archive: ${archiveOf(archived) ?? ""}.`, {
    hint: "That file has its lines and its answer, and verifies by itself: partner journal verify FILE",
    reference,
  });
}

function otherRows({ reference }: Movement): Failure {
  return new Failure("mismatch", `The statement rows of ${reference} are not those that its history names.`, {
    hint: "Rows were changed in the database. Look at all of it: partner journal verify",
    reason: "damaged",
    reference,
  });
}

function notPassed(message: string): Failure {
  return new Failure("mismatch", message, {
    hint: "Name an earlier head of this journal, or leave --from out.",
    reason: "another head",
  });
}
