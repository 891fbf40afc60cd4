import type { Host } from "../../host/host.ts";
import type { Format } from "../../report/options.ts";
import { formats } from "../../report/options.ts";
import { commonFlags } from "../common-flags.ts";
import { toggle } from "./input.ts";
import type { LineToken } from "./tokens.ts";
import { tokensOf } from "./tokens.ts";

/** Flags that are needed to report errors, even errors of the command line itself. */
export interface EarlyFlags {
  readonly format: Format;
  readonly debug: boolean;
  readonly colour: boolean;
}

/** Flags that are read before the command is known. */
const knownEarly = {
  ...commonFlags,
  help: toggle({ char: "h", summary: "" }),
  version: toggle({ char: "v", summary: "" }),
  // Only some commands have these; they can occur in a cluster of letters.
  yes: toggle({ char: "y", summary: "" }),
  dryRun: toggle({ char: "n", summary: "" }),
};

/** Values that mean no: `--json=false`. */
const saysNo: ReadonlySet<string | undefined> = new Set(["false", "no", "off", "0"]);

/** A command line as tokens, before its command is known. The command parses it again, with all of its flags. */
export function earlyTokens(argv: readonly string[]): readonly LineToken[] {
  return tokensOf(argv, knownEarly);
}

/** How to report errors, by as much of the command line as could be read. */
export function earlyFlags(tokens: readonly LineToken[], host: Pick<Host, "environment" | "stderr">): EarlyFlags {
  return {
    format: formatOf(tokens, host),
    debug: isAsked(tokens, "debug"),
    colour: wantsColour(isAsked(tokens, "noColor"), host),
  };
}

/**
 * True where such a flag is set, alone or with a value that doesn't mean no. Whether it may have that value is checked
 * later.
 */
export function isAsked(tokens: readonly LineToken[], key: keyof typeof knownEarly): boolean {
  return tokens.some((token) => token.kind === "toggle" && token.key === key && !saysNo.has(token.typed));
}

/**
 * Colours are for terminals that can show them, unless `--no-color`, `NO_COLOR`, `TERM=dumb` or `FORCE_COLOR` says
 * otherwise.
 */
export function wantsColour(noColor: boolean, { environment, stderr }: Pick<Host, "environment" | "stderr">): boolean {
  if (noColor || (environment["NO_COLOR"] ?? "") !== "") return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  return stderr.isTerminal && environment["TERM"] !== "dumb";
}

function formatOf(tokens: readonly LineToken[], { environment }: Pick<Host, "environment">): Format {
  const outputs = tokens.flatMap((token) => (token.kind === "option" && token.key === "output" ? [token.text] : []));
  const short = isAsked(tokens, "json") ? "json" : isAsked(tokens, "csv") ? "csv" : undefined;
  const asked = outputs.at(-1) ?? short ?? environment["PARTNER_OUTPUT"];
  return formats.find((format) => format === asked) ?? "table";
}
