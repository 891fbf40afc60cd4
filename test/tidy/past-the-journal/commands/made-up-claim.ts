import type { Claim } from "../journal/journal.ts";
import type { Movement } from "../journal/movement.ts";

/** A claim that records nothing. */
export function claimOf(movement: Movement): Claim {
  return {
    movement,
    token: "1.0",
    beforeDialling: () => Promise.resolve(),
    beforeFirstByte: () => undefined,
    settle: () => Promise.resolve(movement),
  };
}
