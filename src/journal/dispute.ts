import type { Evidence, Movement, MovementState } from "./movement.ts";
import { isFinal, mayPass } from "./movement.ts";

/** A claim about the outcome of an order. */
export interface ClaimedOutcome {
  readonly state: MovementState;
  readonly evidence: Evidence | null;
}

/**
 * True where two final states differ about the money. "Paid" and "paid and reversed" don't contradict each other,
 * whatever their order.
 */
export function isOtherOutcome(one: MovementState, other: MovementState): boolean {
  return one !== other && !(isPaid(one) && isPaid(other));
}

export function isPaid(state: MovementState): boolean {
  return state === "accepted" || state === "reversed";
}

/** True where the known state and the claimed one contradict each other about the money. */
export function contradicts(known: MovementState, claimed: MovementState): boolean {
  if (claimed === "pending" && isPaid(known)) return false;
  return mayPass("dispute", known, "unknown") && isOtherOutcome(known, claimed);
}

/** Evidence that comes after the answer and proves less than a statement: a callback, or a status. */
function isLater(evidence: Evidence | null): boolean {
  return evidence === "callback" || evidence === "status";
}

/**
 * True where an answer, callbacks, a status and a person contradict each other: none of them proves the other wrong, so
 * the outcome is unknown. A statement's row is proof, and only another row contradicts it.
 */
export function isDisputed(known: Pick<Movement, "state" | "evidence">, claim: ClaimedOutcome): boolean {
  if (known.evidence === "statement" || !contradicts(known.state, claim.state)) return false;
  if (claim.evidence === "answer")
    return (isLater(known.evidence) || known.evidence === "person") && claim.state !== "unknown";
  // A callback or a status that knows nothing doesn't undo a person's word.
  return isLater(claim.evidence) && !(known.evidence === "person" && claim.state === "unknown");
}

/**
 * The evidence of a disputed order, by which `isLeftOpen` recognises it: the callback, or else `status`, what the
 * service said last.
 */
export function openEvidence(evidence: Evidence | null): Evidence {
  return evidence === "callback" ? evidence : "status";
}

/** True where callbacks or a status left the order unknown: then neither a further one nor a late answer decides it. */
export function isLeftOpen({ state, evidence }: Pick<Movement, "state" | "evidence">, claim: ClaimedOutcome): boolean {
  return state === "unknown" && isLater(evidence) && (isLater(claim.evidence) || claim.evidence === "answer");
}

/** True where a statement's row proved it, and the claim has weaker evidence. */
export function isProved({ state, evidence }: Pick<Movement, "state" | "evidence">, claim: ClaimedOutcome): boolean {
  return evidence === "statement" && isFinal(state) && claim.evidence !== "statement";
}
