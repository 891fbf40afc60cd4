import type { MovementKind } from "../journal/movement.ts";

/**
 * How many approvals which batches need. For each part of a batch the first level that fits it counts; the batch needs
 * the largest number among these, and all of their groups.
 */
export interface Level {
  /** The largest total that it is for, or with `largestRow` the largest row; unlimited by default. */
  readonly upTo?: string | undefined;
  /** The currency of `upTo`; without both, the level is for every currency. */
  readonly currency?: string | undefined;
  /** Only for what this account pays. */
  readonly account?: string | undefined;
  readonly kind?: MovementKind | undefined;
  readonly largestRow?: true | undefined;
  readonly approvals: number;
  /** Roles of the database: at least one approver from each. */
  readonly groups?: readonly string[] | undefined;
}

/** Rules as two people set them. An undefined member has its default. */
export interface ApprovalRules {
  readonly levels?: readonly Level[] | undefined;
  /** For batches with a receiver who was never paid before. */
  readonly newReceiver?: { readonly approvals: number } | undefined;
  /** How long an approval is valid for a batch that has not begun. */
  readonly expiry?: string | undefined;
  /** Approvals count only with a signature that the runner has verified. */
  readonly signatures?: "required" | undefined;
  readonly limits?:
    | {
        readonly maker?:
          | {
              readonly day?: string | undefined;
              readonly openBatches?: number | undefined;
              readonly bytes?: number | undefined;
            }
          | undefined;
        readonly checker?: { readonly decision?: string | undefined } | undefined;
      }
    | undefined;
}

/** The same text for the same rules, whatever order and spacing a file has. */
export function textOfRules({ levels, newReceiver, expiry, limits, signatures }: ApprovalRules): string {
  const maker = limits?.maker && {
    day: limits.maker.day,
    openBatches: limits.maker.openBatches,
    bytes: limits.maker.bytes,
  };
  return JSON.stringify({
    levels: levels?.map(({ upTo, currency, account, kind, largestRow, approvals, groups }) => ({
      upTo,
      currency,
      account,
      kind,
      largestRow,
      approvals,
      groups: groups?.toSorted(),
    })),
    newReceiver: newReceiver && { approvals: newReceiver.approvals },
    expiry,
    signatures,
    limits: limits && { maker, checker: limits.checker && { decision: limits.checker.decision } },
  });
}
