import { parseDuration } from "../values/duration.ts";
import { misuse } from "../values/misuse.ts";
import type { FlagValues } from "./input.ts";
import { oneOf, option, toggle } from "./input.ts";
import type { statementFlags } from "./statement-flags.ts";

const dayMs = 86_400_000;
const overlapMaxDays = 366;
const inWholeDays = /^\d+[dh]$/;

/** How statements are exported again and again, by cron. */
export const exportFlags = {
  by: option({ value: "month", summary: "Fetch a long period month by month.", read: oneOf("month") }),
  sinceLast: toggle({ summary: "Append to the file of --save what is new since the last run.", group: "export" }),
  overlap: option({
    value: "3d",
    summary: "How many exported days --since-last reads again, for rows that came late.",
    group: "export",
    read: parseDays,
  }),
  restart: toggle({ summary: "With --since-last, begin anew and replace the file.", group: "export" }),
} as const;

export type ExportFlags = FlagValues<typeof statementFlags & typeof exportFlags>;

/**
 * Whole days, `0d` for none.
 * @throws {Failure} usage
 */
function parseDays(text: string, name: string): number {
  if (text === "0d") return 0;
  const days = inWholeDays.test(text) ? parseDuration(text, name, overlapMaxDays * dayMs) / dayMs : undefined;
  if (days !== undefined && Number.isInteger(days)) return days;
  throw misuse({ field: name, text, problem: "is no number of whole days", example: "3d" });
}
