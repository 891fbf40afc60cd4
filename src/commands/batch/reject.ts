import { askAbout, refuseFutile, refuseUndecided, withTotal } from "../../app/approvals/decision.ts";
import { review } from "../../app/approvals/review.ts";
import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { command } from "../../app/command.ts";
import { anyText, requiredOption, toggle } from "../../cli/line/input.ts";
import { Failure } from "../../values/failure.ts";

const reasonMaxChars = 1_000;

export default command({
  summary: "Reject a batch of another person (as its checker).",
  description:
    "None of it is sent then. It also stops an approved batch: rows that have left stay sent, and the others are not sent. A rejection is final: the maker submits again, and the next approvers see who rejected it and why.",
  examples: ['batch reject 0f3a9c52d41b7e86 --reason "Line 14 is last month\'s"'],
  args: { id: batchIdArgument },
  flags: {
    reason: requiredOption({ value: "TEXT", summary: "The reason, for the maker.", read: parseReason }),
    yes: toggle({ char: "y", summary: "Reject it without asking." }),
  },
  exits: ["setup", "refused"],
  run: ({ args, flags: { reason, yes } }, session) =>
    withApprovals(session, async (approvals) => {
      refuseUndecided(yes, session);
      const submitted = await findSubmitted(approvals, args.id);
      const isNew = submitted.state !== "rejected";
      if (isNew) await refuseFutile(submitted, approvals, "rejected");
      // A batch that doesn't match its digest can be rejected, too, so its rows are read only for a question.
      if (!yes && isNew) {
        const look = await review(approvals, submitted, session);
        await askAbout(look, { question: withTotal("Reject this batch", look), no: "Nothing was decided" }, session);
      }
      if (isNew) await approvals.decide(submitted, "rejected", { reason });
      const now = await findSubmitted(approvals, submitted.id);
      return submittedReport(now, isNew ? wordsOf(now) : `It was rejected before, by ${now.verdict?.by}.`);
    }),
});

function wordsOf({ id, state }: SubmittedBatch): string {
  return state === "done"
    ? `Nothing was left to stop: the batch was done before. What became of its rows: partner batch status ${id}`
    : `Rejected. See what has left already: partner batch status ${id}`;
}

function parseReason(text: string, field: string): string {
  const reason = anyText(text, field).trim();
  if (reason !== "" && reason.length <= reasonMaxChars) return reason;
  throw new Failure("usage", `${field} takes a text of 1 to ${reasonMaxChars} characters.`, {
    hint: `For example: ${field} "Line 14 is last month's"`,
  });
}
