import type { MovementKind } from "../journal/movement.ts";

/** How many have to approve which batches. The first level that a row fits asks; a batch needs what its rows ask. */
export interface Level {
  /** The largest total, or with `largestRow` the largest row, that it is for; any by default. */
  readonly upTo?: string | undefined;
  /** Of `upTo`; without either it is for every currency. */
  readonly currency?: string | undefined;
  /** For what this account pays. */
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
