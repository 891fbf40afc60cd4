import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileTooLarge } from "../src/host/files/files.ts";
import type { Clock, Ids, Input, Machine, Output, WiredHost } from "../src/host/host.ts";
import { readMachineId } from "../src/host/process/machine-id.ts";
import { nodeFiles } from "../src/host/files/node-files.ts";
import { plainPost } from "../src/host/http/plain-post.ts";
import { nodeSqlite } from "../src/host/databases/node-sqlite.ts";
import { nodeThread } from "../src/host/process/node-thread.ts";
import { processFate, processMark } from "../src/host/process/process-mark.ts";
import { launchProgram } from "../src/host/process/launch.ts";
import { runProgram } from "../src/host/process/program.ts";
import type { StopSignal } from "../src/values/failure.ts";
import type { Choice, Prompts, Question } from "../src/host/process/prompts.ts";

/** How a test's world differs from an empty world without a terminal. */
export interface World {
  /** The whole environment; the process's own is hidden. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly terminal?: { readonly stdin?: boolean; readonly stdout?: boolean; readonly stderr?: boolean };
  readonly columns?: number;
  /** A stderr that the test reads while the program runs. */
  readonly stderr?: MemoryOutput;
  /** The start of the clock, in milliseconds since 1970 UTC. */
  readonly now?: number;
  /** A clock of the test's own, instead of all that. */
  readonly clock?: MemoryClock;
  /** What happens during each sleep, before its time has passed; one that never ends stops the clock. */
  readonly meanwhile?: () => Promise<void> | void;
  readonly seed?: number;
  /** For the prompts in order; a function gets the message. A further prompt throws. */
  readonly answers?: readonly PromptAnswer[];
  readonly machine?: Partial<Machine>;
  /** The service's answers may break its contract: its own fields can then contain any JSON. */
  readonly hasStrangeService?: boolean;
  /** Parts of the Host that replace the fixture's. */
  readonly host?: Partial<WiredHost>;
}

export type PromptAnswer = string | boolean | ((message: string) => string | boolean | Promise<boolean>);

/** A Host with streams, clock and prompts of the test; its files, transport, listener and programs are real ones. */
export interface MemoryHost extends WiredHost {
  readonly stdout: MemoryOutput;
  readonly stderr: MemoryOutput;
  readonly clock: MemoryClock;
  /** Messages of all prompts so far. */
  readonly asked: readonly string[];
  /** The effect of Ctrl-C, TERM or HUP. */
  abort(signal?: StopSignal): void;
}

export interface MemoryOutput extends Output {
  /** Everything written so far. */
  text(): string;
  /** Closes the reader, as `| head` does. */
  close(): void;
}

export interface MemoryClock extends Clock {
  /** The milliseconds of each sleep, in order. */
  readonly sleeps: readonly number[];
  advance(ms: number): void;
}

export function memoryHost(world: World = {}): MemoryHost {
  const environment = world.environment ?? {};
  const interruption = new AbortController();
  const asked: string[] = [];
  const answers = [...(world.answers ?? [])];
  const realTransport: WiredHost["transport"] = async (settings) => {
    const { createTransport } = await import("../src/host/http/http-transport.ts");
    return createTransport(settings, environment);
  };
  const transport = world.host?.transport ?? realTransport;
  const stdout = memoryOutput(world.terminal?.stdout ?? false, world.columns);
  const stderr = world.stderr ?? memoryOutput(world.terminal?.stderr ?? false, world.columns ?? 0);
  return {
    stdin: memoryInput(world.stdin ?? "", world.terminal?.stdin ?? false),
    environment,
    ids: seededIds(world.seed ?? 1),
    signal: interruption.signal,
    giveUp: new AbortController().signal,
    hold: () => undefined,
    files: nodeFiles(),
    machine: { ...testMachine, ...world.machine },
    transport,
    openPost: async (settings) => plainPost(await transport(settings)),
    prompts: () => Promise.resolve(scriptedPrompts(answers, asked)),
    async listen(options, answer) {
      const { listen } = await import("../src/host/server/node-listener.ts");
      return listen(options, answer);
    },
    sqlite: () => Promise.resolve(nodeSqlite()),
    thread: async (start) => nodeThread(join(import.meta.dirname, "../src/thread.ts"), start),
    async postgres() {
      const { nodePostgres } = await import("../src/host/databases/node-postgres.ts");
      return nodePostgres();
    },
    async run(program) {
      const result = await runProgram(
        { ...program, streams: program.streams === "discard" ? "discard" : "capture" },
        { PATH: process.env["PATH"], ...environment },
      );
      if (program.streams === "inherit") await stdout.write(result.stdout);
      return result;
    },
    launch: (program) => launchProgram(program, { PATH: process.env["PATH"], ...environment }),
    ...world.host,
    stdout,
    stderr,
    clock: world.clock ?? memoryClock(world.now ?? Date.UTC(2026, 2, 31, 9, 0, 0), world.meanwhile),
    asked,
    abort: (signal = "SIGINT") => interruption.abort(signal),
  };
}

/** An empty folder, until the run of the tests ends. */
export function temporaryFolder(parent = tmpdir()): string {
  return realpathSync(mkdtempSync(join(parent, "t")));
}

const testMachine: Machine = {
  platform: process.platform,
  architecture: process.arch,
  nodeVersion: process.versions.node,
  nodePath: process.execPath,
  isStandalone: false,
  homeFolder: () => undefined,
  userId: process.getuid?.(),
  userName: "tester",
  hostName: "test-machine",
  machineId: () => readMachineId(process.platform, (program) => runProgram(program, process.env)),
  containerId: () => Promise.resolve(undefined),
  processId: process.pid,
  processMark,
  processFate,
};

function memoryInput(content: string | Uint8Array, isTerminal: boolean): Input {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    isTerminal,
    read: async (maxBytes) => {
      if (bytes.length > maxBytes) throw new FileTooLarge(`stdin is larger than ${maxBytes} bytes`);
      return bytes;
    },
    async *chunks() {
      if (bytes.length > 0) yield bytes;
    },
  };
}

function memoryOutput(isTerminal: boolean, columns = 80): MemoryOutput {
  const parts: Uint8Array[] = [];
  let closed = false;
  return {
    isTerminal,
    columns: isTerminal ? columns : undefined,
    async write(bytes) {
      if (!closed) parts.push(Buffer.from(bytes));
    },
    get closed() {
      return closed;
    },
    text: () => Buffer.concat(parts).toString(),
    close() {
      closed = true;
    },
  };
}

/** A stopped clock; a sleep moves it on at once, after one turn of the loop, so that sockets are served. */
function memoryClock(start: number, meanwhile?: World["meanwhile"]): MemoryClock {
  const sleeps: number[] = [];
  let passedMs = 0;
  return {
    sleeps,
    now: () => start + passedMs,
    // A real one has fractions.
    elapsed: () => passedMs + 0.375,
    advance(ms) {
      passedMs += ms;
    },
    async sleep(ms, signal) {
      signal.throwIfAborted();
      sleeps.push(ms);
      if (meanwhile !== undefined) await Promise.race([meanwhile(), aborted(signal)]);
      passedMs += ms;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      signal.throwIfAborted();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The same ids on every run of a test. */
function seededIds(seed: number): Ids {
  let state = seed >>> 0;
  // mulberry32: small, and good enough for tests.
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const bytes = (count: number) => {
    const some = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) some[at] = Math.floor(random() * 256);
    return some;
  };
  return {
    random,
    bytes,
    uuid() {
      const hex = Buffer.from(bytes(16)).toString("hex");
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

function scriptedPrompts(answers: PromptAnswer[], asked: string[]): Prompts {
  const next = async (message: string): Promise<string | boolean> => {
    asked.push(message);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`Nobody expected the prompt: ${message}`);
    return typeof answer === "function" ? answer(message) : answer;
  };
  const type = async ({ message, check }: Question) => {
    const typed = String(await next(message));
    const verdict = check?.(typed) ?? true;
    // A person would be asked again; a script has to type it right.
    if (verdict !== true) throw new Error(`The answer to "${message}" was not accepted: ${verdict}`);
    return typed;
  };
  return {
    confirm: async (message) => (await next(message)) === true,
    async confirmOrEdit(message) {
      const answer = await next(message);
      return answer === "edit" ? answer : answer === true ? "yes" : "no";
    },
    text: type,
    secret: type,
    choose: async (message, choices) => pick(message, choices, String(await next(message))),
    search: async (message, find) => {
      const wanted = String(await next(message));
      return pick(message, find(wanted), wanted);
    },
  };
}

function pick<T extends string>(message: string, choices: readonly Choice<T>[], wanted: string): T {
  const choice = choices.find(({ value }) => value === wanted);
  if (choice === undefined) throw new Error(`"${message}" does not offer ${wanted}`);
  return choice.value;
}
