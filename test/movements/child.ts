import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { onTestFinished } from "vitest";
import type { StopSignal } from "../../src/values/failure.ts";
import type { Run } from "../partner.ts";
import { words } from "../partner.ts";
import type { Till } from "./till.ts";
import { compiled, program } from "../program.ts";

/** A run of the current sources in a process of its own. */
export interface Child {
  kill(signal: "SIGKILL" | StopSignal): void;
  /** The same for every process that it started, as a terminal does it. */
  killGroup(signal: StopSignal): void;
  /** Resolves when its stderr contains the text, and rejects if it ends before that. */
  says(text: string): Promise<void>;
  /** Resolves when the process has ended; after a kill it has the exit code of the signal. */
  readonly run: Promise<Run>;
}

/** @param before a program that runs this one, with its arguments */
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
