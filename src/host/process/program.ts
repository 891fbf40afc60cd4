import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { stopExits } from "../../values/failure.ts";
import type { Program, ProgramResult } from "../host.ts";
import { codeOf, systemReason } from "../system-error.ts";
import { childEnvironment } from "./child-environment.ts";

/** How long a program may take to end after TERM. */
const termGraceMs = 2_000;

/** A program could not be started, ran too long, or wrote too much. `code` is Node's, where there is one. */
export class ProgramFailed extends Error {
  override readonly name = "ProgramFailed";
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a program without a shell, so that no character of an argument is special. It shares our stderr; with `inherit`,
 * it shares all three streams, and signals that reach us are passed on. Our secrets are not in its environment.
 * @throws {ProgramFailed} not found or not executable (see `code`), over `timeoutMs` or over `maxBytes`
 */
export function runProgram(
  program: Program,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = startProgram(program, environment);
    let failed: ProgramFailed | undefined;
    const cut = (message: string) => {
      failed ??= new ProgramFailed(message);
      end(child, program, "SIGKILL");
      // A grandchild may keep the pipe open indefinitely.
      child.stdout?.destroy();
    };
    const parts = collectOutput(child, program, cut);
    const release = [watchTime(program, cut), watchAbort(child, program), forwardSignals(child, program)];
    const settle = () => release.forEach((undo) => undo());
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle();
      reject(new ProgramFailed(`${program.command} could not be run: ${whyNotRun(error)}`, error.code));
    });
    if (program.isOverAtExit === true)
      child.on("exit", (code) => endOutput(child, () => code !== 0 || parts.length > 0));
    child.on("close", (code, signal) => {
      settle();
      if (failed === undefined) resolve({ exit: exitOf(code, signal), stdout: Buffer.concat(parts) });
      else reject(failed);
    });
    // It isn't an error if a program doesn't read its input.
    child.stdin?.on("error", () => undefined).end(program.input);
  });
}

function startProgram(program: Program, environment: Readonly<Record<string, string | undefined>>): ChildProcess {
  const stdin = program.input === undefined ? "ignore" : "pipe";
  const stdout = program.streams === "discard" ? "ignore" : "pipe";
  try {
    return spawn(program.command, program.args, {
      env: childEnvironment(environment, program.environment),
      stdio:
        program.streams === "inherit"
          ? "inherit"
          : [stdin, stdout, program.capturesErrors === true ? "pipe" : "inherit"],
      detached: hasOwnGroup(program),
      windowsHide: true,
    });
  } catch (error) {
    // Node's own message quotes the argument, which may be a secret.
    const code = codeOf(error) ?? "unknown";
    throw new ProgramFailed(`${program.command} could not be run: ${whyNotRun(error)}`, code);
  }
}

/** In words where the code has some. Node's own message quotes the arguments, which may be secret. */
export function whyNotRun(error: unknown): string {
  return systemReason(error, "run") ?? codeOf(error) ?? "for an unknown reason";
}

function collectOutput(child: ChildProcess, program: Program, cut: (message: string) => void): Buffer[] {
  const parts: Buffer[] = [];
  let size = 0;
  const hear = (part: Buffer) => {
    program.onOutput?.(part);
    size += part.length;
    if (size > (program.maxBytes ?? Infinity)) cut(`${program.command} wrote more than ${program.maxBytes} bytes`);
    else if (program.onOutput === undefined) parts.push(part);
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  return parts;
}

/**
 * Ends the reading of stdout after two turns of the event loop: each reads what the pipe holds by then. A program that
 * succeeds without printing anything leaves that to one it started, so reading goes on.
 */
function endOutput(child: ChildProcess, isOver: () => boolean): void {
  setImmediate(() =>
    setImmediate(() => {
      if (isOver()) child.stdout?.destroy();
    }),
  );
}

function watchTime(program: Program, cut: (message: string) => void): () => void {
  if (program.timeoutMs === undefined) return () => undefined;
  const timer = setTimeout(
    () => cut(`${program.command} did not end within ${program.timeoutMs} ms`),
    program.timeoutMs,
  );
  return () => clearTimeout(timer);
}

function watchAbort(child: ChildProcess, program: Program): () => void {
  let grace: NodeJS.Timeout | undefined;
  const kill = () => {
    end(child, program, "SIGKILL");
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const stop = () => {
    end(child, program, "SIGTERM");
    grace = setTimeout(kill, termGraceMs);
  };
  if (program.signal?.aborted === true) stop();
  program.signal?.addEventListener("abort", stop);
  return () => {
    clearTimeout(grace);
    program.signal?.removeEventListener("abort", stop);
  };
}

/** Sends the signal to the program, or to its whole group. */
function end(child: ChildProcess, program: Program, signal: "SIGTERM" | "SIGKILL"): void {
  if (!hasOwnGroup(program) || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Windows has no process groups. */
function hasOwnGroup({ ownGroup }: Program): boolean {
  return ownGroup === true && process.platform !== "win32";
}

/**
 * Ctrl-C on a terminal reaches the whole group already: passed on, it would arrive twice. A closed terminal ends the
 * program, but not us: we still have to clean up.
 */
function forwardSignals(child: ChildProcess, program: Program): () => void {
  if (program.streams !== "inherit") return () => undefined;
  const signals: NodeJS.Signals[] = isatty(0) ? ["SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return () => signals.forEach((signal) => process.off(signal, forward));
}

/** The exit code as a shell reports it. HUP counts as TERM. */
export function exitOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 1;
  return signal === "SIGHUP" ? stopExits.SIGHUP : 128 + constants.signals[signal];
}
