import { reportFlags, reportNames } from "../app/books/report-flags.ts";
import { runReport } from "../app/books/run.ts";
import { command } from "../app/command.ts";
import { oneOf, positional } from "../cli/line/input.ts";
import { listFormats } from "../report/file-format.ts";

export default command({
  summary: "Report cash, flow, fees, customers, what is open, or two months side by side.",
  description:
    "Out of the ledger, offline: run ledger sync first. cash: what each account held, and opening + in − out − fees = closing. flow: transfers between own wallets, withdrawals, collections, payouts, remittances, fees and the rest. fees: by account and kind, in per cent of the amounts. customers: who paid what. open: unknown, pending, unmatched and in transit, the oldest first. compare: cash and fees of two months. Days that the ledger lacks, or rows that do not add up, end with 9.",
  examples: [
    "report cash --last-month",
    "report flow --month 2026-10 --by week",
    "report fees --last-month --rows --csv",
    "report customers --month 2026-10 --save customers.xlsx",
    "report open",
    "report compare 2026-09 2026-10",
  ],
  args: { name: positional({ summary: `One of ${reportNames.join(", ")}.`, read: oneOf(...reportNames) }) },
  flags: reportFlags,
  rest: "MONTH MONTH",
  fileFormats: listFormats,
  exits: ["setup", "mismatch"],
  run: ({ args, flags, rest }, session) => runReport(session, args.name, rest, flags),
});
