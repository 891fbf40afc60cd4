import { formats } from "../report/options.ts";
import type { FileFormat } from "../report/file-format.ts";
import { parseDuration } from "../values/time/duration.ts";
import { anyText, option, toggle, wordedToggle, wholeNumber } from "./line/input.ts";

/** More retries would only hide an outage. */
const retriesMaxCount = 10;

/** Flags of every command. */
export const commonFlags = {
  profile: option({
    char: "p",
    value: "NAME",
    summary: "The profile to use (env PARTNER_PROFILE).",
    group: "global",
    read: anyText,
  }),
  output: option({
    char: "o",
    value: formats.join("|"),
    summary: "How the result looks (env PARTNER_OUTPUT).",
    group: "output",
    read: anyText,
  }),
  json: toggle({ summary: "Short for --output json.", group: "output" }),
  csv: toggle({ summary: "Short for --output csv.", group: "output" }),
  save: option({
    value: "FILE",
    summary: "Write the result to FILE, all of it or nothing; its ending gives the format.",
    group: "output",
    read: anyText,
  }),
  columns: option({ value: "A,B", summary: "Show these columns, in this order.", group: "output", read: anyText }),
  sort: option({ value: "A,-B", summary: "Sort by these columns, - for descending.", group: "output", read: anyText }),
  noHeader: toggle({ summary: "Leave out the header line (table and csv).", group: "output" }),
  raw: toggle({ summary: "csv: leave out the guard against spreadsheet formulas.", group: "output" }),
  excel: toggle({ summary: "csv: for Excel, with a byte order mark and CRLF.", group: "output" }),
  delimiter: option({
    value: "CHAR",
    summary: "csv: the delimiter between the cells, such as ';'.",
    group: "output",
    read: anyText,
  }),
  timeout: option({
    value: "30s",
    summary: "The limit for one request (default: 30s, and 90s for money).",
    group: "global",
    read: (text, name) => parseDuration(text, name),
  }),
  retries: option({
    value: "2",
    summary: "How often a read is tried again (default: 2); money never is.",
    group: "global",
    read: wholeNumber(0, retriesMaxCount),
  }),
  caCert: option({ value: "FILE", summary: "Trust the certificates in FILE, too.", group: "global", read: anyText }),
  noInput: toggle({ summary: "Never ask (env PARTNER_NO_INPUT).", group: "global" }),
  quiet: toggle({ char: "q", summary: "Errors only on stderr, no notes and no progress.", group: "global" }),
  debug: wordedToggle({
    summary: "A transcript of each request on stderr, without secrets and personal data (=full: with personal data).",
    words: ["full"],
    group: "global",
  }),
  noColor: toggle({ summary: "No colours (env NO_COLOR).", group: "global" }),
} as const;

/** The flag of commands that can run for several profiles. */
export const allProfilesFlag = {
  allProfiles: toggle({ summary: "Every profile, one after the other; rows say which." }),
} as const;

/** The flags of every command, for one that can also make files of these kinds: its `--output` accepts them. */
export function flagsOfEvery(files: readonly FileFormat[] = []): typeof commonFlags {
  if (files.length === 0) return commonFlags;
  return {
    ...commonFlags,
    output: { ...commonFlags.output, value: "FORMAT", words: [...formats, ...files.map(({ name }) => name)] },
  };
}

/** For the help: the files that a command can make, each with its file name ending. */
export function filesInWords(files: readonly FileFormat[]): string {
  const named = files.map(({ name, ending }) => (ending === undefined ? name : `${name} (${ending})`));
  return `Files for other programs, by --output or by the ending of --save: ${named.join(", ")}.`;
}
