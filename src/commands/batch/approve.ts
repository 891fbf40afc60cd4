import { askAbout, checkExpectation, review, refuseUndecided } from "../../app/approvals/decision.ts";
import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { batchFormFlags } from "../../app/batch/flags.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { totalsOf } from "../../app/batch/words.ts";
import { command } from "../../app/command.ts";
import { toggle } from "../../cli/line/input.ts";

const { expectCount, expectTotal } = batchFormFlags;

export default command({
  summary: "Approve a batch of another person (as its checker).",
  description:
    "It is fetched from the shared journal, added up and compared with its digest; what is approved is exactly that. The database refuses its maker, whatever role they take on. Nothing is sent by it: batch run --approved does that.",
  examples: [
    "batch approve 0f3a9c52d41b7e86",
    "batch approve 0f3a9c52d41b7e86 --yes --expect-count 120 --expect-total 45000000",
  ],
  args: { id: batchIdArgument },
  flags: {
    expectCount: { ...expectCount, summary: "Approve it only if it has so many rows." },
    expectTotal: { ...expectTotal, summary: "Approve it only if its amounts add up to this." },
    yes: toggle({ char: "y", summary: "Approve it without asking." }),
  },
  exits: ["setup", "refused"],
  run: ({ args, flags: { expectCount, expectTotal = [], yes } }, session) =>
    withApprovals(session, async (approvals) => {
      refuseUndecided(yes, session);
      const look = await review(approvals, await findSubmitted(approvals, args.id), session);
      checkExpectation({ count: expectCount, totals: expectTotal }, look);
      const { submitted } = look;
      const isNew = submitted.verdict?.decision !== "approved";
      if (isNew) {
        if (!yes) await askAbout(look, { question: "Approve this batch?", no: "Nothing was decided" }, session);
        await approvals.decide(submitted, "approved");
      }
      const now = await findSubmitted(approvals, submitted.id);
      const said = isNew ? "Approved. It is sent by: partner batch run --approved" : "It was approved before.";
      return submittedReport(now, said, totalsOf(look.tally, session.format));
    }),
});
