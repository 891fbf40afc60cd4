import type { PostgresRecord } from "../host/databases/postgres.ts";
import { counted } from "../values/text/counted.ts";

/** How far the approvals of a batch are, as the database knows it. */
export interface ApprovalStanding {
  readonly needed: number;
  readonly given: number;
  /** Groups without an approval yet. */
  readonly missingGroups: readonly string[];
  /** True where approvals have expired. */
  readonly hasExpired: boolean;
  /** A sum that no level of the rules is for. */
  readonly beyond: string | undefined;
  readonly isEnough: boolean;
  /** True where an approval of the role that asks is among those that count. */
  readonly hasMine: boolean;
  /** The server's time, milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Joins to each batch `b` how far its approvals are, as `s`; null for batches that are over. */
export const standingOfOpen = `LEFT JOIN partner.starts t ON t.batch = b.id
  LEFT JOIN LATERAL (SELECT * FROM partner.standing(b.id)
    WHERE f.batch IS NULL AND w.batch IS NULL AND a.decision IS DISTINCT FROM 'rejected') s ON true`;

export const standingColumns = `s.needed, s.given, array_to_json(s.missing_groups)::text AS missing_groups, s.has_expired,
    s.beyond, s.is_enough, session_user::text = ANY (s.counted) AS has_mine, s.seen_at`;

/** The state of a batch, as `submittedStates` names it. */
export const stateSql = `CASE WHEN f.batch IS NOT NULL THEN 'done' WHEN w.batch IS NOT NULL THEN 'withdrawn'
    WHEN a.decision = 'rejected' THEN 'rejected' WHEN a.decision IS NULL THEN 'submitted' WHEN t.batch IS NOT NULL THEN 'running'
    WHEN s.is_enough THEN 'approved' WHEN s.has_expired THEN 'expired' ELSE 'submitted' END`;

/** The standing in a record; undefined where the batch is over. */
export function approvalStandingOf(record: PostgresRecord): ApprovalStanding | undefined {
  if (typeof record["needed"] !== "number") return undefined;
  const { beyond } = record;
  return {
    needed: record["needed"],
    given: Number(record["given"]),
    missingGroups: namesInList(record["missing_groups"]),
    hasExpired: record["has_expired"] === true,
    beyond: typeof beyond === "string" ? beyond : undefined,
    isEnough: record["is_enough"] === true,
    hasMine: record["has_mine"] === true,
    at: Number(record["seen_at"]),
  };
}

/** The missing approvals in words: `1 more approval is missing`; undefined where none is. */
export function wordsOfMissing({
  needed,
  given,
  missingGroups,
  hasExpired,
  beyond,
}: ApprovalStanding): string | undefined {
  if (beyond !== undefined) return `no level of the rules is for ${beyond}`;
  const count = needed - given;
  const people = missingGroups.map((group) => `one of ${group}`).join(" and ");
  const among = people === "" ? "" : `, among them ${people}`;
  const expired = hasExpired ? "; others have expired" : "";
  if (count > 0) return `${counted(count, "more approval")} ${count === 1 ? "is" : "are"} missing${among}${expired}`;
  return people === "" ? undefined : `${missingFrom(missingGroups)}${expired}`;
}

/** Groups of which no member has approved, in words: `an approval by a member of treasury is missing`. */
export function missingFrom(groups: readonly string[]): string {
  if (groups.length === 1) return `an approval by a member of ${groups.join("")} is missing`;
  return `approvals by members of ${groups.join(" and ")} are missing`;
}

/** The same below a heading that says that it is missing: `2 approvals, one of treasury`. */
export function shortlyMissing(standing: ApprovalStanding): string | undefined {
  const { needed, given, missingGroups, beyond } = standing;
  if (beyond !== undefined || wordsOfMissing(standing) === undefined) return wordsOfMissing(standing);
  const approvals = needed > given ? [counted(needed - given, "approval")] : [];
  return [...approvals, ...missingGroups.map((group) => `one of ${group}`)].join(", ");
}

/** The names in a JSON list of them. */
export function namesInList(text: unknown): readonly string[] {
  const names: unknown = typeof text === "string" ? JSON.parse(text) : [];
  return Array.isArray(names) ? names.map(String) : [];
}
