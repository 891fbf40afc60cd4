import { approvedFlags, approvedOptions } from "../../app/approvals/approved-flags.ts";
import { runApproved } from "../../app/approvals/approved-run.ts";
import { runFile } from "../../app/batch/file-run.ts";
import { batchFormFlags, repeatFlags } from "../../app/batch/flags.ts";
import { command } from "../../app/command.ts";
import { anyText, option, optionalPositional, wholeNumber } from "../../cli/line/input.ts";
import { missing } from "../../cli/line/usage-errors.ts";
import { checkFlags } from "../../app/money/checks/check-flags.ts";
import { moneyFlags } from "../../app/money/flags.ts";
import { concurrencyMax } from "../../movements/batch/run.ts";

const { yes, again, dryRun } = moneyFlags;

export default command({
  summary: "Send every row of a file, each at most once.",
  description:
    "The whole file is checked before the first row is sent. Run the same file again to continue: rows that are done are skipped, and unknown ones are never sent again. The first Ctrl-C leaves the rest and waits for the answers under way; the second gives up. With --approved it runs a batch that others submitted and approved in the shared journal, or all of them. Rows that the service refused are tried again only if you name their batch.",
  examples: [
    "batch run salaries.csv --kind transfer --from 9000112233 --report outcome.csv",
    "batch run payouts.csv --yes --expect-count 120 --expect-total TZS=45000000 --concurrency 4",
    "batch run --approved --yes",
    "batch run --approved --follow --yes --every 1m",
  ],
  args: {
    file: optionalPositional({
      summary: "A CSV file or a workbook (.xlsx); its first line names the columns. With --approved a batch's id.",
      read: anyText,
    }),
  },
  flags: {
    ...batchFormFlags,
    ...repeatFlags,
    concurrency: option({
      value: "N",
      summary: `How many rows are under way at once, 1 to ${concurrencyMax} (default: 1).`,
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
    again,
    ...checkFlags,
    dryRun,
    ...approvedFlags,
  },
  exits: ["setup", "refused", "unknown", "incomplete"],
  async run({ args: { file }, flags }, session) {
    const approved = approvedOptions(file, flags);
    if (approved !== undefined) return runApproved(approved, session);
    if (file === undefined) throw missing(["FILE"], "batch run");
    return runFile(file, flags, session);
  },
});
