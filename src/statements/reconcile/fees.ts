import { feeSuffixes } from "../../contract/fee-row.ts";
import { RowSet } from "../row-set.ts";
import type { RowStores } from "./by-reference.ts";
import { Chains } from "./chains.ts";
import { joined } from "./rows/row-store.ts";

const feeStart = "SERVICE FEE FOR REF:";

/** The reference of what a row is the fee of; undefined where it is no fee. */
export function feeParent(reference: string, narration: string): string | undefined {
  for (const suffix of feeSuffixes)
    if (reference.endsWith(suffix) && reference !== suffix) return reference.slice(0, -suffix.length);
  if (!narration.startsWith(feeStart)) return undefined;
  const [parent = ""] = narration.slice(feeStart.length).split(/\s/, 1);
  return parent === "" ? undefined : parent;
}

/** How the rows of fees stand to the rows that they are fees of. */
export interface Fees {
  /** What becomes of the fees that the book has rows of its own for, and that did not find them. */
  settleRest(): void;
}

/**
 * Joins the fees of a statement to the rows that they belong to, the first of a reference. A fee without such a row is
 * an orphan, one that stands there again a duplicate. Where the book has a row of the fee's own reference, the fee is
 * left to be matched with it, and is joined all the same.
 */
export function joinFees({ statement, codes, texts }: RowStores, booked: Chains): Fees {
  const parents = new Chains(statement, texts.count, (row) => (statement.isFee(row) ? 0 : statement.referenceOf(row)));
  const seen = new RowSet();
  const rest: number[] = [];
  const verdictOf = (fee: number) => (parents.firstOf(statement.parentOf(fee)) === undefined ? "orphan fee" : joined);
  for (let fee = 0; fee < statement.count; fee += 1) {
    if (!statement.isFee(fee)) continue;
    const isBooked = booked.firstOf(statement.keyOf(fee)) !== undefined;
    if (isBooked) rest.push(fee);
    const name = `${statement.keyOf(fee)} ${statement.parentOf(fee)} ${statement.amountOf(fee)}`;
    if (seen.add(name)) {
      if (!isBooked) statement.decide(fee, "duplicate");
      continue;
    }
    if (!isBooked) statement.decide(fee, verdictOf(fee));
    const parent = parents.firstOf(statement.parentOf(fee));
    if (parent !== undefined && statement.hasAmount(fee))
      statement.setFee(parent, codes.sumOf(statement.feeOf(parent), statement.amountOf(fee)));
  }
  return {
    settleRest() {
      for (const fee of rest) if (statement.isOpen(fee)) statement.decide(fee, verdictOf(fee));
    },
  };
}
