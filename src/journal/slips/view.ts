import type { Movement, MovementState } from "../movement.ts";
import { isFinal, isInFlight, movementNouns } from "../movement.ts";
import type { OutcomeDecision, Settlement } from "../journal.ts";
import type { Slip } from "./slip.ts";
import { attemptHeard } from "./slip.ts";

/** States that a slip may know better. */
export const openStates: readonly MovementState[] = ["prepared", "sending", "pending", "unknown"];

/** An order as its slips say it is, the oldest first: they are newer than what the journal has. */
export function withSlip(movement: Movement, slips: readonly Slip[]): Movement {
  return slips
    .filter((slip) => slip.movement === movement.id)
    .reduce((shown, slip) => (openStates.includes(shown.state) ? asSaid(shown, slip) : shown), movement);
}

function asSaid(movement: Movement, slip: Slip): Movement {
  const { sent, heard, at } = slip;
  if (sent !== undefined) return changed(movement, sent.settlement, at);
  if (heard === undefined || isInFlight(movement)) return movement;
  return attemptHeard(slip, movement) === movement.attempt ? changed(movement, heard, at) : movement;
}

function changed(movement: Movement, said: Settlement | OutcomeDecision, at: number): Movement {
  const { state, note, transactionId } = said;
  const response = "response" in said ? said.response : undefined;
  return {
    ...movement,
    state,
    response: response ?? movement.response,
    evidence: said.evidence ?? (response === undefined ? null : "answer"),
    note: note ?? null,
    transactionId: transactionId ?? movement.transactionId,
    changedAt: at,
    settledAt: isFinal(state) ? at : null,
  };
}

/** `transfer R-1 (accepted)`. */
export function nameSlip({ kind, reference, sent, heard }: Slip): string {
  return `${movementNouns[kind]} ${reference} (${sent?.settlement.state ?? heard?.state ?? "unknown"})`;
}

/** The same with everything by which a person finds it again. */
export function describeSlip(slip: Slip): string {
  const { movement, sent, heard } = slip;
  const transactionId = sent?.settlement.transactionId ?? heard?.transactionId;
  const ids = [
    `id ${movement}`,
    ...(sent?.requestId === undefined ? [] : [`request ${sent.requestId}`]),
    ...(transactionId === undefined ? [] : [`transaction ${transactionId}`]),
  ];
  return `${nameSlip(slip)}, ${ids.join(", ")}`;
}
