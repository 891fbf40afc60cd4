import type { PossiblePairs } from "./by-amount.ts";
import { pairByAmount, pairFeesByAmount, settleAmounts } from "./by-amount.ts";
import { matchByReference, settleReferences } from "./by-reference.ts";
import { matchPartsOfReference } from "./by-reference-parts.ts";
import type { Chains } from "./chains.ts";
import { matchDaySums } from "./day-sums.ts";
import { Fees } from "./fees.ts";
import { findInTransit } from "./in-transit.ts";
import { Mentions } from "./mentions.ts";
import { matchNamed, matchNamedParts } from "./named.ts";
import { matchNetOfFee, pairNetByAmount } from "./net-of-fee.ts";
import type { RowStores } from "./sides.ts";

/**
 * Decides about every row of both sides, the strongest proof first: reference, references in narrations, parts, net of
 * fee, amount and day. Each step decides only where there is one possibility; nothing is guessed and nothing adjusted;
 * the order of the book does not matter.
 * @param exempt removes rows that a rule accepts, after all matching by reference
 * @returns the candidates of rows that could not be paired
 */
export function compareRowStores(sides: RowStores, booked: Chains, exempt?: (fees: Fees) => void): PossiblePairs {
  const fees = new Fees(sides);
  matchByReference(sides, booked);
  fees.matchUnderParents(booked);
  if (isOpenOnBoth(sides)) {
    const mentions = new Mentions(sides);
    matchNamed(sides, mentions);
    matchPartsOfReference(sides);
    matchNamedParts(sides, mentions);
    matchNetOfFee(sides, fees, mentions);
  }
  settleReferences(sides);
  exempt?.(fees);
  matchDaySums(sides, "matched");
  pairByAmount(sides);
  // Rows that match a single row are paired now, so the rest of a day may be a sum.
  matchDaySums(sides, "probable");
  const nearby = pairByAmount(sides);
  pairNetByAmount(sides, fees, nearby);
  pairFeesByAmount(sides, nearby);
  fees.settle();
  settleAmounts(sides, nearby);
  findInTransit(sides);
  return nearby;
}

/** False where one side has nothing left to match. */
function isOpenOnBoth({ statement, book }: RowStores): boolean {
  return [statement, book].every((side) => side.openRows().next().done === false);
}
