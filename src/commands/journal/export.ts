import { rowFilter, whereFlag } from "../../app/where.ts";
import { command } from "../../app/command.ts";
import { seenCurrencies } from "../../app/seen/wallets.ts";
import { toggle } from "../../cli/line/input.ts";
import { fullIds, isFiltered, journalFilter, journalFilterFlags } from "../../app/journal/filter-flags.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ChainEnd } from "../../movements/audit-trail.ts";
import { archivedEnd, auditFields, auditRows, newChain } from "../../movements/audit-trail.ts";
import { exportFields, exportRow, inBatches, terminalFields } from "../../movements/journal-report.ts";
import type { RowsReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Export the orders with everything that the journal knows of them.",
  examples: [
    "journal export --output ndjson --save journal.ndjson",
    "journal export --since 2026-10-01 --csv",
    "journal export --events --save history.ndjson",
  ],
  args: {},
  flags: {
    ...journalFilterFlags,
    ...whereFlag,
    fullIds,
    events: toggle({
      summary: "Export the whole history instead, line by line, each with a hash that proves all lines before it.",
    }),
  },
  exits: ["setup"],
  async run({ flags }, session) {
    const journal = await session.journal("read");
    if (flags.events) {
      if (isFiltered(flags, session) || flags.where !== undefined) throw noFilter();
      return historyReport(journal, await archivedEnd(journal));
    }
    const currencyOf = await seenCurrencies(session.host);
    const { limit, ...filter } = await journalFilter(flags, session);
    const chosen = await rowFilter(flags.where, exportFields);
    const report: RowsReport = {
      shape: "rows",
      columns: exportFields,
      onTerminal: terminalFields(flags.fullIds),
      wholeIds: flags.fullIds,
      rows: inBatches(
        chosen === undefined ? journal.list({ ...filter, limit }) : journal.list(filter),
        (movement) => exportRow(movement, currencyOf),
        { keeps: chosen && ((row) => chosen.keeps(row)), limit },
      ),
      whenEmpty: isFiltered(flags, session) ? "The journal has no such order." : "The journal has no order yet.",
    };
    return chosen?.withMatchCount(report) ?? report;
  },
});

/** All the history that is not in archives: a part of a chain proves nothing, and an archive proves its own lines. */
function historyReport(journal: Journal, archived: ChainEnd): RowsReport {
  const chain = newChain();
  return {
    shape: "rows",
    columns: auditFields,
    rows: auditRows(journal.history(), chain, archived.count),
    whenEmpty: "The journal has no history yet.",
    findings: () => ({
      notes: [
        ...(archived.count === 0
          ? []
          : [`Lines 1 to ${archived.count} are in archives. What is here follows the head ${archived.head}.`]),
        `${chain.count} lines, head ${chain.head}. Note the head elsewhere: it proves with journal verify --head that no line is missing or changed.`,
      ],
    }),
  };
}

function noFilter(): Failure {
  return new Failure("usage", "--events exports the whole history and takes no filter.", {
    hint: "Leave the filters out. What happened to one order: partner journal show KEY",
  });
}
