import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { application } from "../../src/application.ts";
import { main } from "../../src/cli/main.ts";
import type { Host } from "../../src/host/host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { MemoryClock, MemoryHost, World } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";
import { floodKey, payloadOf, signed } from "./flood.ts";

const root = join(import.meta.dirname, "../..");
const ours = {
  root,
  pjson: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  manifest: async () => JSON.parse(readFileSync(join(root, "oclif.manifest.json"), "utf8")),
  schema: () => Promise.resolve(undefined),
};

/** A machine with an inbox, on which commands are typed. */
export interface Machine {
  readonly folder: string;
  readonly type: (line: string, environment?: Readonly<Record<string, string>>, laterMs?: number) => Promise<Run>;
  /** Starts a receiver in this process; it is ready, or has ended, when this resolves. */
  readonly listen: (line?: string, environment?: Readonly<Record<string, string>>, world?: World) => Promise<Receiving>;
}

/** A running receiver. */
export interface Receiving {
  readonly url: string;
  readonly host: MemoryHost;
  readonly ended: Promise<Run>;
  /** Lets seconds pass, after the machine's clock was set back. */
  readonly setClockBack: (backMs: number, passedMs: number) => void;
  /** Stops as with TERM. */
  readonly stop: () => Promise<Run>;
  /** The same when the work in progress takes longer than it may. */
  readonly stopLate: () => Promise<Run>;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** The moment of these tests, noon in Dar es Salaam. */
export const now = Date.UTC(2026, 2, 31, 9, 0, 0);
/** Signed at that moment. */
export const timestamp = "2026-03-31T12:00:00+03:00";

export function newMachine(): Machine {
  const folder = temporaryFolder();
  const folders = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
  const environmentWith = (more = {}) => ({ ...folders, PARTNER_WEBHOOK_KEY: floodKey, ...more });
  return {
    folder,
    type: async (line, environment, laterMs = 0) => {
      const { exit, stdout, stderr } = await run(words(line), {
        now: now + laterMs,
        environment: environmentWith(environment),
      });
      return { exit, stdout, stderr };
    },
    listen: (line = "", environment = {}, world = {}) =>
      receive(words(`webhook listen ${line}`), environmentWith(environment), world),
  };
}

/** Its clock is stopped, so nothing is tried again and no time runs out. */
async function receive(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  world: World,
): Promise<Receiving> {
  const { promise: isUp, resolve: up } = Promise.withResolvers<string>();
  const listen: Host["listen"] = async (options, answer) => {
    const listening = await memoryHost().listen(options, answer);
    up(listening.origin);
    return listening;
  };
  const clock = stillClock();
  const host = { ...memoryHost({ ...world, now, environment, host: { listen } }), clock };
  const ended = main(argv, host, ours, application).then((exit) => ({
    exit,
    stdout: host.stdout.text(),
    stderr: host.stderr.text(),
  }));
  const stop = () => {
    host.abort("SIGTERM");
    return ended;
  };
  const stopLate = () => {
    clock.runOut();
    return stop();
  };
  onTestFinished(() => void stop());
  const origin = await Promise.race([isUp, ended]);
  if (typeof origin !== "string") throw new Error(`The receiver ended with ${origin.exit}: ${origin.stderr}`);
  const path = argv.includes("--path") ? (argv[argv.indexOf("--path") + 1] ?? "") : "/webhook";
  return { url: `${origin}${path}`, host, ended, setClockBack: clock.setBack, stop, stopLate };
}

/** How long work in progress may take at the end. */
const endingGraceMs = 10_000;

/** A clock whose sleeps end only when the test wakes the sleeper, or when the time at the end has run out. */
function stillClock(): MemoryClock & {
  readonly setBack: Receiving["setClockBack"];
  readonly runOut: () => void;
} {
  let passedMs = 0;
  let setBackMs = 0;
  let isOver = false;
  return {
    sleeps: [],
    now: () => now + passedMs - setBackMs,
    elapsed: () => passedMs,
    advance: (ms) => void (passedMs += ms),
    setBack(backMs, ms) {
      setBackMs += backMs;
      passedMs += ms;
    },
    runOut: () => void (isOver = true),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (isOver && ms === endingGraceMs) return resolve();
        const wake = () => reject(signal.reason);
        if (signal.aborted) wake();
        signal.addEventListener("abort", wake, { once: true });
      }),
  };
}

/** Posts any body. */
export async function post(url: string, body: string | Uint8Array, requestId = "req-1"): Promise<Answered> {
  const response = await fetch(url, { method: "POST", body, headers: { "x-request-id": requestId } });
  return { status: response.status, text: await response.text() };
}

/** Sends an event as the service does. */
export function send(url: string, id: string, signedAt = timestamp): Promise<Answered> {
  return post(url, signed(payloadOf(id), signedAt), `req-${id}`);
}

/** The same at this moment, for receivers whose clock is the machine's. */
export function sendNow(url: string, id: string): Promise<Answered> {
  return send(url, id, new Date().toISOString());
}
