import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Run } from "../partner.ts";
import { words } from "../partner.ts";
import type { Till } from "./till.ts";
import { emptyFolder } from "./till.ts";

/** A run in a process of its own, of the sources as they stand. */
export interface Child {
  kill(signal: "SIGKILL" | "SIGINT" | "SIGTERM"): void;
  /** Resolves when it is over; one that was killed has the exit code of its signal. */
  readonly run: Promise<Run>;
}

const script = join(import.meta.dirname, "..", "..", "bin", "dev.js");
const killed = 137;
/** Where Node keeps what it has compiled, so that only the first run of a file compiles the program. */
let cache: string | undefined;

export function startRun(line: string | readonly string[], till: Till): Child {
  const argv = [...(typeof line === "string" ? words(line) : line), ...words(till.flags)];
  const child = spawn(process.execPath, [script, ...argv], {
    env: { NODE_COMPILE_CACHE: (cache ??= emptyFolder()), ...till.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const streams = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (part) => (streams[name] += String(part)));
  return {
    kill: (signal) => void child.kill(signal),
    run: once(child, "close").then(([exit]) => ({ exit: typeof exit === "number" ? exit : killed, ...streams })),
  };
}
