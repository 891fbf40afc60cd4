import { parseWholeDays } from "../../values/time/duration.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, toggle } from "../../cli/line/input.ts";
import type { statementFlags } from "./statement-flags.ts";

const overlapMaxDays = 366;

/** Flags for statements that cron exports repeatedly. */
export const exportFlags = {
  by: option({ value: "month", summary: "Fetch a long period month by month.", read: oneOf("month") }),
  sinceLast: toggle({ summary: "Append to the file of --save what is new since the last run.", group: "export" }),
  overlap: option({
    value: "3d",
    summary: "How many exported days --since-last reads again, for late rows (default: 3d).",
    group: "export",
    read: (text, name) => parseWholeDays(text, name, overlapMaxDays),
  }),
  noOpening: toggle({
    summary: "In hledger and beancount files, open nothing and check the opening balance: other files come before.",
    group: "export",
  }),
  accounts: option({
    value: "RULES",
    summary: "In hledger and beancount files, book rows to the accounts that these rules name.",
    group: "export",
    read: anyText,
  }),
  restart: toggle({ summary: "With --since-last, begin again and replace the file.", group: "export" }),
} as const;

export type ExportFlags = FlagValues<typeof statementFlags & typeof exportFlags>;
