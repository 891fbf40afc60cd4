import type { Reader } from "../client/reader.ts";
import type { Journal } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";
import { isFinal, isInFlight } from "../journal/movement.ts";
import type { Day } from "../values/day.ts";
import { theRow } from "./statement-evidence.ts";
import type { FoundRow } from "./statement-search.ts";
import { findRows, nameRow, othersIn } from "./statement-search.ts";

/** What was found out about a movement, and what it rests on in words. */
export interface Resolved {
  readonly movement: Movement;
  readonly saw: string;
}

export interface ResolveTools {
  readonly journal: Journal;
  readonly service: Pick<Reader, "read">;
  /** Whose account the service speaks for. */
  readonly scope: string;
  readonly today: Day;
}

/**
 * Looks an open movement up in the statements. One row that carries its reference and did what was ordered decides;
 * anything less is shown and leaves the movement as it is. That no row is there proves nothing: it may come tomorrow.
 * @throws {Failure} setup | refused | unavailable | interrupted
 */
export async function resolveByStatement(movement: Movement, tools: ResolveTools): Promise<Resolved> {
  const { journal, service, scope, today } = tools;
  if (isFinal(movement.state)) return { movement, saw: `It is ${movement.state} already.` };
  if (isInFlight(movement)) return { movement, saw: "A process is at it right now." };
  if (movement.scope !== scope)
    return {
      movement,
      saw: `It belongs to another account (${movement.scope}): name the profile that it was sent with.`,
    };
  const rows = await findRows(movement, service, today, othersIn(journal, movement));
  const row = theRow(rows);
  if (row === undefined) return { movement, saw: weakEvidence(rows) };
  const note = `The statement shows ${nameRow(row)}`;
  const decision = { state: "accepted", evidence: "statement", note } as const;
  return { movement: (await journal.resolve(movement.id, decision)).movement, saw: `${note}.` };
}

function weakEvidence(rows: readonly FoundRow[]): string {
  if (rows.length === 0)
    return "No row of the statements around that day carries its reference. That proves nothing yet; look again later.";
  const seen = rows.map((row) => `${nameRow(row)}${row.agrees ? "" : ", with another amount"}`).join("; ");
  return `${rows.length === 1 ? "One row carries" : `${rows.length} rows carry`} its reference and decide nothing: ${seen}.`;
}
