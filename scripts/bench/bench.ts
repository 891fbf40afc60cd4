import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Contender, Measured } from "./turns.ts";
import { ratio } from "./turns.ts";

/** A build of the program that is measured. */
export interface Program {
  /** How it is called in the tables: `partner`, or `partner@main`. */
  readonly name: string;
  readonly script: string;
}

/** A line of the table at the end. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly ratio: string;
  readonly against: string;
}

/** What each part of the bench is given. */
export interface Bench {
  /** Thrown away at the end. */
  readonly folder: string;
  /** This build, and the one to compare it with. */
  readonly programs: readonly Program[];
  /** For the table at the end. */
  readonly figures: Figure[];
}

/** A run of a program as a contender, with folders of its own. */
export function contenderOf(
  { name, script }: Program,
  words: readonly string[],
  {
    folder,
    environment,
    label = words.join(" "),
  }: {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly label?: string;
  },
): Contender {
  const home = join(folder, "homes", name.replaceAll(/[^\w@.-]/g, "-"));
  mkdirSync(home, { recursive: true });
  return {
    name: `${name} ${label}`,
    command: process.execPath,
    args: [script, ...words],
    environment: { HOME: home, XDG_CACHE_HOME: join(home, "cache"), ...environment },
    stdoutFile: join(folder, "stdout"),
  };
}

/** True where a program can be started; says so where it cannot. */
export function isInstalled(program: string): boolean {
  const there = spawnSync(program, ["--version"]).error === undefined;
  if (!there) console.log(`\n${program} is not installed: nothing to compare with.`);
  return there;
}

/** With `--compare`: what each command takes in this build, as a part of what it takes in the other. */
export function printComparison(measured: readonly Measured[], [own, other]: readonly Program[]): void {
  if (own === undefined || other === undefined) return;
  console.log(`\n${own.name} as a part of ${other.name}`.padEnd(53) + "CPU    peak".padStart(22));
  for (const { name, cpuMs, peakMb } of measured) {
    if (!name.startsWith(`${own.name} `)) continue;
    const words = name.slice(own.name.length + 1);
    const theirs = measured.find((each) => each.name === `${other.name} ${words}`);
    console.log(
      words.padEnd(52) + ratio(cpuMs, theirs?.cpuMs).padStart(14) + ratio(peakMb, theirs?.peakMb).padStart(8),
    );
  }
}
