import type { Host } from "../../host/host.ts";
import type { Format } from "../../report/options.ts";
import { formats } from "../../report/options.ts";
import { commonFlags } from "../common-flags.ts";
import { toggle } from "./input.ts";
import type { Token } from "./tokens.ts";
import { tokensOf } from "./tokens.ts";

/** What has to be known of a command line whether or not it makes sense: how to show what went wrong. */
export interface EarlyFlags {
  readonly format: Format;
  readonly debug: boolean;
  readonly colour: boolean;
}

/** Flags that are looked for before it is known which command it is. */
const knownEarly = {
  ...commonFlags,
  help: toggle({ char: "h", summary: "" }),
  version: toggle({ char: "v", summary: "" }),
  // Some commands have these; as letters they stand among others.
  yes: toggle({ char: "y", summary: "" }),
  dryRun: toggle({ char: "n", summary: "" }),
};

/** What a person types who means no: `--json=false`. */
const saysNo: ReadonlySet<string | undefined> = new Set(["false", "no", "off", "0"]);

/** A command line as it reads before its command is known. The command reads it again, with all of its own flags. */
export function earlyTokens(argv: readonly string[]): readonly Token[] {
  return tokensOf(argv, knownEarly);
}

/** How to show what went wrong, by a command line as far as it could be read. */
export function earlyFlags(tokens: readonly Token[], host: Pick<Host, "environment" | "stderr">): EarlyFlags {
  return {
    format: formatOf(tokens, host),
    debug: isAsked(tokens, "debug"),
    colour: wantsColour(isAsked(tokens, "noColor"), host),
  };
}

/** True where a flag without a value was typed; a value that says no is a mistake, and is told in the usual form. */
export function isAsked(tokens: readonly Token[], key: keyof typeof knownEarly): boolean {
  return tokens.some((token) => token.kind === "toggle" && token.key === key && !saysNo.has(token.typed));
}

/**
 * Colours are for terminals that can show them, unless somebody says otherwise: `--no-color`, `NO_COLOR`,
 * `TERM=dumb`, `FORCE_COLOR`.
 */
export function wantsColour(noColor: boolean, { environment, stderr }: Pick<Host, "environment" | "stderr">): boolean {
  if (noColor || (environment["NO_COLOR"] ?? "") !== "") return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  return stderr.isTerminal && environment["TERM"] !== "dumb";
}

function formatOf(tokens: readonly Token[], { environment }: Pick<Host, "environment">): Format {
  const outputs = tokens.flatMap((token) => (token.kind === "option" && token.key === "output" ? [token.text] : []));
  const short = isAsked(tokens, "json") ? "json" : isAsked(tokens, "csv") ? "csv" : undefined;
  const asked = outputs.at(-1) ?? short ?? environment["PARTNER_OUTPUT"];
  return formats.find((format) => format === asked) ?? "table";
}
