import { encodeJson } from "../../../contract/wire.ts";
import type { HistoryLine } from "../../../journal/history/history.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Movement } from "../../../journal/movement.ts";
import { keptRow } from "../../../journal/requests/movement-request.ts";
import { chainedRow, newChain, orderStep, sealStep } from "../../../movements/audit-trail.ts";
import { exactRow } from "../../../movements/journal-report.ts";
import type { JsonObject } from "../../../values/json.ts";
import { Failure } from "../../../values/failure.ts";
import { dayInDarEsSalaam } from "../../../values/time/day.ts";
import { objectOf } from "../proof.ts";
import type { ArchivePlan } from "./plan.ts";

const noUser = { user: "", host: "", version: "" };
const nothingSaid = { requestId: null, evidence: null, note: null, replaced: null };

/**
 * The lines of an archive: those of history, then one with all that is known of each order, and one that seals it. They
 * are one chain, which the last hash proves. The same journal gives the same bytes.
 * @throws {Failure} unavailable where another run has archived some of them
 */
export async function* archiveLines(journal: Journal, plan: ArchivePlan): AsyncGenerator<string> {
  const { before, orders, begin, end } = plan;
  const chain = newChain();
  // Earlier lines of these orders, which were still open when the lines around them were archived.
  const earlier = new Map<string, JsonObject[]>();
  for await (const line of journal.history()) {
    if (line.number > end.count) break;
    const row = chainedRow(line, chain);
    if (row === undefined) continue;
    const object = objectOf(row);
    if (line.number > begin.count) yield textOf(object);
    else if (orders.has(line.id)) earlier.set(line.id, [...(earlier.get(line.id) ?? []), object]);
  }
  const next = (line: Omit<HistoryLine, "number" | "hash">) =>
    textOf(objectOf(chainedRow({ ...line, number: chain.count + 1, hash: null }, chain) ?? {}));
  const archived = new Set<string>();
  for await (const movement of journal.archivable(before)) {
    if (!orders.has(movement.id)) continue;
    archived.add(movement.id);
    yield next(await orderLine(journal, movement, earlier.get(movement.id)));
  }
  if (archived.size < orders.size) throw changedMeanwhile();
  const sealed = {
    before: dayInDarEsSalaam(before).toString(),
    orders: archived.size,
    first: begin.count + 1,
    last: end.count,
    from: begin.head,
    head: end.head,
  };
  yield next({
    id: journal.id,
    scope: "",
    kind: "journal",
    reference: "",
    request: JSON.stringify(sealed),
    event: { at: before, step: sealStep, from: null, to: "archived", ...nothingSaid, who: noUser },
  });
}

async function orderLine(
  journal: Journal,
  movement: Movement,
  earlier: readonly JsonObject[] = [],
): Promise<Omit<HistoryLine, "number" | "hash">> {
  const { id, scope, kind, reference, state, changedAt, who, request, response } = movement;
  const proofs = await journal.proofsOf(id);
  const whole = {
    order: objectOf(exactRow(movement)),
    request,
    answer: response,
    statementRows: proofs.map((row) => keptRow(row)),
    ...(earlier.length === 0 ? {} : { earlierLines: [...earlier] }),
  };
  const event = { at: changedAt, step: orderStep, from: state, to: "archived", ...nothingSaid, who };
  return { id, scope, kind, reference, request: encodeJson(whole), event };
}

/** The failure where less was written than was planned; no file is left of it. */
function changedMeanwhile(): Failure {
  return new Failure(
    "unavailable",
    "Another run archived some of these orders, or they changed; nothing was archived.",
    {
      hint: "Run it again.",
    },
  );
}

function textOf(row: JsonObject): string {
  return `${encodeJson(row)}\n`;
}
