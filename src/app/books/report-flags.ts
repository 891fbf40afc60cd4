import { intervals } from "../../books/intervals.ts";
import { allProfilesFlag } from "../../cli/common-flags.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { oneOf, option, repeatedOption, toggle } from "../../cli/line/input.ts";
import type { FileFormat } from "../../report/file-format.ts";
import { listFormats } from "../../report/file-format.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { asOfFlag } from "../ledger/as-of.ts";
import { statementFlags } from "../statements/statement-flags.ts";

const { strict: _strict, chart: _chart, ...periodFlags } = statementFlags;

export const reportNames = ["cash", "flow", "fees", "customers", "open", "compare"] as const;
export type ReportName = (typeof reportNames)[number];

/** The kinds of files that a report can be written as: a page has a chart. */
export const reportFormats: readonly FileFormat[] = [
  ...listFormats,
  { name: "html", ending: ".html", isBinary: false },
];

export const reportFlags = {
  ...periodFlags,
  by: option({
    value: intervals.join("|"),
    summary: "A row for each interval; weeks begin on Monday.",
    read: oneOf(...intervals),
  }),
  account: repeatedOption({
    value: "ACCOUNT",
    summary: "Only this account; may be repeated (default: all that the ledger holds).",
    read: parseAccountNumber,
  }),
  rows: toggle({ summary: "Show the rows behind the figures instead of the figures." }),
  chart: toggle({ summary: "Draw bars under the table." }),
  ...asOfFlag,
  ...allProfilesFlag,
} as const;

export type ReportFlags = FlagValues<typeof reportFlags>;
