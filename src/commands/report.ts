import { reportFlags, reportFormats, reportNames } from "../app/books/report-flags.ts";
import { runReport } from "../app/books/run.ts";
import { command } from "../app/command.ts";
import { oneOf, positional } from "../cli/line/input.ts";

export default command({
  summary: "Report cash, flow, fees, customers, what is open, or two months side by side.",
  description:
    "Reports come from the ledger, offline: run ledger sync first. cash has opening + in − out − fees = closing of each account. flow says why money moved. fees are by account and kind, also as percentages of the amounts. customers says who paid what. open has unknown and pending orders, orders without a row, and rows without an order. compare has cash and fees of two months.\n\nDays that the ledger lacks end with 9. So do rows that do not add up, or do not lead to the service's balance. Without a period, open has the last 31 days, and names those that the ledger lacks.",
  examples: [
    "report cash --last-month",
    "report flow --month 2026-10 --by week",
    "report fees --last-month --rows --csv",
    "report customers --month 2026-10 --save customers.xlsx",
    "report cash --month 2026-10 --save cash.html",
    "report open",
    "report compare 2026-09 2026-10",
  ],
  args: {
    name: positional({ summary: `One of ${reportNames.join(", ")}.`, words: reportNames, read: oneOf(...reportNames) }),
  },
  flags: reportFlags,
  rest: "[MONTH MONTH]",
  fileFormats: reportFormats,
  exits: ["setup", "mismatch"],
  run: ({ args, flags, rest }, session) => runReport(session, args.name, rest, flags),
});
