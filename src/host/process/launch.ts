import { spawn } from "node:child_process";
import type { Launched, LaunchedProgram } from "../host.ts";
import { codeOf } from "../system-error.ts";
import { childEnvironment } from "./child-environment.ts";
import { exitOf, ProgramFailed, whyNotRun } from "./program.ts";

/** How much of each stream is kept until the program is ready. */
const saidMaxChars = 64 * 1024;

/**
 * Starts a program in a session of its own, so that neither Ctrl-C nor a closed terminal reaches it, and detaches from
 * it once it has printed a line. Its later output is discarded.
 * @throws {ProgramFailed} not found or not executable: see `code`
 */
export function launchProgram(
  { command, args, environment, signal }: LaunchedProgram,
  ours: Readonly<Record<string, string | undefined>>,
): Promise<Launched> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: childEnvironment(ours, environment),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    let [stdout, stderr] = ["", ""];
    const stop = () => void child.kill("SIGTERM");
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-saidMaxChars);
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = (stdout + text).slice(0, saidMaxChars);
      const end = stdout.indexOf("\n");
      if (end < 0) return;
      signal.removeEventListener("abort", stop);
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve({ isReady: true, line: stdout.slice(0, end) });
    });
    child.on("error", (error) => {
      const code = codeOf(error) ?? error.name;
      reject(new ProgramFailed(`${command} could not be run: ${whyNotRun(error)}`, code));
    });
    child.on("close", (code, ended) => {
      signal.removeEventListener("abort", stop);
      resolve({ isReady: false, exit: exitOf(code, ended), stderr });
    });
  });
}
