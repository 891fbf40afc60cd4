import { join } from "node:path";
import type { Host, WiredHost } from "../host/host.ts";
import { lineWidth } from "../host/line-width.ts";
import { Outlet } from "../host/http/outlet.ts";
import { PromptAborted } from "../host/process/prompts.ts";
import { renderFailure } from "../report/failure-text.ts";
import { CutStdout, explained, explainStdout } from "../report/write-failures.ts";
import { Failure, interruption } from "../values/failure.ts";
import type { Application } from "./application.ts";
import { readCommandLine } from "./line/command-line.ts";
import { earlyFlags, earlyTokens, isAsked } from "./line/early-flags.ts";
import { unknownCommand } from "./line/usage-errors.ts";
import type { Package } from "./plugin.ts";
import { toBeRun } from "./plugin.ts";
import { redacting, wrapping } from "./altered-output.ts";
import type { LineToken } from "./line/tokens.ts";
import type { RunContext } from "./run-context.ts";
import { suggesting } from "./suggesting.ts";

/**
 * Runs one command line and returns its exit code. Every error is caught here, once, and printed on stderr.
 */
export async function main(
  argv: readonly string[],
  outside: WiredHost,
  from: Package,
  application: Application,
): Promise<number> {
  const secrets = new Set<string>();
  const { transport: openTransport, ...unwired } = outside;
  const tokens = earlyTokens(argv);
  const stderr = suggesting(redacting(wrapping(outside.stderr), secrets), tokens, application);
  const host: Host = { ...unwired, stderr };
  const outlet = new Outlet(openTransport);
  const context = contextFor(host, from, application, { outlet, secrets, early: earlyFlags(tokens, host) });
  try {
    return await dispatch(argv, tokens, context, { from, application });
  } catch (error) {
    const failure = failureOf(error, host);
    await host.stderr.write(renderFailure(failure, { ...context.early, isTerminal: host.stderr.isTerminal }));
    return failure.exit;
  }
}

function contextFor(
  host: Host,
  from: Package,
  { fileFormats, aliases }: Application,
  known: Pick<RunContext, "outlet" | "secrets" | "early">,
): RunContext {
  const program = {
    version: from.pjson.version,
    nodeRange: from.pjson.engines.node,
    script: join(from.root, "bin", "partner.js"),
    fileFormats,
    commands: async () => Object.values((await from.manifest()).commands),
    aliases,
    schema: from.schema,
  };
  return { host, program, ...known, noted: new Set(), exit: 0 };
}

async function dispatch(
  argv: readonly string[],
  tokens: readonly LineToken[],
  context: RunContext,
  { from, application }: { readonly from: Package; readonly application: Application },
): Promise<number> {
  const { host } = context;
  // Shell scripts call this on Tab. The help doesn't list it, since people don't type it.
  if (argv[0] === "complete") {
    const { completions } = await import("./completing.ts");
    return print(await completions(argv.slice(1), await context.program.commands(), application, host), host);
  }
  const ids = Object.keys(application.catalog);
  const { aliases } = application;
  const { id: typed, words, rest } = readCommandLine(argv, tokens, [...ids, ...Object.keys(aliases)]);
  const meant = (name: string) => (Object.hasOwn(aliases, name) ? aliases[name] : undefined);
  const id = typed === undefined ? undefined : (meant(typed) ?? typed);
  if (asksVersion(words, tokens)) return print(versionLine(from, host), host);
  const asksHelp = argv.length === 0 || words[0] === "help" || isAsked(tokens, "help") || isGroup(words, ids, id);
  if (id === undefined && !asksHelp) throw unknownCommand(words, ids);
  const { loadConfig } = await import("./oclif-config.ts");
  const config = await loadConfig(from, asksHelp ? await from.manifest() : toBeRun(id), application.catalog, context);
  if (asksHelp) {
    const { helpText, unknownTopic } = await import("./help/pages.ts");
    const [topics, groups] = [await application.topics(), await application.groups()];
    const named = words[0] === "help" ? words.slice(1) : words;
    const about = meant(named.join(":"))?.split(":") ?? named;
    const form = { columns: lineWidth(host.stdout, host), bold: context.early.colour && host.stdout.isTerminal };
    const text = helpText(about, { config, topics, groups }, form);
    if (text === undefined) throw unknownTopic(about, ids, topics);
    return print(text, host);
  }
  if (id !== undefined) await config.runCommand(id, [...rest]);
  return context.exit;
}

function versionLine({ pjson: { name, version } }: Package, { machine }: Host): string {
  return `${name}/${version} ${machine.platform}-${machine.architecture} node-v${machine.nodeVersion}\n`;
}

/** `--version`, `-v` and, as the one word, `version`. */
function asksVersion(words: readonly string[], tokens: readonly LineToken[]): boolean {
  if (words.length === 0) return isAsked(tokens, "version");
  return words.length === 1 && words[0] === "version" && !isAsked(tokens, "help");
}

/** Prints text that isn't a report; a write error ends the run as it does for a report. */
async function print(text: string, { stdout }: Host): Promise<number> {
  await explained(() => stdout.write(text), explainStdout);
  return 0;
}

/** True for `partner wallet` alone: the words name a group of commands. */
function isGroup(words: readonly string[], ids: readonly string[], id: string | undefined): boolean {
  return id === undefined && ids.some((known) => known.startsWith(`${words.join(":")}:`));
}

/** Any thrown value as a failure: an unexpected error is a bug, unless a signal interrupted the run. */
function failureOf(error: unknown, host: Host): Failure {
  const failure = error instanceof Failure ? error : undefined;
  const isBySignal = failure === undefined || (failure.ending === "unavailable" && !(failure instanceof CutStdout));
  if (host.signal.aborted && isBySignal)
    return interruption(host.signal, {
      money: failure?.money,
      reference: failure?.reference,
      requestId: failure?.requestId,
    });
  if (failure !== undefined) return failure;
  if (error instanceof PromptAborted)
    return new Failure("interrupted", "Nothing was done: the question was not answered.");
  const what = error instanceof Error ? error.message : String(error);
  return new Failure("bug", `Something went wrong inside partner: ${what}`, {
    hint: "Please report it, with the output of the same command and --debug.",
    cause: error,
  });
}
