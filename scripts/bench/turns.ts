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
  /**
   * The processor's time, of the program and of the kernel for it; the median. What else the machine does counts less
   * there.
   */
  readonly cpuMs: number | undefined;
  /** The median of the peaks; undefined where GNU time is not installed. */
  readonly peakMb: number | undefined;
}

interface Run {
  readonly ms: number;
  readonly cpuMs: number | undefined;
  readonly peakMb: number | undefined;
}

const gnuTime = "/usr/bin/time";
const canTime = existsSync(gnuTime) && existsSync("/bin/bash");
/** bash tells milliseconds of the processor, GNU time the peak; both cost the same for every contender. */
const timing = `TIMEFORMAT="%3R %3U %3S"; { time ${gnuTime} -f %M -o "$0" "$@" 2>&3; } 3>&2 2>"$0.times"`;

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

function runOnce(contender: Contender): Run {
  const folder = mkdtempSync(join(tmpdir(), "partner-bench-"));
  const peakFile = join(folder, "peak");
  const command = canTime ? "/bin/bash" : contender.command;
  const args = canTime ? ["-c", timing, peakFile, contender.command, ...contender.args] : [...contender.args];
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
    if (!canTime) return { ms, cpuMs: undefined, peakMb: undefined };
    const [real = 0, user = 0, system = 0] = readFileSync(`${peakFile}.times`, "utf8").trim().split(" ").map(Number);
    return {
      ms: real * 1000,
      cpuMs: (user + system) * 1000,
      peakMb: Number(readFileSync(peakFile, "utf8")) / 1024,
    };
  } finally {
    if (typeof stdout === "number") closeSync(stdout);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * An extra certificate file would be read at every start of Node: it is taken away from everybody, and so is what is
 * set for our program here.
 */
function environmentOf(contender: Contender): NodeJS.ProcessEnv {
  const outside = Object.entries(process.env).filter(
    ([name]) => !/^(?:PARTNER_|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$)/.test(name),
  );
  return { ...Object.fromEntries(outside), ...contender.environment };
}

function summarise(name: string, runs: readonly Run[]): Measured {
  return {
    name,
    medianMs: median(runs.map((run) => run.ms)) ?? Number.NaN,
    fastestMs: Math.min(...runs.map((run) => run.ms)),
    cpuMs: median(runs.flatMap(({ cpuMs }) => cpuMs ?? [])),
    peakMb: median(runs.flatMap(({ peakMb }) => peakMb ?? [])),
  };
}

export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Prints what was measured, each as a ratio to the one of that name, or to the first. */
export function printTable(title: string, measured: readonly Measured[], against = measured[0]?.name): void {
  const base = measured.find(({ name }) => name === against);
  const load = loadavg()[0]?.toFixed(2) ?? "?";
  console.log(`\n${title} (load ${load})`);
  console.log(line("", ["median ms", "fastest", "ratio", "CPU ms", "CPU ratio", "peak MB"]));
  for (const { name, medianMs, fastestMs, cpuMs, peakMb } of measured) {
    const cells = [
      medianMs.toFixed(0),
      fastestMs.toFixed(0),
      ratio(medianMs, base?.medianMs),
      cpuMs?.toFixed(0) ?? "not known",
      ratio(cpuMs, base?.cpuMs),
      peakMb?.toFixed(0) ?? "not known",
    ];
    console.log(line(name, cells));
  }
}

export function ratio(value: number | undefined, base: number | undefined): string {
  return value === undefined || base === undefined ? "not known" : (value / base).toFixed(2);
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(52) + cells.map((cell) => cell.padStart(11)).join("");
}
