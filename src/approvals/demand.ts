import type { MovementKind } from "../journal/movement.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { ApprovalRules, Level } from "./approval-rules.ts";

/** What a batch moves of one kind, from one account, in one currency. */
export interface MovedPart {
  readonly kind: MovementKind;
  /** Empty where the request names none. */
  readonly account: string;
  readonly currency: string;
  readonly amount: Decimal;
  /**
   * True for what the sender of a remittance pays in another currency: it counts only where a level names that
   * currency.
   */
  readonly isSender?: true;
}

/** What rules demand of a batch. */
export interface Demand {
  readonly approvals: number;
  readonly groups: readonly string[];
  /** A currency whose sum no level is for. */
  readonly beyond: string | undefined;
}

/**
 * What the rules demand of a batch that moves these parts. The database demands the same, but doesn't know every
 * currency.
 */
export function demandOf(
  { levels, newReceiver }: ApprovalRules,
  parts: readonly MovedPart[],
  hasNewReceiver: boolean,
): Demand {
  const ofReceivers = hasNewReceiver ? (newReceiver?.approvals ?? 1) : 1;
  if (levels === undefined) return { approvals: ofReceivers, groups: [], beyond: undefined };
  const [totals, largest] = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  for (const { currency, amount } of parts) {
    totals.set(currency, (totals.get(currency) ?? Decimal.zero).add(amount));
    const most = largest.get(currency) ?? Decimal.zero;
    largest.set(currency, amount.compare(most) > 0 ? amount : most);
  }
  const counted = parts.filter(
    (part) => part.isSender !== true || levels.some((level) => level.currency !== undefined && isAbout(level, part)),
  );
  const found = counted.map((part) => {
    const level = levels.find((one) => {
      const sum = (one.largestRow === true ? largest : totals).get(part.currency) ?? Decimal.zero;
      return (
        isAbout(one, part) && (one.upTo === undefined || sum.compare(Decimal.parse(one.upTo) ?? Decimal.zero) <= 0)
      );
    });
    return { part, level };
  });
  return {
    approvals: Math.max(ofReceivers, ...found.map(({ level }) => level?.approvals ?? 1)),
    groups: [...new Set(found.flatMap(({ level }) => level?.groups ?? []))],
    beyond: found.find(({ level }) => level === undefined)?.part.currency,
  };
}

function isAbout({ kind, account, currency }: Level, part: MovedPart): boolean {
  return (
    (kind ?? part.kind) === part.kind &&
    (account ?? part.account) === part.account &&
    (currency ?? part.currency) === part.currency
  );
}
