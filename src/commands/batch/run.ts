import { approvedFlags, approvedWish } from "../../cli/approvals/approved-flags.ts";
import { runApproved } from "../../cli/approvals/approved-run.ts";
import { confirmBatch, refuseUnasked } from "../../cli/batch/confirm.ts";
import { dryRows } from "../../cli/batch/dry-run.ts";
import { batchEnding, describeCounts } from "../../cli/batch/ending.ts";
import { batchFormFlags } from "../../cli/batch/flags.ts";
import { planBatch } from "../../cli/batch/plan.ts";
import { batchRows, countRows, refuseOwnFile } from "../../cli/batch/rows.ts";
import { BatchReportFile } from "../../cli/batch/report-file.ts";
import { sendBatch } from "../../cli/batch/sending.ts";
import { rows } from "../../cli/batch/words.ts";
import { command } from "../../cli/command.ts";
import { anyText, option, optionalPositional, wholeNumber } from "../../cli/input.ts";
import { missing } from "../../cli/mistake.ts";
import { moneyFlags } from "../../cli/money/flags.ts";
import { moneyTools } from "../../cli/money/tools.ts";
import { keepBatch } from "../../movements/batch/kept-batch.ts";
import { concurrencyMax } from "../../movements/batch/run.ts";
import { stateFolder } from "../../profiles/folders.ts";

const { yes, dryRun } = moneyFlags;

export default command({
  summary: "Send every row of a CSV file, each at most once.",
  description:
    "The whole file is checked before the first row is sent. Running the same file again goes on where it was left: rows that are done are skipped, rows that nobody knows the outcome of are never sent again. Ctrl-C leaves the rest and finishes what is under way. With --approved it runs what others have submitted and approved in the shared journal: that batch, or all that are approved and not done; rows that the service has refused are tried again only where their batch is named.",
  examples: [
    "batch run salaries.csv --kind transfer --from 9000112233 --report outcome.csv",
    "batch run payouts.csv --yes --expect-count 120 --expect-total TZS=45000000 --concurrency 4",
    "batch run --approved --yes",
    "batch run --approved --follow --yes --every 1m",
  ],
  args: {
    file: optionalPositional({
      summary: "A CSV file; its first line names the columns. With --approved a batch's id.",
      read: anyText,
    }),
  },
  flags: {
    ...batchFormFlags,
    concurrency: option({
      value: "N",
      summary: `How many rows are under way at once, 1 to ${concurrencyMax} (1 when left out).`,
      group: "money",
      read: wholeNumber(1, concurrencyMax),
    }),
    report: option({
      value: "FILE",
      summary: "Write the file's columns and what became of each row to FILE.",
      group: "output",
      read: anyText,
    }),
    yes,
    dryRun,
    ...approvedFlags,
  },
  exits: ["setup", "refused", "unavailable", "unknown", "incomplete"],
  async run({ args: { file }, flags }, session) {
    const approved = approvedWish(file, flags);
    if (approved === undefined && file === undefined) throw missing(["FILE"], "batch run");
    refuseUnasked(flags, session);
    if (approved !== undefined) return runApproved(approved, session);
    if (file === undefined) return undefined;
    await refuseOwnFile("--report", flags.report, file, session);
    await refuseOwnFile("--save", session.result.save, file, session);
    const tools = flags.dryRun ? undefined : await moneyTools(session);
    const journal = tools?.journal ?? (await session.journal("read"));
    const plan = await planBatch(file, flags, session, { journal, asks: !flags.dryRun });
    for (const warning of plan.check.warnings) await session.note(`Warning: ${warning}`);
    await session.note(`Batch ${plan.id}: ${rows(plan.check.all.count)} of ${plan.file}`);
    if (tools === undefined) return dryRows(plan, journal, session);
    const { toSend } = plan.check;
    if (toSend.count > 0 && !flags.yes) await confirmBatch(plan, session);
    const batch = await keepBatch(session.host, plan, stateFolder(session.host));
    const report = flags.report === undefined ? undefined : new BatchReportFile(flags.report, batch, journal, session);
    await report?.begin();
    const { concurrency = 1 } = flags;
    const run = await sendBatch(
      batch,
      { rowCount: plan.check.all.count, concurrency, tools, onRow: () => report?.follow() },
      session,
    );
    const known = { journal, left: run.left };
    await report?.end(known);
    if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
    const counts = await countRows(batch, known, session);
    const again = `partner batch report ${batch.id}`;
    const ending = batchEnding(batch.id, counts, run.stopped);
    return {
      ...(await batchRows(batch, known, session)),
      findings: () => ({
        notes: [`Batch ${batch.id}: ${describeCounts(counts)}. Its rows again: ${again}`],
        carried: ending,
      }),
      happened: `What was sent was sent all the same: ${describeCounts(counts)}. See the rows: ${again}`,
    };
  },
});
