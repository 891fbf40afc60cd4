import type { ApprovalRules, Level } from "../../approvals/approval-rules.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { readLimits } from "../../values/money/limits.ts";

/** Levels that can never apply: after one that covers all of their batches, or above what any checker may decide. */
export function deadEnds({ levels = [], limits }: ApprovalRules): readonly (readonly [path: string, words: string])[] {
  const decision = limits?.checker?.decision === undefined ? undefined : readLimits(limits.checker.decision);
  return levels.flatMap((level, index): (readonly [string, string])[] => {
    const before = levels.slice(0, index);
    const covering = before.findIndex((other) => coversAllOf(other, level));
    if (covering >= 0) return [[`levels.${index}`, `is never reached: level ${covering + 1} takes all of its batches`]];
    const { currency } = level;
    if (currency === undefined || typeof decision !== "object") return [];
    const most = decision.get(currency);
    const from = before.flatMap(({ upTo, ...other }) =>
      upTo !== undefined && other.currency === currency && isGeneral(other) ? [amount(upTo)] : [],
    );
    if (most === undefined || !from.some((least) => least.compare(most) >= 0)) return [];
    return [[`levels.${index}`, `is for more than ${most.toString()} ${currency}, which no checker may decide about`]];
  });
}

function coversAllOf(one: Level, other: Level): boolean {
  if (one.account !== undefined && one.account !== other.account) return false;
  if (one.kind !== undefined && one.kind !== other.kind) return false;
  if (one.upTo === undefined) return one.currency === undefined || one.currency === other.currency;
  if (other.upTo === undefined || one.currency !== other.currency || one.largestRow !== other.largestRow) return false;
  return amount(one.upTo).compare(amount(other.upTo)) >= 0;
}

function isGeneral({ account, kind, largestRow }: Level): boolean {
  return account === undefined && kind === undefined && largestRow === undefined;
}

function amount(text: string): Decimal {
  return Decimal.parse(text) ?? Decimal.zero;
}
