import type { ApprovalRules } from "../../approvals/approval-rules.ts";
import type { Approvals } from "../../approvals/approvals.ts";
import type { MovedPart } from "../../approvals/demand.ts";
import { demandOf } from "../../approvals/demand.ts";
import { missingFrom } from "../../approvals/standing.ts";
import type { RulesInForce } from "../../approvals/rule-store.ts";
import type { BatchDecision, SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { decodeJson } from "../../contract/wire.ts";
import type { WalletIndex } from "../../movements/batch/order-amount.ts";
import { currencyOf } from "../../movements/batch/order-amount.ts";
import type { DecodedRow } from "../../movements/look/decoded-row.ts";
import { Failure } from "../../values/failure.ts";
import { homeCurrency } from "../../values/money/limits.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { rulesOfText } from "./rules-file.ts";
import type { SubmittedReview } from "./review.ts";

/**
 * Checks, before the first row, that a batch has the approvals that its rules require, with the real currencies of its
 * wallets. The database has counted them already; a batch that was begun is finished under the same rules.
 * @param signed the only decisions that count, where signatures are required; a batch that was begun needs them, too
 * @throws {Failure} usage where approvals are missing
 */
export async function refuseUnapproved(
  approvals: Approvals,
  { submitted, rows, fresh, moved, decisions }: SubmittedReview,
  wallets: WalletIndex,
  signed: readonly BatchDecision[] | undefined,
): Promise<void> {
  const hasBegun = submitted.state === "running";
  if (hasBegun && signed === undefined) return;
  const parts = rows.flatMap((row) => partsOf(row, wallets));
  for (const rules of rulesFor(submitted, await approvals.rules.history())) {
    const { approvals: needed, groups, beyond } = demandOf(rules, parts, fresh.length + moved.length > 0);
    const people = countedIn(signed ?? decisions, submitted, hasBegun ? {} : rules);
    const missing = groups.filter((group) => !people.some(({ memberOf }) => memberOf.includes(group)));
    if (beyond !== undefined) throw notEnough(submitted, `no level of the rules is for its sum in ${beyond}`);
    if (people.length < needed) throw notEnough(submitted, `it has ${people.length} of ${needed} approvals`);
    if (missing.length > 0) throw notEnough(submitted, missingFrom(missing));
  }
}

/** The rules in force now, and those in force when it was submitted. */
function rulesFor({ submittedAt }: SubmittedBatch, history: readonly RulesInForce[]): readonly ApprovalRules[] {
  const then = history.findLast(({ second }) => second.at <= submittedAt);
  const texts = new Set([history.at(-1)?.rules, then?.rules]);
  return [...texts].map((text) => (text === undefined ? {} : rulesOfText(decodeJson(text))));
}

/** A remittance counts with the larger of its two amounts where they have the same currency, else with both. */
function partsOf({ kind, from, amount, currency, sender }: DecodedRow, wallets: WalletIndex): readonly MovedPart[] {
  const pays = movementForms[kind].amounts[0].wallet !== undefined;
  const own = pays ? currencyOf(from, wallets) : undefined;
  const part = { kind, account: pays ? from : "", currency: own ?? currency ?? homeCurrency, amount };
  if (sender === undefined) return [part];
  const sent = { ...part, amount: sender.amount, currency: sender.currency ?? homeCurrency };
  if (sent.currency !== part.currency) return [part, { ...sent, isSender: true }];
  return [sent.amount.compare(amount) > 0 ? sent : part];
}

/** Approvals that count, one for each person by name. */
function countedIn(
  decisions: readonly BatchDecision[],
  { submittedBy, standing }: SubmittedBatch,
  { expiry }: ApprovalRules,
): readonly BatchDecision[] {
  const lives = expiry === undefined ? Number.POSITIVE_INFINITY : parseDuration(expiry, "expiry", "3d", Infinity);
  const seen = new Set([submittedBy]);
  return decisions.filter(({ decision, by, at, actingFor }) => {
    const isValid = decision === "approved" && at + lives >= (standing?.at ?? at);
    if (!isValid || [by, ...actingFor].some((name) => seen.has(name))) return false;
    for (const name of [by, ...actingFor]) seen.add(name);
    return true;
  });
}

function notEnough({ id }: SubmittedBatch, why: string): Failure {
  return new Failure("usage", `Batch ${id} is not approved as its rules ask (${why}); none of it was sent.`, {
    hint: `See the rules: partner approvals show. Have others approve it: partner batch approve ${id}. Where that says that it was approved before, reject it and submit it again.`,
    money: "not moved",
  });
}
