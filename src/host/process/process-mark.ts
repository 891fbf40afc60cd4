import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../system-error.ts";

/** Whether a process still runs, as far as this machine can tell. */
export type ProcessFate = "running" | "ended" | "unclear";

/** What identifies a process. The last three are known only on Linux. */
interface Mark {
  readonly host: string;
  readonly pid: number;
  /** Changes with every start of the machine. */
  readonly boot?: string | undefined;
  /** The process namespace: each container has its own. */
  readonly space?: string | undefined;
  /** When the process started, counted from the machine's start: ids are reused, but not with the same start. */
  readonly start?: string | undefined;
}

let own: string | undefined;

/** Identifies this process in a text to store: a later process passes it to `processFate`. */
export function processMark(): string {
  const { pid } = process;
  own ??= JSON.stringify({
    host: hostname(),
    pid,
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    space: attempt(() => readlinkSync("/proc/self/ns/pid")),
    start: statusOf(pid)?.start,
  } satisfies Mark);
  return own;
}

/**
 * Whether the process with that mark still runs; `unclear` on another machine or in another container, and where
 * another process may have its id by now.
 */
export function processFate(mark: string): ProcessFate {
  if (mark === processMark()) return "running";
  const here = parseMark(processMark());
  const there = parseMark(mark);
  if (here === undefined || there === undefined) return "unclear";
  // The machine has been restarted since.
  if (there.host === here.host && there.boot !== here.boot) return "ended";
  const canTell = there.boot === undefined ? there.host === here.host : there.boot === here.boot;
  if (!canTell || there.space !== here.space) return "unclear";
  if (!exists(there.pid)) return "ended";
  const status = statusOf(there.pid);
  if (status === undefined || there.start === undefined) return "unclear";
  return status.start === there.start && !status.isDead ? "running" : "ended";
}

/** Asks the kernel, without sending a signal. Processes of other users count, too. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Reads `/proc/PID/stat`. Its second field, the program's name in parentheses, may contain anything. */
function statusOf(pid: number): { readonly start: string | undefined; readonly isDead: boolean } | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: fields[19], isDead: fields[0] === "Z" || fields[0] === "X" };
}

function parseMark(text: string): Mark | undefined {
  const value: unknown = attempt(() => JSON.parse(text));
  if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value)) return undefined;
  const { pid, host, boot, space, start } = value as Partial<Record<keyof Mark, unknown>>;
  if (typeof pid !== "number" || typeof host !== "string" || pid <= 0) return undefined;
  return { pid, host, boot: textOf(boot), space: textOf(space), start: textOf(start) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
