import { command } from "../../cli/command.ts";
import { journalFilter, journalFilterFlags } from "../../cli/journal-flags.ts";
import { exportedFields, exportedRow, inBatches } from "../../movements/journal-report.ts";

export default command({
  summary: "Export the orders with everything that the journal knows of them.",
  examples: ["journal export --output ndjson --save journal.ndjson", "journal export --since 2026-10-01 --csv"],
  args: {},
  flags: journalFilterFlags,
  exits: ["setup", "unavailable"],
  async run({ flags }, session) {
    const journal = await session.journal("read");
    const scope = session.profileFlag === undefined ? undefined : await session.accountScope();
    return {
      shape: "rows",
      columns: exportedFields,
      rows: inBatches(journal.list(journalFilter(flags, scope)), exportedRow),
      whenEmpty: "The journal has no such order.",
    };
  },
});
