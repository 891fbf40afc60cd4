import type { Nearby } from "./by-amount.ts";
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
 * Decides about every row of both sides, exactly once, in the order of what proves most: reference, references in
 * narrations, parts, net of fee, amount and day. Each decides only where it is the one possibility; nothing is guessed
 * and nothing adjusted; the order of the book does not matter.
 * @param exempt takes out what a rule says is fine, once references have found what they find
 * @returns who may belong to whom where that is not known
 */
export function compareRowStores(sides: RowStores, booked: Chains, exempt?: (fees: Fees) => void): Nearby {
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
  // Rows with an amount of their own are matched now, and the rest of a day may be a sum.
  matchDaySums(sides, "probable");
  const nearby = pairByAmount(sides);
  pairNetByAmount(sides, fees, nearby);
  pairFeesByAmount(sides, nearby);
  fees.settle();
  settleAmounts(sides, nearby);
  findInTransit(sides);
  return nearby;
}

/** Nothing can meet where one side has nothing left. */
function isOpenOnBoth({ statement, book }: RowStores): boolean {
  return [statement, book].every((side) => side.openRows().next().done === false);
}
