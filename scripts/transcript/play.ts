import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome, Transcript } from "./transcript.ts";
import { formatOutcome, parseTranscript } from "./transcript.ts";

const stepTimeoutMs = 60_000;
const sessionTimeoutMs = 300_000;
/** Where the tests let each process leave what it compiled: the home of a transcript is too short-lived for that. */
const compiled = process.env["NODE_COMPILE_CACHE"];
const innerFile = join(import.meta.dirname, "play-inside.ts");

/** The program under test: what starts it. */
export interface Installed {
  /** The Node that runs it; undefined for a standalone executable, which then finds no Node anywhere. */
  readonly node: string | undefined;
  /** The file that `partner` is, such as bin/partner.js. */
  readonly program: string;
}

/**
 * Plays a transcript against the real program, in an empty home of its own and far from its author's time zone.
 * @returns what came back of each step
 */
export async function playTranscript({ inside, steps }: Transcript, installed: Installed): Promise<Outcome[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "partner-transcript-")));
  try {
    placeCommands(installed, home);
    const environment = {
      HOME: home,
      PATH: `${home}:/usr/local/bin:/usr/bin:/bin`,
      TZ: "America/Los_Angeles",
      LANG: "C.UTF-8",
      ...(compiled === undefined ? {} : { XDG_CACHE_HOME: compiled }),
    };
    const commands = steps.map(({ command }) => command);
    if (inside === undefined) {
      const outcomes = await playCommands(commands, environment, home);
      return outcomes.map((outcome) => withoutChance(outcome, home));
    }
    const orders = join(home, "commands.json");
    const outcomes = join(home, "outcomes.json");
    writeFileSync(orders, JSON.stringify(commands));
    const words = [...inside, "--", process.execPath, innerFile, orders, outcomes];
    const around = await run(join(home, "partner"), words, environment, home, sessionTimeoutMs);
    if (around.exit !== 0) throw new Error(`partner ${words.join(" ")} ended with ${around.exit}:\n${around.stderr}`);
    return readOutcomes(outcomes).map((outcome) => withoutChance(outcome, home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Puts `partner` into the folder that comes first in PATH. */
function placeCommands({ node, program }: Installed, folder: string): void {
  const start = node === undefined ? `'${program}'` : `'${node}' '${program}'`;
  writeFileSync(join(folder, "partner"), `#!/bin/sh\nexec ${start} "$@"\n`, { mode: 0o755 });
  if (node !== undefined) return;
  writeFileSync(join(folder, "node"), "#!/bin/sh\necho 'A Node was asked for.' >&2\nexit 127\n", { mode: 0o755 });
}

/** Plays one command after the other, each by a shell of its own, in the same folder. */
export async function playCommands(
  commands: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const command of commands) outcomes.push(await run("/bin/sh", ["-c", command], environment, folder));
  return outcomes;
}

function run(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
  timeoutMs = stepTimeoutMs,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (exit, signal) => {
      if (exit === null) reject(new Error(`${command} ${args.join(" ")} was ended by ${signal ?? "a signal"}`));
      else resolve({ stdout: text(stdout), stderr: text(stderr), exit });
    });
  });
}

/** What differs between two runs whatever the program does, besides the folder that they ran in. */
const chance: readonly (readonly [RegExp, string])[] = [
  // A batch is called after its file and its account, whose address has another port each time.
  [/\b([Bb]atch(?: report)?) [0-9a-f]{16}\b/g, "$1 <batch>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "<moment>"],
  [/\b127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"],
];

function withoutChance({ stdout, stderr, exit }: Outcome, home: string): Outcome {
  const settle = (text: string): string =>
    chance.reduce((settled, [pattern, name]) => settled.replaceAll(pattern, name), text.replaceAll(home, "<home>"));
  return { stdout: settle(stdout), stderr: settle(stderr), exit };
}

/** What is no UTF-8 becomes a replacement character, which no transcript holds: it differs, as it should. */
function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function readOutcomes(file: string): Outcome[] {
  const outcomes: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(outcomes) ? outcomes.filter((outcome) => isOutcome(outcome)) : [];
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === "object" && value !== null && "stdout" in value && "stderr" in value && "exit" in value;
}

/** What differs between a transcript and what came back, step by step; empty where nothing does. */
export async function checkTranscript(source: string, installed: Installed): Promise<string[]> {
  const transcript = parseTranscript(source);
  const outcomes = await playTranscript(transcript, installed);
  return transcript.steps.flatMap(({ command, outcome: expected }, index) => {
    const actual = outcomes[index];
    const wanted = formatOutcome(expected);
    const got = actual === undefined ? ["(nothing: it was not reached)"] : formatOutcome(actual);
    if (wanted.join("\n") === got.join("\n")) return [];
    return [`$ ${command}`, ...difference(wanted, got)];
  });
}

/** Both sides whole, the lines that are the same once: `-` what was written down, `+` what came. */
function difference(wanted: readonly string[], got: readonly string[]): string[] {
  const lines: string[] = [];
  for (let index = 0; index < Math.max(wanted.length, got.length); index += 1) {
    const [before, after] = [wanted[index], got[index]];
    if (before === after) lines.push(`  ${before ?? ""}`);
    else lines.push(...(before === undefined ? [] : [`- ${before}`]), ...(after === undefined ? [] : [`+ ${after}`]));
  }
  return lines;
}
