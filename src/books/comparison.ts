import { Decimal } from "../values/money/decimal.ts";
import type { Cash } from "./cash.ts";
import type { Fee } from "./fees.ts";
import { percentOf } from "./share.ts";

/** One figure of an account in two months. */
export interface Compared {
  readonly account: string;
  readonly currency: string;
  /** `opening`, `in`, `out`, `fees`, `closing`, or `fees: collection`. */
  readonly figure: string;
  readonly first: Decimal;
  readonly second: Decimal;
  /** `second − first`. */
  readonly difference: Decimal;
  /** The difference as a percentage of the first; null where that is zero. */
  readonly percent: Decimal | null;
}

const figures = ["opening", "in", "out", "fees", "closing"] as const;

/** The figures of a month. */
export interface Month {
  readonly cash: readonly Cash[];
  readonly fees: readonly Fee[];
}

/** Cash and fees of two months, account by account. */
export function comparisonOf(first: Month, second: Month): readonly Compared[] {
  return first.cash.flatMap((cash) => {
    const { accountNo: account, currency, number } = cash.account;
    const later = second.cash.find((other) => other.account.number === number) ?? cash;
    const feesIn = ({ fees }: Month) => fees.filter((fee) => fee.account.number === number);
    const kinds = [...new Set([...feesIn(first), ...feesIn(second)].map(({ kind }) => kind))];
    const sumOf = (month: Month, kind: string) => feesIn(month).find((fee) => fee.kind === kind)?.sum ?? Decimal.zero;
    return [
      ...figures.map((figure) => ({ figure, first: cash[figure], second: later[figure] })),
      ...kinds.map((kind) => ({ figure: `fees: ${kind}`, first: sumOf(first, kind), second: sumOf(second, kind) })),
    ].map(({ figure, first: one, second: other }) => {
      const difference = other.subtract(one);
      return {
        account,
        currency,
        figure,
        first: one,
        second: other,
        difference,
        percent: percentOf(difference, one.abs()),
      };
    });
  });
}
