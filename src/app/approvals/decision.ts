import { describe } from "../../movements/batch/expectation.ts";
import type { Expectation } from "../../movements/batch/expectation.ts";
import type { Approvals } from "../../approvals/approvals.ts";
import type { DecisionKind, SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { ofOwnBatch, withoutDecision } from "../../journal/postgres/roles/permission-errors.ts";
import { unexpectedOfLook } from "../../movements/look/total-problem.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { askFor } from "../money/confirmation.ts";
import type { Session } from "../session.ts";
import { wordsOfReview } from "./look-words.ts";
import type { SubmittedReview } from "./review.ts";

/** @throws {Failure} usage where the batch differs from `--expect-count` or `--expect-total` */
export function checkExpectation(expectation: Expectation, { look, submitted }: SubmittedReview): void {
  const violations = unexpectedOfLook(expectation, look);
  if (violations.length === 0) return;
  throw new Failure("usage", `Batch ${submitted.id} is not what is expected; nothing was decided.`, {
    hint: `Look at it: partner batch show ${submitted.id}`,
    money: "not moved",
    details: Object.fromEntries(violations.map(({ column, problem }) => [column ?? "batch", problem])),
  });
}

/** What the approver looked at before deciding. */
export interface DecisionGrounds {
  readonly expectation: Expectation;
  /** The digest of the approver's own copy of the file. */
  readonly against: string | undefined;
  readonly answer: "yes" | "--yes";
}

/** What the approver saw, as JSON text. It is kept with the decision, and the runner compares the wallets with it. */
export function lookedText(
  { submitted, look, wallets, fresh, moved, repeats }: SubmittedReview,
  grounds: DecisionGrounds,
): string {
  const { expectation, against, answer } = grounds;
  const payers = [...look.payers].flatMap((account) => {
    const wallet = wallets.get(account);
    return wallet === undefined ? [] : [[account, wallet] as const];
  });
  return JSON.stringify({
    digest: submitted.digest,
    rows: look.tally.count,
    totals: describe(look.tally),
    wallets: Object.fromEntries(payers),
    neverPaid: fresh.length,
    newAccounts: moved.length,
    repeats: repeats.length,
    expectedCount: expectation.count ?? null,
    expectedTotals: expectation.totals.map(({ amount, currency }) => `${currency ?? ""} ${amount.toString()}`.trim()),
    against: against ?? null,
    answer,
  });
}

/** A question about a batch, and what is true when the answer is no, without its full stop. */
export interface BatchQuestion {
  readonly question: string;
  readonly no: string;
}

/** A question with the batch's total: on a small screen, the first line may be gone by then. */
export function withTotal(question: string, { look: { tally } }: Pick<SubmittedReview, "look">): string {
  return `${question} of ${counted(tally.count, "row")}, ${describe(tally)}?`;
}

/**
 * Shows a person a batch, and asks.
 * @throws {Failure} interrupted by a no
 */
export async function askAbout(
  look: SubmittedReview,
  { question, no }: BatchQuestion,
  session: Session,
): Promise<void> {
  await session.host.stderr.write(wordsOfReview(look));
  await askFor(question, { no }, session);
}

/**
 * Refuses a decision that can't succeed, before a person looks at the rows: about a batch that can no longer change,
 * about one's own batch, or without the right to decide. The database refuses all of these, too, and also roles that
 * the person could switch to.
 * @throws {Failure} refused | setup
 */
export async function refuseFutile(
  submitted: SubmittedBatch,
  approvals: Approvals,
  decision: DecisionKind,
): Promise<void> {
  const { id, state, submittedBy } = submitted;
  if (state === "rejected" || state === "withdrawn") throw withoutDecision(id, state);
  const isUndecided = state === "submitted" || state === "expired";
  if (isUndecided && (await approvals.isOwn(submitted))) throw ofOwnBatch(submittedBy);
  // A further approval of an approved batch changes nothing, and is answered with a note.
  const isAsked = isUndecided || decision === "rejected";
  if (isAsked && !approvals.isAboveRules) await approvals.rules.requireDecider();
}

/**
 * Refuses a decision without --yes where there is no terminal to ask on.
 * @throws {Failure} usage
 */
export function refuseUndecided(yes: boolean, session: Session): void {
  if (yes || session.canAsk) return;
  throw new Failure("usage", "There is no terminal to ask on; nothing was decided.", {
    hint: "Look at it (partner batch show ID), then add --yes, and --expect-count and --expect-total to be sure.",
    money: "not moved",
  });
}
