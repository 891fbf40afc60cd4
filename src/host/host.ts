import type { Files } from "./files/files.ts";
import type { RequestHandler, Listening, ListenOptions } from "./server/listener.ts";
import type { Postgres } from "./databases/postgres.ts";
import type { ProcessFate } from "./process/process-mark.ts";
import type { Prompts } from "./process/prompts.ts";
import type { Sqlite } from "./databases/sqlite.ts";
import type { Thread, ThreadStart } from "./process/thread.ts";
import type { PlainPost } from "./http/plain-post.ts";
import type { Transport, TransportSettings } from "./http/transport.ts";

/**
 * The world as an argument: everything outside of the program that can differ between two runs. Tests pass a world of
 * their own, and run in process and in parallel without touching the real one.
 */
export interface Host {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Aborted by Ctrl-C, TERM and HUP; its reason is the signal's name. No new work begins after that. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal, which cancels running work; without `hold`, that signal ends the process at once. */
  readonly giveUp: AbortSignal;
  /**
   * Called when money is sent: from then on, a second signal does not end the process before the outcome is reported.
   */
  hold(): void;
  readonly files: Files;
  readonly machine: Machine;
  /** Loads the network only when it is asked for. */
  openPost(settings: TransportSettings): Promise<PlainPost>;
  /** Loads the prompts on first use. Callers check for a terminal first. */
  prompts(): Promise<Prompts>;
  listen(options: ListenOptions, answer: RequestHandler): Promise<Listening>;
  /** Loads SQLite on first use. */
  sqlite(): Promise<Sqlite>;
  /**
   * Loads the PostgreSQL client on first use.
   * @throws where it is not installed
   */
  postgres(): Promise<Postgres>;
  /** Starts a thread of this process; absent where threads are not possible. */
  thread?: ((start: ThreadStart) => Promise<Thread>) | undefined;
  /** Runs another program without a shell. */
  run(program: Program): Promise<ProgramResult>;
  /** Starts another program without a shell, which continues after this one has ended. */
  launch(program: LaunchedProgram): Promise<Launched>;
}

/**
 * The world and the wire. `main` receives it, and passes on only a `Host` and an `Outlet`: a command can't send
 * arbitrary bytes to arbitrary addresses.
 */
export interface WiredHost extends Host {
  /** Loads the network only when it is asked for. */
  readonly transport: (settings: TransportSettings) => Promise<Transport>;
}

export interface Input {
  readonly isTerminal: boolean;
  /**
   * All of it.
   * @throws {FileTooLarge} beyond `maxBytes`
   * @throws {Failure} interrupted, while it waits
   */
  read(maxBytes: number): Promise<Uint8Array>;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Output {
  readonly isTerminal: boolean;
  /** Columns of a line; 0 where the terminal doesn't know, undefined if it isn't a terminal. See `lineWidth`. */
  readonly columns: number | undefined;
  /**
   * Resolves when the bytes are accepted, so that a slow reader slows down the writer. A reader that went away (`|
   * head`) is not an error: `closed` becomes true, and further writes do nothing.
   */
  write(bytes: Uint8Array | string): Promise<void>;
  readonly closed: boolean;
  /** True for a file that ends in the middle of a line: a run before this one was cut off. */
  readonly endsMidLine?: boolean;
}

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds of a clock that never goes back, to measure how long something takes. */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Ids {
  uuid(): string;
  bytes(count: number): Uint8Array;
  /** 0 ≤ n < 1, for jitter; never for secrets. */
  random(): number;
}

export interface Machine {
  /** Node's `process.platform`. */
  readonly platform: string;
  /** Node's `process.arch`. */
  readonly architecture: string;
  readonly nodeVersion: string;
  /** The Node executable that runs this program, for the part that needs a process of its own. */
  readonly nodePath: string;
  /** True where the program is one executable with Node inside: `nodePath` is that, and runs nothing but partner. */
  readonly isStandalone: boolean;
  /** The user's home folder from the user database, where HOME is unset. */
  homeFolder(): string | undefined;
  readonly userId: number | undefined;
  readonly userName: string;
  readonly hostName: string;
  /** An id of the machine that does not depend on its name; undefined where there is none. */
  machineId(): Promise<string | undefined>;
  /** Identifies this container for its lifetime; undefined elsewhere. */
  containerId(): Promise<string | undefined>;
  readonly processId: number;
  /** Identifies this process in a text to store: `processFate` tells later whether it still runs. */
  processMark(): string;
  processFate(mark: string): ProcessFate;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to this process's own environment, which is passed on without our secrets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /**
   * `capture` returns stdout, and waits until no process has it open; `discard` drops it, and waits for the program
   * alone; `inherit` shares all three streams with this process.
   */
  readonly streams: "capture" | "discard" | "inherit";
  /** Its stdin with `capture` and `discard`; default: empty. */
  readonly input?: string | Uint8Array | undefined;
  /** Called with each piece of a captured stdout as it comes, for programs that keep running. */
  readonly onOutput?: ((bytes: Uint8Array) => void) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** True to capture stdout and stderr together; otherwise it shares our stderr. */
  readonly capturesErrors?: boolean | undefined;
  /** With `capture`: reading stops when the program itself ends, unless it succeeded without printing anything. */
  readonly isOverAtExit?: boolean | undefined;
  /** Runs it in a process group of its own: ending it early ends its children, too, and Ctrl-C reaches only us. */
  readonly ownGroup?: boolean | undefined;
  /** Aborting ends it by TERM, then by KILL; the result is 143, or its own exit code. */
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramResult {
  /** The exit code, or 128 + the signal's number. */
  readonly exit: number;
  readonly stdout: Uint8Array;
}

/** A program that keeps running, detached from this terminal and without input. */
export interface LaunchedProgram extends Pick<Program, "command" | "args" | "environment"> {
  /** Aborting ends it by TERM, until it has printed a line. */
  readonly signal: AbortSignal;
}

/** The first line that a launched program printed; or, if it ended before that, its exit code and stderr. */
export type Launched =
  | { readonly isReady: true; readonly line: string }
  | { readonly isReady: false; readonly exit: number; readonly stderr: string };
