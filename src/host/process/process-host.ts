import { devNull, hostname, userInfo } from "node:os";
import type { Clock, Ids, Machine, Program, ProgramResult, WiredHost } from "../host.ts";
import { readContainerId, readMachineId } from "./machine-id.ts";
import { nodeFiles } from "../files/node-files.ts";
import { plainPost } from "../http/plain-post.ts";
import type { TransportSettings } from "../http/transport.ts";
import { processFate, processMark } from "./process-mark.ts";
import { randomBytes, randomUuid } from "./random-bytes.ts";
import { processInput, processStderr, processStdout } from "./process-streams.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import { listenForSignals } from "./stop-signals.ts";
import type { Thread, ThreadStart } from "./thread.ts";

/**
 * The real host: this process, its machine and the network. Called once, at the start of the program, because it
 * handles Ctrl-C, TERM and HUP. Everything heavy is loaded on first use.
 * @param threadFile what its threads run; without it, there are no threads
 */
export function processHost(threadFile?: string): WiredHost {
  const environment = { ...process.env };
  // Packages ask Node for the home folder on load, which throws for a user without one.
  if (environment["HOME"] === undefined && user() === undefined) process.env["HOME"] = devNull;
  const stopping = listenForSignals();
  const { signal } = stopping;
  const transport = async (settings: TransportSettings) => {
    const { createTransport } = await import("../http/http-transport.ts");
    return createTransport(settings, environment);
  };
  return {
    stdin: processInput(signal),
    stdout: processStdout(),
    stderr: processStderr(),
    environment,
    clock,
    ids,
    ...stopping,
    files: nodeFiles(signal),
    machine,
    transport,
    openPost: async (settings) => plainPost(await transport(settings)),
    async prompts() {
      const { terminalPrompts } = await import("./terminal-prompts.ts");
      return terminalPrompts({ input: process.stdin, output: process.stderr, signal });
    },
    async listen(options, answer) {
      const { listen } = await import("../server/node-listener.ts");
      return listen(options, answer);
    },
    async sqlite() {
      const { nodeSqlite } = await import("../databases/node-sqlite.ts");
      return nodeSqlite();
    },
    async postgres() {
      // The client would look for its native variant, which is not installed and would bypass our connection.
      delete process.env["NODE_PG_FORCE_NATIVE"];
      const { nodePostgres } = await import("../databases/node-postgres.ts");
      return nodePostgres();
    },
    ...(threadFile === undefined ? {} : { thread: (given: ThreadStart) => startThread(threadFile, given) }),
    async run(program) {
      const { runProgram } = await import("./program.ts");
      return runProgram(program, environment);
    },
    async launch(program) {
      const { launchProgram } = await import("./launch.ts");
      return launchProgram(program, environment);
    },
  };
}

async function startThread(file: string, given: ThreadStart): Promise<Thread> {
  const { nodeThread } = await import("./node-thread.ts");
  return nodeThread(file, given);
}

const clock: Clock = {
  now: () => Date.now(),
  elapsed: elapsedMs,
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
  machineId: () => readMachineId(process.platform, runHere),
  containerId: () => readContainerId(process.platform),
  processId: process.pid,
  processMark,
  processFate,
};

async function runHere(program: Program): Promise<ProgramResult> {
  const { runProgram } = await import("./program.ts");
  return runProgram(program, process.env);
}

/** Undefined for a user id that isn't in the user database, as happens in containers. */
function user(): { readonly homedir: string; readonly username: string } | undefined {
  try {
    return userInfo();
  } catch {
    return undefined;
  }
}
