import type { Settlement } from "./journal.ts";
import type { Movement } from "./movement.ts";

/** Another process holds the order now, or has decided about it. `movement` is its current state. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
  readonly movement: Movement;

  constructor(movement: Movement) {
    super(`The order ${movement.id} is no longer this process's own: it is ${movement.state}`);
    this.movement = movement;
  }
}

/** A row of a statement proves another order by now: it doesn't prove this one, which is unchanged. */
export class ProofTaken extends Error {
  override readonly name = "ProofTaken";

  constructor() {
    super("A row of the statement proves another order by now");
  }
}

/** The outcome of an order could not be recorded: the disk is full or broken, or another program locks the journal. */
export class OutcomeUnrecorded extends Error {
  override readonly name = "OutcomeUnrecorded";
  readonly settlement: Settlement;
  /** A sentence for a person. */
  readonly reason: string;

  constructor(settlement: Settlement, cause: unknown) {
    super("The outcome of an order could not be recorded", { cause });
    this.settlement = settlement;
    this.reason = cause instanceof Error ? cause.message : String(cause);
  }
}
