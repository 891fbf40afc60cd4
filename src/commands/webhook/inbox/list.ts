import { rowFilter, whereFlag } from "../../../app/where.ts";
import { command } from "../../../app/command.ts";
import { oneOf, repeatedOption } from "../../../cli/line/input.ts";
import { fromInbox } from "../../../app/webhooks/inbox.ts";
import type { RowsReport } from "../../../report/report.ts";
import {
  inSmallBatches,
  machineFields,
  machineRow,
  personFields,
  personRow,
  searchFields,
  searchRow,
  terminalFields,
} from "../../../webhooks/inbox/inbox-report.ts";
import { eventStates, keptStates } from "../../../webhooks/inbox/inbox.ts";
import { listFormats } from "../../../report/file-format.ts";

export default command({
  summary: "List the events that were received, oldest first.",
  description:
    "new: stored, and not delivered yet. failed: it could not be delivered for 24 hours. quarantined: the service signed it, but no event can be read from it. forged: the service did not sign it. These are listed with --state forged only, and only the newest are kept.",
  examples: ["webhook inbox list", "webhook inbox list --state failed", "webhook inbox list --output ndjson"],
  args: {},
  flags: {
    state: repeatedOption({
      value: keptStates.join("|"),
      summary: "Only what is in this state (default: all but forged). May be repeated.",
      read: oneOf(...keptStates),
    }),
    ...whereFlag,
  },
  fileFormats: listFormats,
  exits: ["setup"],
  async run({ flags }, session) {
    const isForPeople = session.format === "table" && session.result.file === undefined;
    // By default forged events are left out, so that they never add to a total.
    const kept = fromInbox(session, (inbox) => inbox.list({ states: flags.state ?? eventStates }));
    const filter = await rowFilter(flags.where, searchFields);
    const report: RowsReport = {
      shape: "rows",
      columns: isForPeople ? personFields : machineFields,
      onTerminal: terminalFields,
      rows: inSmallBatches(
        kept,
        isForPeople ? personRow : machineRow,
        filter && ((event) => filter.keeps(searchRow(event))),
      ),
      whenEmpty: flags.state === undefined ? "The inbox is empty." : "The inbox has nothing in this state.",
    };
    return filter?.withMatchCount(report) ?? report;
  },
});
