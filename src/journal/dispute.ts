import type { Evidence, Movement, MovementState } from "./movement.ts";
import { isFinal, mayPass } from "./movement.ts";

/** What somebody says came of an order. */
export interface Claim {
  readonly state: MovementState;
  readonly evidence: Evidence | null;
}

/**
 * True where two final states say different things of the money. That it was paid and that it was paid and came back
 * are no different things, in whichever order they are heard.
 */
export function isOtherwise(one: MovementState, other: MovementState): boolean {
  return one !== other && !(isPaid(one) && isPaid(other));
}

function isPaid(state: MovementState): boolean {
  return state === "accepted" || state === "reversed";
}

/** True where what is known says what came of the money, and what is claimed says otherwise. */
export function contradicts(known: MovementState, claimed: MovementState): boolean {
  return mayPass("dispute", known, "unknown") && isOtherwise(known, claimed);
}

/** What came after the answer, and is no proof: a callback, or the service's word when it was asked. */
function isLater(evidence: Evidence | null): boolean {
  return evidence === "callback" || evidence === "status";
}

/**
 * True where an answer, callbacks, a status and a person contradict each other: none of them proves the other wrong, so
 * nobody knows. A statement's row does, and nothing but another row contradicts it.
 */
export function isDisputed(known: Pick<Movement, "state" | "evidence">, claim: Claim): boolean {
  if (known.evidence === "statement" || !contradicts(known.state, claim.state)) return false;
  if (claim.evidence === "answer") return isLater(known.evidence) && claim.state !== "unknown";
  // A callback or a status that knows nothing undoes no person's word.
  return isLater(claim.evidence) && !(known.evidence === "person" && claim.state === "unknown");
}

/** True where callbacks or a status left it unknown: no further one decides it then, nor an answer that comes late. */
export function isLeftOpen({ state, evidence }: Pick<Movement, "state" | "evidence">, claim: Claim): boolean {
  return state === "unknown" && isLater(evidence) && (isLater(claim.evidence) || claim.evidence === "answer");
}

/** True where a statement's row proved it, and what is claimed rests on less. */
export function isProved({ state, evidence }: Pick<Movement, "state" | "evidence">, claim: Claim): boolean {
  return evidence === "statement" && isFinal(state) && claim.evidence !== "statement";
}
