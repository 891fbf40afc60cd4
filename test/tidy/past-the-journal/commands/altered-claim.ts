import type { Claim } from "../journal/journal.ts";

/** The journal's claim, with the record taken out of it. */
export function silenced(claim: Claim): Claim {
  return { ...claim, beforeFirstByte: () => undefined };
}
