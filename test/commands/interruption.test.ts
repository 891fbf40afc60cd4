import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Files } from "../../src/host/files/files.ts";
import type { Input } from "../../src/host/host.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { interruption } from "../../src/values/failure.ts";
import { answer } from "../contract/recorder.ts";
import { afterRequest, serveSockets } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { ask, environmentAt, errorIn, ok } from "./served.ts";
import { compiled, program } from "../program.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
const exits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = keyof typeof exits;

/** How much of the answer has come when the signal arrives. */
const moments: readonly [string, (socket: Socket) => void][] = [
  ["before it begins", () => undefined],
  ["within its headers", (socket) => void socket.write("HTTP/1.1 200 OK\r\n")],
  ["within its body", (socket) => void socket.write(`${head}[{"accountNo":"1"},`)],
];
const lines = [
  "wallets list --output json",
  "wallet statement 42 --month 2026-02 --output json",
  "institutions -o json",
];
const cases = signals.flatMap((signal) => moments.map(([when, begin]) => [signal, when, begin] as const));

test.each(cases)(
  "%s during the wait for an answer, %s, gives its own exit code and an empty stdout",
  async (signal, _, begin) => {
    for (const line of lines) {
      const stop = new AbortController();
      const port = await serveSockets((socket) =>
        afterRequest(socket, () => {
          begin(socket);
          setImmediate(() => stop.abort(signal));
        }),
      );
      const environment = environmentAt(`http://127.0.0.1:${port}`);
      const ended = await run(words(line), { environment, host: { signal: stop.signal } });
      expect(ended).toMatchObject({ exit: exits[signal], stdout: "" });
      expect(ended.host.clock.sleeps).toEqual([]);
      expect(errorIn(ended)).toMatchObject({ ending: "interrupted", money: "none", http: null });
    }
  },
);

test.each(signals)("%s during the wait before a retry ends the wait", async (signal) => {
  const stop = new AbortController();
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => socket.end(answer("503 Service Unavailable", "", "retry-after: 30\r\n"))),
  );
  const ended = await run(["wallets", "list", "--json"], {
    environment: environmentAt(`http://127.0.0.1:${port}`),
    host: { signal: stop.signal },
    meanwhile: () => stop.abort(signal),
  });
  expect(ended).toMatchObject({ exit: exits[signal], stdout: "" });
  expect(errorIn(ended)).toMatchObject({ ending: "interrupted" });
});

test("a signal before the request sends nothing", async () => {
  let connections = 0;
  const port = await serveSockets(() => (connections += 1));
  const ended = await run(["wallets", "list"], {
    environment: environmentAt(`http://127.0.0.1:${port}`),
    host: { signal: AbortSignal.abort("SIGINT") },
  });
  expect({ exit: ended.exit, stdout: ended.stdout, connections }).toEqual({ exit: 130, stdout: "", connections: 0 });
});

// A format that is written as rows arrive is interrupted at its first byte; a table, when the stored rows are read
// back.
test.each([
  { format: "csv", at: "write" },
  { format: "json", at: "write" },
  { format: "table", at: "chunks" },
])("a signal while rows are written as $format leaves stdout empty", async ({ format, at }) => {
  const stop = new AbortController();
  const files = nodeFiles();
  const interrupting: Files = {
    ...files,
    spool(memoryMaxBytes) {
      const spool = files.spool(memoryMaxBytes);
      return {
        get sizeBytes() {
          return spool.sizeBytes;
        },
        write(bytes) {
          if (at === "write") stop.abort("SIGINT");
          return spool.write(bytes);
        },
        flush: () => spool.flush(),
        discard: () => spool.discard(),
        chunks() {
          if (at === "chunks") stop.abort("SIGINT");
          return spool.chunks();
        },
      };
    },
  };
  const ended = await ask(`wallet statement 42 --month 2026-02 --output ${format}`, ok('[{"tranRefNo":"R"}]'), {
    host: { signal: stop.signal, files: interrupting },
  });
  expect(ended).toMatchObject({ exit: 130, stdout: "" });
});

test.each([
  "profile add shop --environment simulator --base-url http://127.0.0.1:1 --account-id x --secrets-from -",
  "remit --from-file - --dry-run",
  "webhook verify -",
  "webhook send http://127.0.0.1:1/ --file -",
])("a signal while stdin is read ends the run: %s", async (line) => {
  const stop = new AbortController();
  const stdin: Input = {
    isTerminal: false,
    read() {
      stop.abort("SIGTERM");
      return Promise.reject(interruption(stop.signal));
    },
    chunks: () => expect.unreachable(),
  };
  const ended = await run(words(`${line} --json`), {
    environment: { ...environmentAt("http://127.0.0.1:1"), PARTNER_WEBHOOK_KEY: "c2l4dGVlbiBieXRlcyBvciBtb3Jl" },
    host: { signal: stop.signal, stdin },
  });
  expect(ended).toMatchObject({ exit: 143, stdout: "" });
  expect(errorIn(ended)).toMatchObject({ ending: "interrupted" });
});

/** Runs the real program against a service with an endless answer, and stops it once it has begun to read. */
async function interrupted(line: string, signal: Signal, begin: (socket: Socket) => Promise<unknown>) {
  const folder = temporaryFolder();
  const asked = Promise.withResolvers<Socket>();
  const port = await serveSockets((socket) => afterRequest(socket, () => asked.resolve(socket)));
  const environment = {
    ...environmentAt(`http://127.0.0.1:${port}`),
    HOME: folder,
    TMPDIR: folder,
    PATH: "",
    ...compiled,
  };
  const child = spawn(process.execPath, [program, ...words(line)], { cwd: folder, env: environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (output.stdout += String(bytes)));
  child.stderr.on("data", (bytes) => (output.stderr += String(bytes)));
  await begin(await asked.promise);
  child.kill(signal);
  const [exit] = await once(child, "close");
  return { exit, ...output, left: readdirSync(folder, { recursive: true }) };
}

// Up to 32 MiB of an answer stay in memory: with the larger one, a temporary file is open when the signal comes.
test.each([
  ["SIGINT", 1_000],
  ["SIGTERM", 50_000],
  ["SIGHUP", 1_000],
] as const)(
  "%s within %i kilobytes of an answer ends the real program, and no file is left behind",
  async (signal, count) => {
    const rows = `{"tranRefNo":"R","narration":"${"x".repeat(1000)}"},`.repeat(count);
    const ended = await interrupted(
      "wallet statement 42 --month 2026-02 --save out.csv",
      signal,
      (socket) =>
        new Promise((resolve) => {
          socket.write(Buffer.from(`${head}[${rows}`), resolve);
        }),
    );
    expect(ended).toMatchObject({ exit: exits[signal], stdout: "", left: [] });
    expect(ended.stderr).toMatch(/\nError: (Interrupted|Stopped by a (TERM|HUP) signal)\.\n/);
  },
);

test.each(signals)("%s ends the real program when its output is not being read", async (signal) => {
  const folder = temporaryFolder();
  const rows = Array.from({ length: 2000 }, () => `{"tranRefNo":"R","narration":"${"x".repeat(1000)}"}`);
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => socket.end(answer("200 OK", `[${rows.join(",")}]`))),
  );
  const environment = {
    ...environmentAt(`http://127.0.0.1:${port}`),
    HOME: folder,
    TMPDIR: folder,
    PATH: "",
    ...compiled,
  };
  const line = "wallet statement 42 --month 2026-02 --output csv";
  const child = spawn(process.execPath, [program, ...words(line)], { cwd: folder, env: environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = text(child.stderr);
  await once(child.stdout, "readable");
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([exits[signal], null]);
  expect(await said).toMatch(/\nError: (Interrupted|Stopped by a (TERM|HUP) signal)\.\n/);
});

test.each([
  ["one signal", ["SIGTERM"]],
  ["one HUP", ["SIGHUP"]],
  ["a second signal, at once,", ["SIGINT", "SIGTERM"]],
  ["a second HUP, at once,", ["SIGINT", "SIGHUP"]],
] as const)("%s ends the program even while it reads from a pipe without input", async (_, signals) => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const stdin = openSync(pipe, constants.O_RDWR);
  onTestFinished(() => closeSync(stdin));
  const env = { ...environmentAt("http://127.0.0.1:1"), HOME: folder, TMPDIR: folder, PATH: "", ...compiled };
  const line = "reconcile --account 42 --month 2026-02 --book /dev/stdin";
  const child = spawn(process.execPath, [program, ...words(line)], {
    cwd: folder,
    env,
    stdio: [stdin, "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stderr !== null) await once(child.stderr, "data");
  for (const signal of signals) child.kill(signal);
  const [code, signal] = await once(child, "exit");
  // With two signals, either of them may decide the exit.
  expect(signals.map((each) => exits[each])).toContain(seenByShell(code, signal));
});

/** The exit code that a shell reports: a death by a signal has the same number as the exit for it. */
function seenByShell(code: number | null, signal: keyof typeof exits | null): number | null {
  return signal === null ? code : exits[signal];
}
