import { allProfilesFlag } from "../../cli/common-flags.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, neededText, option, toggle } from "../../cli/line/input.ts";
import { statementFormats } from "../../statements/formats/encoders.ts";
import { Failure } from "../../values/failure.ts";

export const closeFlags = {
  month: option({
    value: "YYYY-MM",
    summary: "The month to close; it has to have ended.",
    unless: "lastMonth",
    read: neededText,
  }),
  lastMonth: toggle({ summary: "The month before this one, in place of --month." }),
  to: option({ value: "FOLDER", summary: "The folder (default: close-2026-10).", read: anyText }),
  formats: option({
    value: "xlsx,ofx",
    summary: "Further formats of the statements, besides CSV.",
    read: parseFormats,
  }),
  check: toggle({ summary: "Prove everything, and write nothing." }),
  strict: toggle({ summary: "Write nothing unless every proof holds." }),
  ...allProfilesFlag,
} as const;

export type CloseFlags = FlagValues<typeof closeFlags>;

/** Formats of statements by their names, with commas between them. */
function parseFormats(text: string, field: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const known: readonly string[] = statementFormats.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name) && name !== "csv" && name !== "json" && name !== "ndjson");
  if (unknown === undefined) return names.filter((name) => name !== "csv");
  throw new Failure("usage", `${field} has no format ${unknown}.`, {
    hint: `There are: ${known.join(", ")}, json, ndjson.`,
  });
}
