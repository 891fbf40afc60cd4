import { Decimal } from "../../../values/money/decimal.ts";
import type { Reconciliation } from "../reconciliation.ts";

/** One line of the bank reconciliation: what it is, and its amount with the sign that it has there. */
export type BalanceLine = readonly [what: string, amount: Decimal | null];

/**
 * From the closing balance of the statement to that of the book: each amount with the sign with which it counts, rows
 * that only one side has by their class. Lines of zero are left out.
 */
export function balanceLines({ balance, sums }: Pick<Reconciliation, "balance" | "sums">): readonly BalanceLine[] {
  const { inTransit, outstanding, bankFirst, feesNotInBook, alone, differences, ignored, ignoredBefore, unexplained } =
    balance;
  const open: readonly BalanceLine[] = [
    ["receipts in transit", inTransit],
    ["payments outstanding", outstanding.negate()],
    ["in the bank first", bankFirst.negate()],
    ["fees not in book", feesNotInBook],
    ...alone,
    ["differences", differences.negate()],
    ["ignored", ignored.negate()],
    ["ignored before", ignoredBefore.negate()],
    ["unexplained", unexplained?.negate() ?? null],
  ];
  const lines: readonly BalanceLine[] = [
    ["closing per statement", sums.closing],
    ...open.filter(([, amount]) => !amount?.isZero),
  ];
  const known = lines.reduce<Decimal | null>(
    (sum, [, amount]) => (sum === null || amount === null ? null : sum.add(amount)),
    Decimal.zero,
  );
  return [
    ...lines,
    balance.closingPerBook === null
      ? ["= should be in the book", known]
      : ["= closing per book", balance.closingPerBook],
  ];
}
