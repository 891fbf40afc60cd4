import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

/** A program that takes part in a measurement. */
export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where stdout goes; thrown away by default. */
  readonly stdoutFile?: string;
}

export interface Measured {
  readonly name: string;
  readonly medianMs: number;
  readonly fastestMs: number;
  /** The median of the peaks; undefined where GNU time is not installed. */
  readonly peakMb: number | undefined;
}

interface Run {
  readonly ms: number;
  readonly peakMb: number | undefined;
}

const gnuTime = "/usr/bin/time";

/**
 * Runs programs in turn (A B A B …), so that whatever else the machine does falls on all of them alike.
 * A round before the first warms caches up and is not counted.
 */
export function takeTurns(contenders: readonly Contender[], rounds: number, { warmUp = true } = {}): Measured[] {
  const runs = contenders.map((): Run[] => []);
  for (let round = warmUp ? 0 : 1; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const run = runOnce(contender);
      if (round > 0) runs[index]?.push(run);
    }
  }
  return contenders.map((contender, index) => summarise(contender.name, runs[index] ?? []));
}

/** GNU time tells the peak and costs under a millisecond, the same for every contender. */
function runOnce(contender: Contender): Run {
  const folder = mkdtempSync(join(tmpdir(), "partner-bench-"));
  const peakFile = join(folder, "peak");
  const timed = existsSync(gnuTime);
  const command = timed ? gnuTime : contender.command;
  const args = timed ? ["-f", "%M", "-o", peakFile, contender.command, ...contender.args] : [...contender.args];
  const stdout = contender.stdoutFile === undefined ? ("ignore" as const) : openSync(contender.stdoutFile, "w");
  try {
    const started = performance.now();
    const { status, stderr } = spawnSync(command, args, {
      env: environmentOf(contender),
      stdio: ["ignore", stdout, "pipe"],
    });
    const ms = performance.now() - started;
    if (status !== 0)
      throw new Error(`${contender.name} ended with ${String(status)}: ${stderr.toString().slice(-500)}`);
    return { ms, peakMb: timed ? Number(readFileSync(peakFile, "utf8")) / 1024 : undefined };
  } finally {
    if (typeof stdout === "number") closeSync(stdout);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An extra certificate file would be read at every start of Node: it is taken away from everybody. */
function environmentOf(contender: Contender): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, ...contender.environment };
  delete environment["NODE_EXTRA_CA_CERTS"];
  delete environment["NODE_OPTIONS"];
  return environment;
}

function summarise(name: string, runs: readonly Run[]): Measured {
  const peaks = runs.flatMap((run) => (run.peakMb === undefined ? [] : [run.peakMb]));
  return {
    name,
    medianMs: median(runs.map((run) => run.ms)),
    fastestMs: Math.min(...runs.map((run) => run.ms)),
    peakMb: peaks.length === 0 ? undefined : median(peaks),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints what was measured, each as a ratio to the first. */
export function printTable(title: string, measured: readonly Measured[]): void {
  const first = measured[0]?.medianMs ?? Number.NaN;
  const load = loadavg()[0]?.toFixed(2) ?? "?";
  console.log(`\n${title} (load ${load})`);
  console.log(
    `${"".padEnd(44)}${["median ms", "fastest", "ratio", "peak MB"].map((word) => word.padStart(11)).join("")}`,
  );
  for (const { name, medianMs, fastestMs, peakMb } of measured) {
    const cells = [
      medianMs.toFixed(0),
      fastestMs.toFixed(0),
      (medianMs / first).toFixed(2),
      peakMb?.toFixed(0) ?? "not known",
    ];
    console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(11)).join(""));
  }
}
