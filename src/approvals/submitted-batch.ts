import type { PostgresRecord } from "../host/databases/postgres.ts";
import { DamageError } from "../storage/failures.ts";
import { sealOfDecision } from "../journal/postgres/chain/decision-seal.ts";
import type { ApprovalStanding } from "./standing.ts";
import { namesInList, approvalStandingOf } from "./standing.ts";

/** How far a submitted batch has come. */
export const submittedStates = [
  "submitted",
  "approved",
  "expired",
  "rejected",
  "withdrawn",
  "running",
  "done",
] as const;
export type SubmittedState = (typeof submittedStates)[number];

/** States that a batch can still leave without a new submission. */
const waitingStates: ReadonlySet<SubmittedState> = new Set(["submitted", "approved", "running"]);

/** True for a batch of which nothing more is sent. */
export function isOver(state: SubmittedState): boolean {
  return !waitingStates.has(state);
}

/** The failure reason for a journal without submitted batches. */
export const noApprovals = "no approvals";

export type DecisionKind = "approved" | "rejected";

/** A decision about a batch, with the database user who made it. */
export interface BatchDecision {
  readonly decision: DecisionKind;
  readonly reason: string | null;
  readonly by: string;
  readonly at: number;
  /** JSON text: what was seen when it was decided; null where that was not kept. */
  readonly looked: string | null;
  /** Of the batch's digest, as `ssh-keygen` writes it; null where it was not signed. */
  readonly signature: string | null;
  /** Roles of the database that the person was in. */
  readonly memberOf: readonly string[];
  /** Whom the person decided for, too. */
  readonly actingFor: readonly string[];
}

/** A batch in the shared journal, without its file. Times are milliseconds since 1970 UTC. */
export interface SubmittedBatch {
  readonly id: string;
  readonly scope: string;
  /** Of description, file and orders together; decisions are about this. */
  readonly digest: string;
  /** JSON text. */
  readonly description: string;
  readonly rowCount: number;
  /** True where its file, its names and its texts were removed. */
  readonly isRedacted: boolean;
  /** The role in the database. */
  readonly submittedBy: string;
  readonly submittedAt: number;
  readonly state: SubmittedState;
  /** The last decision; undefined while there is none. */
  readonly verdict: BatchDecision | undefined;
  /** How far its approvals are; undefined where it is over. */
  readonly standing: ApprovalStanding | undefined;
}

/**
 * A batch from a record of the database.
 * @throws {DamageError} where a column is missing, or the decision was changed
 */
export function submittedOf(record: PostgresRecord): SubmittedBatch {
  const text = (name: string) => {
    const value = record[name];
    if (typeof value === "string") return value;
    throw new DamageError(`a batch has no ${name}`);
  };
  const verdict = batchDecisionOf(record);
  return {
    id: text("id"),
    scope: text("scope"),
    digest: text("digest"),
    description: text("description"),
    rowCount: Number(record["row_count"]),
    isRedacted: record["is_redacted"] === true,
    submittedBy: text("submitted_by"),
    submittedAt: Number(record["submitted_at"]),
    state: submittedStates.find((state) => state === record["state"]) ?? "submitted",
    verdict,
    standing: approvalStandingOf(record),
  };
}

/** SHA-256 of a batch's file; empty where there is no such batch. */
export function contentDigestOf(record: PostgresRecord | undefined): string {
  return typeof record?.["digest"] === "string" ? record["digest"] : "";
}

/**
 * The decision in a row; undefined where there is none.
 * @throws {DamageError} where it was changed
 */
export function batchDecisionOf(record: PostgresRecord): BatchDecision | undefined {
  const { decision, reason, decided_by: by, decided_at: at } = record;
  if (decision !== "approved" && decision !== "rejected") return undefined;
  const looked = typeof record["looked"] === "string" ? record["looked"] : null;
  const { member_of: memberOf, acting_for: actingFor } = record;
  const seal = sealOfDecision({
    number: record["decision_number"],
    batch: record["id"],
    digest: record["digest"],
    decision,
    decided_by: by,
    decided_at: at,
    reason: typeof reason === "string" ? reason : null,
    looked,
    member_of: typeof memberOf === "string" ? memberOf : null,
    acting_for: typeof actingFor === "string" ? actingFor : null,
  });
  if (record["decision_seal"] !== seal) throw new DamageError("a decision is not as it was written");
  const people = { memberOf: namesInList(memberOf), actingFor: namesInList(actingFor) };
  return {
    decision,
    reason: typeof reason === "string" ? reason : null,
    by: String(by),
    at: Number(at),
    looked,
    signature: typeof record["signature"] === "string" ? record["signature"] : null,
    ...people,
  };
}
