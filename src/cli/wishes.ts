import type { Host } from "../host/host.ts";
import type { Format } from "../report/options.ts";
import { formats } from "../report/options.ts";

/** What a command line asks for, as far as it can be seen before it is understood: how to show what went wrong. */
export interface Wishes {
  readonly format: Format;
  readonly debug: boolean;
  readonly colour: boolean;
}

/** Looks through the words up to `--`. A command line that makes no sense still gets its errors as it wanted them. */
export function wishesOf(argv: readonly string[], host: Host): Wishes {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return { format: formatOf(words, host), debug: words.includes("--debug"), colour: wantsColour(words, host) };
}

/**
 * Colours are for terminals that can show them, unless somebody says otherwise: `--no-color`, `NO_COLOR`,
 * `TERM=dumb`, `FORCE_COLOR`.
 */
export function wantsColour(words: readonly string[], { environment, stderr }: Host): boolean {
  if (words.includes("--no-color") || (environment["NO_COLOR"] ?? "") !== "") return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  return stderr.isTerminal && environment["TERM"] !== "dumb";
}

function formatOf(words: readonly string[], host: Host): Format {
  const output = words.findLastIndex((word) => /^(-o|--output)(=|$)/.test(word) || /^-o[a-z]/.test(word));
  const value =
    output === -1 ? undefined : (/^(?:-o=?|--output=)(.+)$/.exec(words[output] ?? "")?.[1] ?? words[output + 1]);
  const short = words.includes("--json") ? "json" : words.includes("--csv") ? "csv" : undefined;
  const asked = value ?? short ?? host.environment["PARTNER_OUTPUT"];
  return formats.find((format) => format === asked) ?? "table";
}
