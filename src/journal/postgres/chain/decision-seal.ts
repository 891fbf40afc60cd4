import { sha256 } from "../../requests/request-hash.ts";

/** The columns of a decision that its seal covers, under the names of `partner.approvals`. */
export type SealedDecision = Readonly<
  Record<"number" | "batch" | "digest" | "decision" | "decided_by" | "decided_at", unknown> &
    Record<"reason" | "looked" | "member_of" | "acting_for", string | null>
>;

/** The seal of a decision, as the database makes it. */
export function sealOfDecision(row: SealedDecision): string {
  const { number, batch, digest, decision, decided_by: by, decided_at: at, reason, looked } = row;
  const parts = [number, batch, digest, decision, by, at, reason ?? "", ...(looked === null ? [] : [looked])];
  const seal = sha256(parts.join("\n"));
  const { member_of: memberOf, acting_for: actingFor } = row;
  return memberOf === null ? seal : sha256([seal, memberOf, actingFor].join("\n"));
}
