import { shortlyMissing } from "../../approvals/standing.ts";
import { submittedFields, submittedRow } from "../../app/approvals/submitted-report.ts";
import { withApprovals } from "../../app/approvals/submitted.ts";
import { Failure } from "../../values/failure.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { command } from "../../app/command.ts";
import { oneOf, option, toggle, wholeNumber } from "../../cli/line/input.ts";
import type { RowsReport } from "../../report/report.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { submittedStates } from "../../approvals/submitted-batch.ts";
import { firstOf } from "../../values/text/counted.ts";

const listedMaxRows = 100_000;
const listedDefaultRows = 100;

export default command({
  summary: "List the batches that were submitted, the newest first.",
  description:
    "They are in the shared journal. Makers see their own batches, everyone else sees all. It needs no service and no credentials.",
  examples: ["batch list", "batch list --state submitted --fail-if-any", "batch list --limit 1000 --csv"],
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
    failIfAny: toggle({ summary: "End with 7 when there is any such batch: for cron." }),
    ...whereFlag,
  },
  exits: ["setup", "pending"],
  run: ({ flags: { state, limit, where, failIfAny } }, session) =>
    withApprovals(session, async (approvals) => {
      const filter = await rowFilter(where, submittedFields);
      const most = limit ?? listedDefaultRows;
      const listed = await approvals.list(state, filter === undefined ? most : listedMaxRows);
      const kept = listed.filter((batch) => filter?.keeps(submittedRow(batch)) ?? true);
      const missing = session.showsPerson ? shortlyMissing : undefined;
      const chosen = limit === undefined ? kept : kept.slice(0, limit);
      const report: RowsReport = {
        shape: "rows",
        columns: submittedFields,
        rows: chosen.map((batch) => submittedRow(batch, missing)),
        findings: () => ({ notes: [], carried: failIfAny && chosen.length > 0 ? waiting(chosen) : undefined }),
        whenEmpty: state === undefined ? "No batch was submitted." : `No batch is ${state}.`,
      };
      return filter?.withMatchCount(report) ?? report;
    }),
});

/** The sentence names batches: cron may mail it without the list. */
function waiting(batches: readonly SubmittedBatch[]): Failure {
  const count = batches.length;
  const names = batches.map(({ id, state, submittedBy }) => `${id} (${state}, from ${submittedBy})`);
  const listed = count === 1 ? "1 batch is listed" : `${count} batches are listed`;
  return new Failure("pending", `${listed}: ${firstOf(names, count)}.`, { hint: "Look at one: partner batch show ID" });
}
