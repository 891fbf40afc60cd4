import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { words } from "../partner.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

/** A system call by which a run changes the journal or talks to the service. */
export interface Step {
  readonly call: string;
  /** The file or folder, as a path from the till's folder; undefined for a socket. */
  readonly path: string | undefined;
  /** Its number among the calls of that path, or else of that thread; 1 for the first. */
  readonly nth: number;
  /** Its number in its thread, whatever the path. */
  readonly nthOfAll: number;
}

/**
 * What happens at that call alone or from it on: the process is killed before the call, or the call
 * fails without being made.
 */
export interface Harm {
  readonly step: Step;
  readonly hit: "KILL" | "EIO" | "ENOSPC";
  readonly lasts?: boolean;
  /** True: no connection is possible either. */
  readonly refused?: boolean;
}

/** A till whose folder is known. */
export interface Place extends Till {
  readonly folder: string;
}

export function openPlace(environment: Readonly<Record<string, string>>): Place {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { ...openTill(environment, folder), folder };
}

export function describeHarm({ step: { call, path, nth }, hit, lasts, refused }: Harm): string {
  const of = path === undefined ? "the main thread" : path === "" ? "the till's folder" : path;
  const what = `${hit === "KILL" ? "killed before" : `${hit} at`} ${call} #${nth} of ${of}`;
  return `${what}${lasts === true ? " and all later ones" : ""}${refused === true ? ", without a connection" : ""}`;
}

const root = join(import.meta.dirname, "..", "..");
/** The files of the installed program. */
const parts = ["bin", "dist", "package.json", "oclif.manifest.json"];
/** Between two of these nothing changes, neither on the disk nor on the wire. */
const fileCalls = ["mkdir", "openat", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink"];
const socketCalls = ["connect", "getsockopt", "write", "writev", "sendto", "sendmsg", "read", "recvfrom", "close"];
const refusal = ["-e", "inject=connect:error=ECONNREFUSED"];
const killed = 137;
/** A copy of the program that no build replaces meanwhile, next to the code compiled in its first run. */
let copy: string | undefined;

/** Why nothing can be traced here; undefined where tracing works. */
export function obstacle(): string | undefined {
  const trial = ["-f", "--seccomp-bpf", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "-o", "/dev/null", "true"];
  if (spawnSync("strace", trial).status !== 0) return "needs strace, and the right to trace a process";
  return undefined;
}

/** A run of the installed program, with this harm. */
export async function runHarmed(line: string, place: Place, harm: Harm): Promise<Run> {
  return runUnder(["-o", "/dev/null", ...optionsOf(place, harm)], line, place);
}

/** The steps of an undisturbed run, in order. */
export async function stepsOf(line: string, place: Place, { refused = false } = {}): Promise<Step[]> {
  const trace = join(temporaryFolder(), "trace");
  const calls = `trace=${[...fileCalls, ...socketCalls].join(",")}`;
  await runUnder(["-y", "-o", trace, "-e", calls, ...(refused ? refusal : [])], line, place);
  return readSteps(readFileSync(trace, "latin1"), place.folder);
}

async function runUnder(options: readonly string[], line: string, place: Place): Promise<Run> {
  copy ??= copyProgram();
  const program = [process.execPath, join(copy, "bin", "partner.js"), ...words(`${line} ${place.flags}`)];
  const child = spawn("strace", ["-f", "-qqq", ...options, ...program], {
    env: {
      PATH: process.env["PATH"] ?? "",
      XDG_CACHE_HOME: copy,
      // Only one other thread works besides the main thread, always in the same order.
      UV_THREADPOOL_SIZE: "1",
      ...place.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const streams = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (part) => (streams[name] += String(part)));
  const [exit]: unknown[] = await once(child, "close");
  return { exit: typeof exit === "number" ? exit : killed, ...streams };
}

function copyProgram(): string {
  const folder = temporaryFolder();
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  return folder;
}

function optionsOf({ folder }: Place, { step, hit, lasts = false, refused = false }: Harm): string[] {
  const { call, path, nth, nthOfAll } = step;
  const what = hit === "KILL" ? "signal=KILL" : `error=${hit}`;
  const when = `${refused ? nthOfAll : nth}${lasts ? "+" : ""}`;
  return [
    // It stops for those calls alone, which is faster, and delivers no signals.
    ...(hit === "KILL" ? [] : ["--seccomp-bpf"]),
    ...`-e trace=${call},connect -e inject=${call}:${what}:when=${when}`.split(" "),
    // With a path, only calls about it are traced, so refused connections are not.
    ...(refused ? refusal : path === undefined ? [] : ["-P", join(folder, path)]),
  ];
}

function readSteps(trace: string, folder: string): Step[] {
  const steps: Step[] = [];
  const counts = new Map<string, number>();
  const count = (key: string) => {
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return nth;
  };
  const main = /^\d+/.exec(trace)?.[0];
  const connections = new Set(trace.match(/<socket:\[\d+\]>(?=, \{sa_family=AF_INET)/g));
  for (const line of trace.split("\n")) {
    const [, thread = "", call = "", rest = ""] = /^(\d+)\s+(\w+)\((.*)$/.exec(line) ?? [];
    const nthOfAll = count(`${thread} ${call}`);
    const path = pathIn(rest, folder);
    if (path !== undefined && fileCalls.includes(call))
      steps.push({ call, path, nth: count(`${thread} ${call} ${path}`), nthOfAll });
    else if (thread === main && socketCalls.includes(call) && isTalk(call, rest, connections))
      steps.push({ call, path: undefined, nth: nthOfAll, nthOfAll });
  }
  return steps;
}

/** Bytes sent to the service or read from it, or written to stdout. */
function isTalk(call: string, rest: string, connections: ReadonlySet<string>): boolean {
  const [, number, socket = ""] = /^(\d+)(<socket:\[\d+\]>)/.exec(rest) ?? [];
  return connections.has(socket) || (call === "write" && number === "1");
}

/** The file or folder that a call is about; not a draft, because its name changes with each run. */
function pathIn(rest: string, folder: string): string | undefined {
  const paths = [...rest.matchAll(/[<"](\/[^<>"]*)[>"]/g)].map(([, path = ""]) => path);
  const ours = paths.filter((path) => (path === folder || path.startsWith(`${folder}/`)) && !path.endsWith(".tmp"));
  const path = ours.at(-1)?.slice(folder.length + 1);
  return path === "theme.json" ? undefined : path;
}
