import { submittedFields, submittedRow } from "../../app/approvals/submitted-report.ts";
import { withApprovals } from "../../app/approvals/submitted.ts";
import { command } from "../../app/command.ts";
import { oneOf, option, wholeNumber } from "../../cli/line/input.ts";
import { submittedStates } from "../../approvals/submitted-batch.ts";

const listedMaxRows = 100_000;
const listedDefaultRows = 100;

export default command({
  summary: "List the batches that were submitted, the newest first.",
  description:
    "They are in the shared journal. Makers see their own, everyone else all. It needs no service and no credentials.",
  examples: ["batch list", "batch list --state submitted", "batch list --limit 1000 --csv"],
  args: {},
  flags: {
    state: option({
      value: submittedStates.join("|"),
      summary: "Only batches in this state.",
      read: oneOf(...submittedStates),
    }),
    limit: option({
      value: "N",
      summary: `The newest N of them (default: ${listedDefaultRows}).`,
      read: wholeNumber(1, listedMaxRows),
    }),
  },
  exits: ["setup"],
  run: ({ flags: { state, limit = listedDefaultRows } }, session) =>
    withApprovals(session, async (approvals) => ({
      shape: "rows",
      columns: submittedFields,
      rows: (await approvals.list(state, limit)).map((batch) => submittedRow(batch)),
      whenEmpty: state === undefined ? "No batch was submitted." : `No batch is ${state}.`,
    })),
});
