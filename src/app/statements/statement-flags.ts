import { whereFlag } from "../where.ts";
import { anyText, option, toggle } from "../../cli/line/input.ts";
import { parseWholeDays } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { violation } from "../../values/violation.ts";

const lastMaxDays = 3660;

/** The ways to name a period, and what to do when the statement does not add up. */
export const statementFlags = {
  startDate: option({ value: "YYYY-MM-DD", summary: "The first day; without --end-date up to today.", read: anyText }),
  endDate: option({ value: "YYYY-MM-DD", summary: "The last day, included.", read: anyText }),
  month: option({ value: "YYYY-MM", summary: "A whole month.", read: anyText }),
  date: option({ value: "YYYY-MM-DD", summary: "One day.", read: anyText }),
  today: toggle({ summary: "Today, in Dar es Salaam." }),
  yesterday: toggle({ summary: "Yesterday, in Dar es Salaam." }),
  lastMonth: toggle({ summary: "The whole month before this one." }),
  thisMonth: toggle({ summary: "This month, up to today." }),
  year: option({ value: "YYYY", summary: "A whole year, or this one up to today.", read: anyText }),
  last: option({ value: "7d", summary: "This many days up to today, today included.", read: parseLast }),
  ...whereFlag,
  chart: toggle({ summary: "Draw the balance under the table." }),
  strict: toggle({ summary: "End with 9 and write nothing when the statement does not add up." }),
} as const;

function parseLast(text: string, field: string): number {
  if (text === "month")
    throw new Failure("usage", `${field} takes a number of days.`, { hint: `Did you mean ${field}-month?` });
  const days = parseWholeDays(text, field, lastMaxDays);
  if (days > 0) return days;
  throw violation({ field, text, problem: "has no day in it", example: "7d" });
}
