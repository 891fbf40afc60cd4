import type { Host } from "../host/host.ts";
import { parseDelimiter } from "../report/csv.ts";
import type { Format, ReportOptions, SortKey } from "../report/options.ts";
import { formats } from "../report/options.ts";
import { formatEndings, formatOfEnding } from "../report/save.ts";
import { Failure } from "../values/failure.ts";
import { misuse } from "../values/misuse.ts";
import type { commonFlags } from "./common-flags.ts";
import type { FlagValues } from "./input.ts";

export type CommonFlags = FlagValues<typeof commonFlags>;

/**
 * How a result is shown, from the flags that every command has and the environment.
 * @throws {Failure} usage
 */
export function resultOptions(flags: CommonFlags, host: Host, colour: boolean): ReportOptions {
  return {
    format: formatOf(flags, host),
    save: flags.save,
    columns: flags.columns === undefined ? undefined : listOf(flags.columns, "--columns", "accountNo,balance"),
    sort: flags.sort === undefined ? undefined : listOf(flags.sort, "--sort", "currency,-balance").map(sortKey),
    header: !flags.noHeader,
    raw: flags.raw,
    excel: flags.excel,
    delimiter: parseDelimiter(flags.delimiter ?? ","),
    quiet: flags.quiet,
    colour: colour && host.stdout.isTerminal,
    width: host.stdout.columns,
  };
}

/** `--output` decides, then `--json` and `--csv`, then the ending of `--save`, then PARTNER_OUTPUT. */
function formatOf(flags: CommonFlags, host: Host): Format {
  if (flags.json && flags.csv)
    throw new Failure("usage", "--json and --csv contradict each other.", { hint: "Keep one of them." });
  const short = flags.json ? "json" : flags.csv ? "csv" : undefined;
  if (flags.output !== undefined) {
    if (short !== undefined && short !== flags.output)
      throw new Failure("usage", `--${short} and --output ${flags.output} contradict each other.`, {
        hint: "Keep one of them.",
      });
    return parseFormat(flags.output, "--output");
  }
  if (short !== undefined) return short;
  if (flags.save !== undefined) return formatOfEnding(flags.save, formatEndings);
  const asked = host.environment["PARTNER_OUTPUT"] ?? "";
  return asked === "" ? "table" : parseFormat(asked, "PARTNER_OUTPUT");
}

function parseFormat(text: string, field: string): Format {
  const format = formats.find((known) => known === text);
  if (format !== undefined) return format;
  throw misuse({ field, text, problem: "is no format", example: "json", rule: `one of ${formats.join(", ")}` });
}

function listOf(text: string, field: string, example: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "" && name !== "-")) return names;
  throw misuse({ field, text, problem: "has an empty name in it", example });
}

function sortKey(text: string): SortKey {
  return text.startsWith("-") ? { name: text.slice(1), descending: true } : { name: text, descending: false };
}
