import { extname } from "node:path";
import type { Host } from "../host/host.ts";
import { lineWidth } from "../host/line-width.ts";
import { noSuchColumn } from "../report/columns.ts";
import { parseDelimiter } from "../report/csv.ts";
import type { Format, ReportOptions, SortKey } from "../report/options.ts";
import { formats } from "../report/options.ts";
import { formatEndings, formatOfEnding } from "../report/save.ts";
import { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import { violation } from "../values/violation.ts";
import { quote } from "../values/text/text.ts";
import type { FileFormat } from "../report/file-format.ts";
import type { commonFlags } from "./common-flags.ts";
import type { FlagValues } from "./line/input.ts";

/** A result that is a text instead of data, such as a file to fill in. */
interface TextForm {
  /** In words: `a CSV file`. */
  readonly is: string;
  /** The formats that can be set with it, in addition to the default. */
  readonly formats: readonly Format[];
  /** The flags about rows that apply to it. */
  readonly flags: readonly ("excel" | "delimiter")[];
}

export type CommonFlags = FlagValues<typeof commonFlags>;

/** How a result is shown, or the kind of file that is made of it. */
export interface ResultOptions extends ReportOptions {
  /** Only for commands that make files; `format` then applies to all other output. */
  readonly file: string | undefined;
}

/** What else a command can make of its result than show it. */
export interface ResultForms {
  /** Kinds of files. */
  readonly fileFormats?: readonly FileFormat[] | undefined;
  /** Set where the result is a text instead of data. */
  readonly text?: TextForm | undefined;
}

/**
 * How a result is shown, from the flags that every command has and the environment.
 * @throws {Failure} usage
 */
export function resultOptions(
  flags: CommonFlags,
  host: Host,
  colour: boolean,
  { fileFormats: offered = [], text }: ResultForms,
  known: readonly FileFormat[],
): ResultOptions {
  const files: Files = { offered, known };
  const format = text === undefined ? formatOf(flags, host, files) : formatOfText(flags, text, files);
  const delimiter = parseDelimiter(flags.delimiter ?? ",");
  const file = offered.find(({ name }) => name === format);
  if (file !== undefined) checkFile(file, flags, host);
  else if (text === undefined) checkIdle(flags, format);
  return {
    format: formats.find((known) => known === format) ?? "table",
    file: file?.name,
    save: flags.save,
    columns: flags.columns === undefined ? undefined : listOf(flags.columns, "--columns", "accountNo,balance"),
    sort: flags.sort === undefined ? undefined : listOf(flags.sort, "--sort", "currency,-balance").map(sortKey),
    header: !flags.noHeader,
    raw: flags.raw,
    excel: flags.excel,
    delimiter,
    quiet: flags.quiet,
    colour: colour && host.stdout.isTerminal,
    width: lineWidth(host.stdout, host),
    today: dayInDarEsSalaam(host.clock.now()).toString(),
  };
}

/** @throws {Failure} usage where `--columns` names a column that is not among these fields */
export function checkColumns({ columns }: Pick<ResultOptions, "columns">, fields: readonly Field[]): void {
  const unknown = columns?.find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw noSuchColumn(unknown, fields);
}

/** `--output` decides, then `--json` and `--csv`, then the ending of `--save`, then PARTNER_OUTPUT. */
function formatOf(flags: CommonFlags, host: Host, files: Files): string {
  const flagged = flaggedFormat(flags, files);
  if (flagged !== undefined) return flagged;
  if (flags.save !== undefined) return formatOfEnding(flags.save, endingsFor(files));
  const asked = host.environment["PARTNER_OUTPUT"] ?? "";
  // A setting for all commands is a default: those that cannot make such a file show their table.
  if (asked === "" || (isIn(asked, files.known) && !isIn(asked, files.offered))) return "table";
  return parseFormat(asked, "PARTNER_OUTPUT", files);
}

function flaggedFormat(flags: CommonFlags, files: Files): string | undefined {
  if (flags.json && flags.csv)
    throw new Failure("usage", "--json and --csv contradict each other.", { hint: "Keep one of them." });
  const short = flags.json ? "json" : flags.csv ? "csv" : undefined;
  if (flags.output === undefined) return short;
  if (short !== undefined && short !== flags.output)
    throw new Failure("usage", `--${short} and --output ${flags.output} contradict each other.`, {
      hint: "Keep one of them.",
    });
  return parseFormat(flags.output, "--output", files);
}

/** A text has a form of its own, and its file may have any name. PARTNER_OUTPUT applies only to results with rows. */
function formatOfText(flags: CommonFlags, text: TextForm, { known }: Files): Format {
  const flagged = flaggedFormat(flags, { offered: [], known });
  const ending = extname(flags.save ?? "").toLowerCase();
  const format = formats.find((known) => known === (flagged ?? formatEndings[ending])) ?? "table";
  const isFile = flagged === undefined && ending !== "" && known.some((file) => file.ending === ending);
  const isOdd = isFile || (format !== "table" && !text.formats.includes(format));
  const rowFlags = rowFlagsIn(flags).filter((name) => !text.flags.some((obeyed) => name === `--${obeyed}`));
  const given = [...(isOdd ? [formatWords(flags)] : []), ...rowFlags];
  if (given.length === 0) return format;
  throw new Failure("usage", `${given.join(" and ")} cannot be used here: the output is ${text.is}.`, {
    hint:
      isOdd && flagged === undefined
        ? `Give the file another ending, such as .${text.formats[0] ?? "txt"}.`
        : `${leaveOut(given)}.`,
  });
}

/** The flag that sets the format, as it was typed. */
function formatWords({ output, json, csv, save = "" }: CommonFlags): string {
  if (output !== undefined) return `--output ${output}`;
  return json ? "--json" : csv ? "--csv" : `--save ${quote(save)}`;
}

/** The kinds of files that the command makes, and those that any command makes. */
interface Files {
  readonly offered: readonly FileFormat[];
  readonly known: readonly FileFormat[];
}

function parseFormat(text: string, field: string, { offered, known }: Files): string {
  const names = [...formats, ...offered.map(({ name }) => name)];
  if (names.includes(text)) return text;
  const problem = isIn(text, known) ? "is a format for statements only" : "isn't a format";
  throw violation({ field, text, problem, example: "json", rule: `one of ${names.join(", ")}` });
}

function isIn(text: string, files: readonly FileFormat[]): boolean {
  return files.some(({ name }) => name === text);
}

function endingsFor({ offered }: Files): Readonly<Record<string, string>> {
  const endings = offered.flatMap(({ name, ending }) => (ending === undefined ? [] : [[ending, name]]));
  return { ...formatEndings, ...Object.fromEntries(endings) };
}

/** A file with a fixed form has no columns to choose, and a binary one would only confuse a terminal. */
function checkFile({ name, ending, isBinary }: FileFormat, flags: CommonFlags, host: Host): void {
  const given = rowFlagsIn(flags);
  if (given.length > 0)
    throw new Failure(
      "usage",
      `${given.join(" and ")} cannot be used with ${name}: the form of such a file is fixed.`,
      { hint: `${leaveOut(given)}, or use --output csv.` },
    );
  if (isBinary && flags.save === undefined && host.stdout.isTerminal)
    throw new Failure("usage", `${name} isn't text that a terminal could show.`, {
      hint: `Write it to a file: --save statement${ending ?? ""}`,
    });
}

/**
 * A flag that has no effect on the chosen format is a mistake in the command line.
 * @throws {Failure} usage
 */
function checkIdle({ noHeader, raw, excel, delimiter }: CommonFlags, format: string): void {
  const ofCsv = Object.entries({ raw, excel, delimiter }).filter(([, value]) => value !== undefined && value !== false);
  const idle = [
    ...(noHeader && format !== "csv" && format !== "table" ? ["--no-header"] : []),
    ...(format === "csv" ? [] : ofCsv.map(([name]) => `--${name}`)),
  ];
  if (idle.length === 0) return;
  const works = idle.length === 1 ? "works" : "work";
  const kinds = idle.join() === "--no-header" ? "tables and csv" : "csv";
  throw new Failure("usage", `${idle.join(" and ")} ${works} with ${kinds} only.`, {
    hint: `Add --output csv, or leave ${idle.length === 1 ? "it" : "them"} out.`,
  });
}

/** The given flags that apply to rows. */
function rowFlagsIn({ columns, sort, noHeader, raw, excel, delimiter }: CommonFlags): string[] {
  return Object.entries({ columns, sort, "no-header": noHeader, raw, excel, delimiter }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`--${name}`],
  );
}

function leaveOut(given: readonly string[]): string {
  return `Leave ${given.length === 1 ? "it" : "them"} out`;
}

function listOf(text: string, field: string, example: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "" && name !== "-")) return names;
  throw violation({ field, text, problem: "has an empty name in it", example });
}

function sortKey(text: string): SortKey {
  return text.startsWith("-") ? { name: text.slice(1), descending: true } : { name: text, descending: false };
}
