import type { Expectation } from "../batch/expectation.ts";
import { unexpected } from "../batch/expectation.ts";
import type { RowViolation } from "../batch/rows/row-reader.ts";
import type { BatchLook } from "./batch-look.ts";

/**
 * How a batch differs from what a person expects. A total is compared only where its currency is certain: one with a
 * currency is refused where a wallet's isn't known, and a bare one where rows could have several.
 */
export function unexpectedOfLook(expectation: Expectation, { tally, payers }: BatchLook): RowViolation[] {
  const { count, totals } = expectation;
  const isBare = totals.length > 0 && totals.every(({ currency }) => currency === undefined);
  const isMixed = totals.some(({ currency }) => currency === undefined) && !isBare;
  const currencies = tally.totals.map(({ currency }) => currency);
  const areKnown = !currencies.includes(undefined);
  const others = unexpected({ count, totals: [] }, tally, true);
  if (totals.length === 0) return others;
  if (isMixed) return [...others, ...totalProblem("names a currency in one total and none in another")];
  if (!isBare && !areKnown)
    return [
      ...others,
      ...totalProblem(
        "names a currency, and those of the paying wallets are not known here: a runner's command that reads the wallets keeps them (partner wallets list)",
      ),
    ];
  if (isBare && payers.size > 1 && !(areKnown && currencies.length === 1))
    return [
      ...others,
      ...totalProblem("names no currency, and the rows are paid from several accounts: write TZS=AMOUNT"),
    ];
  return unexpected(expectation, tally, areKnown && !isBare);
}

function totalProblem(problem: string): RowViolation[] {
  return [{ line: undefined, column: "--expect-total", problem }];
}
