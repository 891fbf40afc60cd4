import { join } from "node:path";
import { Config } from "@oclif/core/config";
import type { Host } from "../host/host.ts";
import { PromptAborted } from "../host/prompts.ts";
import { renderFailure } from "../report/failure-text.ts";
import { explained, explainStdout } from "../report/write-trouble.ts";
import { Failure, interruption } from "../values/failure.ts";
import { catalog } from "./catalog.ts";
import { readCommandLine } from "./command-line.ts";
import { unknownCommand } from "./mistake.ts";
import type { Package } from "./plugin.ts";
import { pluginOf, toBeRun } from "./plugin.ts";
import { redacting } from "./redaction.ts";
import { silence } from "./silence.ts";
import { wantsColour, wishesOf } from "./wishes.ts";
import { withWorld } from "./world.ts";

/**
 * Runs one command line and says how it ended: the exit code. Everything that goes wrong anywhere is caught here, once,
 * and turned into words on stderr.
 */
export async function main(argv: readonly string[], outside: Host, from: Package): Promise<number> {
  const secrets = new Set<string>();
  const host: Host = { ...outside, stderr: redacting(outside.stderr, secrets) };
  try {
    return await dispatch(argv, host, from, secrets);
  } catch (error) {
    const failure = failureOf(error, host);
    await host.stderr.write(renderFailure(failure, wishesOf(argv, host)));
    return failure.exit;
  }
}

async function dispatch(argv: readonly string[], host: Host, from: Package, secrets: Set<string>): Promise<number> {
  if (argv[0] === "--version") {
    const { platform, architecture, nodeVersion } = host.machine;
    return print(`${from.pjson.name}/${from.pjson.version} ${platform}-${architecture} node-v${nodeVersion}\n`, host);
  }
  const ids = Object.keys(catalog);
  const { id, words, rest } = readCommandLine(argv, ids);
  const asksHelp = words[0] === "help" || asksForHelp(argv) || isGroup(words, ids, id);
  const plugin = pluginOf(from, asksHelp ? await from.manifest() : toBeRun(id));
  const world = {
    host,
    program: {
      version: from.pjson.version,
      nodeRange: from.pjson.engines.node,
      script: join(from.root, "bin", "partner.js"),
      commands: async () => Object.values((await from.manifest()).commands),
    },
    secrets,
    exit: 0,
  };
  const config = await Config.load(
    withWorld(
      {
        root: from.root,
        pjson: from.pjson,
        plugins: new Map([[plugin.name, plugin]]),
        userPlugins: false,
        devPlugins: false,
        jitPlugins: false,
        logger: silence,
      },
      world,
    ),
  );
  // oclif loads a Config again for the command that it runs, and would make a log of its own for that one.
  Object.assign(config, { logger: silence });
  if (asksHelp) {
    const { helpText, unknownTopic } = await import("./help.ts");
    const about = words[0] === "help" ? words.slice(1) : words;
    const text = helpText(about, config, wantsColour(argv, host));
    if (text === undefined) throw unknownTopic(about, ids);
    return print(text, host);
  }
  if (id === undefined) throw unknownCommand(words, ids);
  await config.runCommand(id, [...rest]);
  return world.exit;
}

/** What is no report's: it fails to be written in the same words. */
async function print(text: string, { stdout }: Host): Promise<number> {
  await explained(() => stdout.write(text), explainStdout);
  return 0;
}

/** `partner wallet` alone: the words name a group of commands and no command. */
function isGroup(words: readonly string[], ids: readonly string[], id: string | undefined): boolean {
  return id === undefined && ids.some((known) => known.startsWith(`${words.join(":")}:`));
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return argv.length === 0 || words.includes("--help") || words.includes("-h");
}

/** Anything that was thrown, as a failure: what is none of ours is a bug, unless a person interrupted the run. */
function failureOf(error: unknown, host: Host): Failure {
  const failure = error instanceof Failure ? error : undefined;
  if (host.signal.aborted && (failure === undefined || failure.ending === "unavailable"))
    return interruption(host.signal, {
      money: failure?.money,
      reference: failure?.reference,
      requestId: failure?.requestId,
    });
  if (failure !== undefined) return failure;
  if (error instanceof PromptAborted)
    return new Failure("interrupted", "Nothing was done: the question was not answered.");
  const what = error instanceof Error ? error.message : String(error);
  return new Failure("bug", `Something went wrong inside of partner: ${what}`, {
    hint: "Please report it, with the output of the same command and --debug.",
    cause: error,
  });
}
