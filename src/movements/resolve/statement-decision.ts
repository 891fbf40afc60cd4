import type { Inquiry, LookupResult } from "../../evidence/inquiry.ts";
import type { WeakRow } from "../../evidence/finding.ts";
import { speaksAgainstRefusal } from "../../evidence/finding.ts";
import type { OutcomeDecision, Journal, Settlement } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { mayClaim } from "../../journal/transitions.ts";
import { sawWords } from "../../evidence/words.ts";
import type { StatementRow } from "../../evidence/rows/statement-row.ts";

/** The result of looking an order up in the statements. */
export interface StatementDecision {
  readonly movement: Movement;
  readonly result: LookupResult;
  /** True where the statement contradicts the journal, by the service's own records. */
  readonly isContradicted: boolean;
}

/**
 * Looks an order up in the statements and records what they prove. Where another process has used a row for another
 * order meanwhile, it looks once more.
 * @param against combines the proof with another answer of the service about the order
 * @throws {Failure} setup | unavailable, of the journal
 */
export async function decideByStatement(
  movement: Movement,
  inquiry: Inquiry,
  journal: Journal,
  against: (decision: OutcomeDecision) => OutcomeDecision = (decision) => decision,
): Promise<StatementDecision> {
  for (let looksLeft = 2; ; looksLeft--) {
    const result = await inquiry.look(movement);
    const proved = decisionOf(result, inquiry);
    const decision = proved && against(proved);
    if (decision === undefined && mayClaim(movement)) await holdBack(movement, result, inquiry, journal);
    if (decision === undefined || isKnown(movement, decision)) return { movement, result, isContradicted: false };
    const { outcome, movement: now } = await journal.resolve(movement, decision);
    if (outcome === "contradicted") await holdBack(now, result, inquiry, journal);
    if (outcome !== "taken" || looksLeft === 1)
      return { movement: now, result, isContradicted: outcome === "contradicted" };
  }
}

/** Keeps the rows that show or may show the payment of a refused order: otherwise the order could be sent again. */
async function holdBack(
  { scope, reference }: Movement,
  result: LookupResult,
  inquiry: Inquiry,
  journal: Journal,
): Promise<void> {
  const seen = rowsAgainst(result).flatMap((row) =>
    inquiry.proofsOf(row).map((proof) => ({ scope, accountNo: row.accountNo, reference, ...proof })),
  );
  if (seen.length > 0) await journal.keepSeen(seen);
}

function rowsAgainst(result: LookupResult): readonly StatementRow[] {
  if (result.kind === "proved" || result.kind === "reversed") return [result.row];
  return result.kind === "weak" ? result.seen.filter(holdsBack).map(({ row }) => row) : [];
}

function holdsBack(row: WeakRow): boolean {
  return row.isOneOfSeveral || (row.reference !== "missing" && speaksAgainstRefusal(row));
}

/** The settlement of an order that was never sent from here, if a row proves it. */
export function settlementBy(result: LookupResult, inquiry: Inquiry): Settlement | undefined {
  return decisionOf(result, inquiry);
}

/** The outcome of an order, as the statement proves it. */
function decisionOf(
  result: LookupResult,
  inquiry: Inquiry,
): (Settlement & { readonly state: "accepted" | "reversed"; readonly evidence: "statement" }) | undefined {
  if (result.kind !== "proved" && result.kind !== "reversed") return undefined;
  const { kind, row, idFromFee } = result;
  return {
    ...(idFromFee === undefined ? {} : { transactionId: idFromFee }),
    state: kind === "proved" ? "accepted" : "reversed",
    evidence: "statement",
    note: sawWords(result).replace(/\.$/, ""),
    proofs: kind === "proved" ? inquiry.proofsOf(row) : inquiry.proofsOf(row, result.back),
  };
}

/** True for a decision that an earlier look recorded already. */
function isKnown({ state, evidence, note }: Movement, decision: OutcomeDecision): boolean {
  if (decision.evidence !== "statement") return state === decision.state && note === decision.note;
  return state === decision.state && evidence === "statement";
}
