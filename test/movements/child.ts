import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { onTestFinished } from "vitest";
import type { StopSignal } from "../../src/values/failure.ts";
import type { Run } from "../partner.ts";
import { words } from "../partner.ts";
import type { Till } from "./till.ts";
import { compiled, program } from "../program.ts";

/** A run in a process of its own, of the sources as they stand. */
export interface Child {
  kill(signal: "SIGKILL" | StopSignal): void;
  /** The same for all that it started, as a terminal does it. */
  killGroup(signal: StopSignal): void;
  /** Resolves when its stderr has the text, and rejects where it ends before that. */
  says(text: string): Promise<void>;
  /** Resolves when it is over; one that was killed has the exit code of its signal. */
  readonly run: Promise<Run>;
}

/** @param before a program that runs this one, with its words */
export function startRun(line: string | readonly string[], till: Till, before: readonly string[] = []): Child {
  const argv = [...(typeof line === "string" ? words(line) : line), ...words(till.flags)];
  const [command = "", ...rest] = [...before, process.execPath, program, ...argv];
  const child = spawn(command, rest, {
    env: { ...compiled, ...till.environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const streams = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (part) => (streams[name] += String(part)));
  const ended = once(child, "close").then(([exit, signal]) => ({ exit: exitOf(exit, signal), ...streams }));
  const silent = async (text: string) => {
    throw new Error(`It never said "${text}", but: ${JSON.stringify(await ended)}`);
  };
  return {
    kill: (signal) => void child.kill(signal),
    killGroup: (signal) => void process.kill(-(child.pid ?? 0), signal),
    async says(text) {
      while (!streams.stderr.includes(text)) await Promise.race([once(child.stderr, "data"), silent(text)]);
    },
    run: ended,
  };
}

function exitOf(exit: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (exit ?? 1) : 128 + constants.signals[signal];
}
