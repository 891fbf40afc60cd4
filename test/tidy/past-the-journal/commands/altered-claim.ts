import type { Claim } from "../journal/journal.ts";

/** The journal's claim, with its record removed. */
export function silenced(claim: Claim): Claim {
  return { ...claim, beforeFirstByte: () => undefined };
}
