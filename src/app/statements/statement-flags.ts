import { anyText, option, toggle } from "../../cli/line/input.ts";

/** The ways to say a period, and what to do when the statement does not add up. */
export const statementFlags = {
  startDate: option({ value: "YYYY-MM-DD", summary: "The first day, with --end-date.", read: anyText }),
  endDate: option({ value: "YYYY-MM-DD", summary: "The last day, included.", read: anyText }),
  month: option({ value: "YYYY-MM", summary: "A whole month.", read: anyText }),
  date: option({ value: "YYYY-MM-DD", summary: "One day.", read: anyText }),
  today: toggle({ summary: "Today, in Dar es Salaam." }),
  yesterday: toggle({ summary: "Yesterday, in Dar es Salaam." }),
  lastMonth: toggle({ summary: "The whole month before this one." }),
  chart: toggle({ summary: "Draw the balance under the table." }),
  strict: toggle({ summary: "End with 9 and write nothing when the statement does not add up." }),
} as const;
