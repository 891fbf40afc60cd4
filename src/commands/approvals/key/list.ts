import { keyFields, keyRow } from "../../../app/approvals/signing/key-report.ts";
import { withApprovals } from "../../../app/approvals/submitted.ts";
import { rowFilter, whereFlag } from "../../../app/where.ts";
import { command } from "../../../app/command.ts";
import type { RowsReport } from "../../../report/report.ts";

export default command({
  summary: "List the keys that approvals are signed with, and the removed ones.",
  description: "Compare a fingerprint with its owner: ssh-keygen -l -f FILE.pub shows it.",
  examples: ["approvals key list", "approvals key list --json"],
  args: {},
  flags: whereFlag,
  exits: ["setup"],
  run: ({ flags }, session) =>
    withApprovals(session, async ({ keys }) => {
      const report: RowsReport = {
        shape: "rows",
        columns: keyFields,
        rows: (await keys.list()).map((key) => keyRow(key)),
        whenEmpty: "No key was registered.",
      };
      return (await rowFilter(flags.where, keyFields))?.chosen(report) ?? report;
    }),
});
