import { matchByAmount } from "../by-amount.ts";
import type { Nearby } from "../by-amount.ts";
import { matchByReference } from "../by-reference.ts";
import type { RowStores } from "../by-reference.ts";
import type { Chains } from "../chains.ts";
import { joinFees } from "../fees.ts";

/**
 * Decides about every row of both sides, exactly once: fees join their parents, then rows meet by reference, then by
 * amount and day. Nothing is guessed and nothing adjusted; the order of the book does not matter.
 * @returns who may belong to whom where that is not known
 */
export function compareRowStores(sides: RowStores, booked: Chains, windowDays: number): Nearby {
  const fees = joinFees(sides, booked);
  matchByReference(sides, booked);
  fees.settleRest();
  return matchByAmount(sides, windowDays);
}
