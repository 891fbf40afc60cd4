import { hostname, userInfo } from "node:os";
import type { Clock, Host, Ids, Machine } from "./host.ts";
import { isWaitingToRead, nodeFiles } from "./node-files.ts";
import { processFate, processMark } from "./process-mark.ts";
import { randomBytes, randomUuid } from "./random-bytes.ts";
import { processInput, processStderr, processStdout } from "./process-streams.ts";

/**
 * The real world: this process, its machine and the network. Called once, at the start of the program, because it
 * takes over Ctrl-C and TERM. Everything heavy in it is loaded when it is first asked for.
 */
export function processHost(): Host {
  const environment = { ...process.env };
  const signal = interruption();
  return {
    stdin: processInput(signal),
    stdout: processStdout(),
    stderr: processStderr(),
    environment,
    clock,
    ids,
    signal,
    files: nodeFiles(signal),
    machine,
    async transport(settings) {
      const { createTransport } = await import("./http-transport.ts");
      return createTransport(settings, environment);
    },
    async prompts() {
      const { terminalPrompts } = await import("./terminal-prompts.ts");
      return terminalPrompts({ input: process.stdin, output: process.stderr, signal });
    },
    async listen(options, answer) {
      const { listen } = await import("./node-listener.ts");
      return listen(options, answer);
    },
    async sqlite() {
      const { nodeSqlite } = await import("./node-sqlite.ts");
      return nodeSqlite();
    },
    async postgres() {
      // It would have the client look for another one, which is not installed and has no connection of ours.
      delete process.env["NODE_PG_FORCE_NATIVE"];
      const { nodePostgres } = await import("./node-postgres.ts");
      return nodePostgres();
    },
    async run(program) {
      const { runProgram } = await import("./program.ts");
      return runProgram(program, environment);
    },
  };
}

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const wake = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", wake);
        resolve();
      }, ms);
      return signal.addEventListener("abort", wake, { once: true });
    }),
};

const ids: Ids = {
  uuid: randomUuid,
  bytes: (count) => Uint8Array.from(randomBytes(count)),
  random: () => Math.random(),
};

const machine: Machine = {
  platform: process.platform,
  architecture: process.arch,
  nodeVersion: process.versions.node,
  nodePath: process.execPath,
  get isStandalone() {
    return process.getBuiltinModule("node:sea").isSea();
  },
  homeFolder: () => user()?.homedir,
  userId: process.getuid?.(),
  get userName() {
    return user()?.username ?? String(process.getuid?.() ?? "unknown");
  },
  get hostName() {
    return hostname();
  },
  processId: process.pid,
  processMark,
  processFate,
};

/** Undefined for a user id that the user database does not know, as happens in containers. */
function user(): { readonly homedir: string; readonly username: string } | undefined {
  try {
    return userInfo();
  } catch {
    return undefined;
  }
}

const signalExits = { SIGINT: 130, SIGTERM: 143 } as const;
/** What it takes at most until somebody has heard the last words of a process. */
const sayingMs = 500;

/** Node's own exit waits for what still reads from a pipe, and that may never end; a death by the signal does not. */
function exitAtOnce(signal: NodeJS.Signals, exit: number): never {
  const die = () => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  // Windows knows no signals, and such a death has another code there.
  if (isWaitingToRead() && process.platform !== "win32") process.on("exit", die);
  process.exit(exit);
}

/** The first signal asks the program to stop; a second one, of whichever kind, does not ask. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (signal: keyof typeof signalExits) => {
    if (controller.signal.aborted) exitAtOnce(signal, signalExits[signal]);
    controller.abort(signal);
  };
  process.on("SIGINT", () => interrupt("SIGINT"));
  process.on("SIGTERM", () => interrupt("SIGTERM"));
  return controller.signal;
}

/**
 * Ends an interrupted process whose stdout waits for a reader that does not read, or that is held by a pipe into which
 * nobody writes; otherwise it ends by itself.
 */
export function leaveUnread(exit: number): void {
  if (process.stdout.writableLength > 0) process.exit(exit);
  // What was said is on its way meanwhile.
  if (isWaitingToRead())
    setTimeout(() => exitAtOnce(exit === signalExits.SIGTERM ? "SIGTERM" : "SIGINT", exit), sayingMs);
}
