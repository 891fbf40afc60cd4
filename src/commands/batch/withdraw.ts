import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { command } from "../../app/command.ts";

export default command({
  summary: "Withdraw a batch of your own before it is approved (as its maker).",
  description:
    "It cannot be approved from then on. The same file can be submitted again, as a new batch with a new id. Once it is approved, only a checker stops it: batch reject.",
  examples: ["batch withdraw 0f3a9c52d41b7e86"],
  args: { id: batchIdArgument },
  flags: {},
  exits: ["setup", "refused"],
  run: ({ args }, session) =>
    withApprovals(session, async (approvals) => {
      const submitted = await findSubmitted(approvals, args.id);
      const isNew = submitted.state !== "withdrawn";
      if (isNew) await approvals.withdraw(submitted.id);
      const said = isNew ? "Withdrawn. None of it is sent." : "It was withdrawn before.";
      return submittedReport(await findSubmitted(approvals, submitted.id), said);
    }),
});
