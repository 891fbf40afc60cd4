import { batchFormFlags } from "../../cli/batch/flags.ts";
import { totalsOf } from "../../cli/batch/words.ts";
import { command } from "../../cli/command.ts";
import { anyText, positional, toggle } from "../../cli/input.ts";
import { findSubmitted, withApprovals } from "../../cli/approvals/submitted.ts";
import { submittedFields, submittedRow } from "../../cli/approvals/submitted-fields.ts";
import { askAbout, checkExpectation, lookInto, refuseUndecided } from "../../cli/approvals/decision.ts";

const { expectCount, expectTotal } = batchFormFlags;

export default command({
  summary: "Approve a batch that somebody else has submitted.",
  description:
    "It is fetched from the shared journal, added up and compared with its digest; what is approved is exactly that. The database refuses who submitted it, whatever role they take on. Nothing is sent by it: batch run --approved does that.",
  examples: [
    "batch approve 0f3a9c52d41b7e86",
    "batch approve 0f3a9c52d41b7e86 --yes --expect-count 120 --expect-total 45000000",
  ],
  args: { id: positional({ summary: "The batch's id, as batch submit and batch list say it.", read: anyText }) },
  flags: {
    expectCount: { ...expectCount, summary: "Approve it only if it has so many rows." },
    expectTotal: { ...expectTotal, summary: "Approve it only if its amounts add up to this." },
    yes: toggle({ char: "y", summary: "Approve it without asking." }),
  },
  exits: ["setup", "refused", "unavailable"],
  run: ({ args, flags: { expectCount, expectTotal = [], yes } }, session) =>
    withApprovals(session, async (approvals) => {
      refuseUndecided(yes, session);
      const look = await lookInto(approvals, await findSubmitted(approvals, args.id), session);
      checkExpectation({ count: expectCount, totals: expectTotal }, look);
      const { submitted } = look;
      const isNew = submitted.verdict?.decision !== "approved";
      if (isNew) {
        await askAbout(look, "Approve this batch?", yes, session);
        await approvals.decide(submitted, "approved");
      }
      const now = await findSubmitted(approvals, submitted.id);
      const said = isNew ? "Approved. It is sent by: partner batch run --approved" : "It was approved before.";
      return {
        shape: "record",
        columns: [...submittedFields.slice(0, 4), { name: "totals", kind: "text" }, ...submittedFields.slice(4)],
        record: { ...submittedRow(now), totals: totalsOf(look.tally) },
        findings: () => ({ notes: [said] }),
      };
    }),
});
