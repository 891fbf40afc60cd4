import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";

const module = JSON.stringify(join(import.meta.dirname, "../../src/host/process/process-host.ts"));

/** Runs a program whose `host` is the real one; its stdout may be a file descriptor. */
function start(body: string, stdout: "pipe" | number = "pipe"): ChildProcess {
  const program = `import { processHost } from ${module};\nconst host = processHost();\n${body}`;
  return spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["pipe", stdout, "pipe"],
    env: { ...process.env, GREETING: "hello" },
  });
}

async function run(body: string, stdin = ""): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(body);
  child.stdin?.end(stdin);
  const [out, err, [code]] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, "close")]);
  return { code, out, err };
}

function readAll(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve("") : text(stream);
}

test("the host gives the program its environment, and lets the process end", async () => {
  const { code, out } = await run(
    `
    const typed = Buffer.from(await host.stdin.read(100)).toString();
    const result = await host.run({ command: "sh", args: ["-c", "printf $GREETING"], streams: "capture" });
    await host.stdout.write(JSON.stringify({
      typed,
      greeting: host.environment.GREETING,
      ran: Buffer.from(result.stdout).toString(),
      terminal: host.stdout.isTerminal,
      columns: host.stdout.columns ?? null,
      uuid: host.ids.uuid(),
      bytes: host.ids.bytes(3).length,
      home: typeof host.machine.homeFolder(),
      processId: host.machine.processId === process.pid,
    }));`,
    "typed in",
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    typed: "typed in",
    greeting: "hello",
    ran: "hello",
    terminal: false,
    columns: null,
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    bytes: 3,
    home: "string",
    processId: true,
  });
});

test("stdin over the limit is refused", async () => {
  const { err } = await run(`await host.stdin.read(3).catch((error) => host.stderr.write(error.name));`, "four");
  expect(err).toBe("FileTooLarge");
});

test("all output arrives, however slow the reader and sudden the end", async () => {
  const child = start(`
    for (let line = 0; line < 100_000; line += 1) await host.stdout.write("a line of thirty characters...\\n");
    process.exitCode = 4;`);
  const ended = once(child, "exit");
  let size = 0;
  for await (const bytes of child.stdout ?? []) {
    size += bytes.length;
    if (size % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(size).toBe(3_100_000);
  expect(await ended).toEqual([4, null]);
});

test("a reader that leaves is not an error", async () => {
  const child = start(`
    let writes = 0;
    while (!host.stdout.closed) { await host.stdout.write("x".repeat(10_000)); writes += 1; }
    await host.stdout.write("more");
    await host.stderr.write("closed");`);
  child.stdout?.once("data", () => child.stdout?.destroy());
  const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
  expect({ code, err }).toEqual({ code: 0, err: "closed" });
});

test("a full disk under stdout is an error, each time", async () => {
  const full = openSync("/dev/full", "w");
  const child = start(
    `
    for (const text of ["a", "b"]) await host.stdout.write(text).catch((error) => host.stderr.write(error.code + " "));`,
    full,
  );
  closeSync(full);
  const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
  expect({ code, err }).toEqual({ code: 0, err: "ENOSPC ENOSPC " });
});

test("a disk that fills up under stdout is an error, and the output before it stays", async ({ skip }) => {
  const path = join((smallDisk(8) ?? skip(noSmallDisk)).folder, "out");
  const small = openSync(path, "w");
  const child = start(
    `
      await host.stdout.write("x".repeat(10_000)).catch((error) => host.stderr.write(error.code));`,
    small,
  );
  closeSync(small);
  const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
  expect({ code, err, size: statSync(path).size }).toEqual({ code: 0, err: "ENOSPC", size: 8192 });
});

test.each([
  ["w", "1 2 é"],
  ["a", "old 1 2 é"],
])("stdout goes to a file that was opened with %s", async (flags, content) => {
  const path = join(temporaryFolder(), "out");
  writeFileSync(path, "old ");
  const file = openSync(path, flags);
  const child = start(`for (const text of ["1 ", Buffer.from("2 "), "é"]) await host.stdout.write(text);`, file);
  closeSync(file);
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readFileSync(path, "utf8")).toBe(content);
});

test("a closed stderr stops nothing", async () => {
  const child = start(`
    process.on("SIGUSR2", async () => {
      clearInterval(waiting);
      for (let line = 0; line < 10; line += 1) await host.stderr.write("a note\\n");
      await host.stdout.write("done");
    });
    const waiting = setInterval(() => undefined, 1000);
    await host.stdout.write("ready ");`);
  child.stdout?.once("data", () => {
    child.stderr?.once("close", () => child.kill("SIGUSR2"));
    child.stderr?.destroy();
  });
  expect(await readAll(child.stdout)).toBe("ready done");
});

for (const [signal, exit] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 143],
] as const) {
  test(`${signal} asks the program to stop and wakes it`, async () => {
    const child = start(`
      const sleeping = host.clock.sleep(60_000, host.signal);
      await host.stdout.write("ready");
      await sleeping.catch((reason) => host.stderr.write(String(reason)));
      await host.clock.sleep(1, host.signal).catch((reason) => host.stderr.write(" still " + reason));`);
    child.stdout?.once("data", () => child.kill(signal));
    const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
    expect({ code, err }).toEqual({ code: 0, err: `${signal} still ${signal}` });
  });

  test(`a second ${signal} releases what is held, and a third one ends the program as unknown`, async () => {
    const child = start(`
      host.hold();
      // What is heard within this time is an echo.
      const say = (word) => setTimeout(() => host.stderr.write(word), 150);
      host.signal.addEventListener("abort", () => say("stop "));
      host.giveUp.addEventListener("abort", () => say("give up"));
      setInterval(() => undefined, 1000);
      await host.stdout.write("ready");`);
    let said = "";
    child.stdout?.once("data", () => child.kill(signal));
    child.stderr?.on("data", (bytes) => {
      said += String(bytes);
      child.kill(signal);
    });
    expect(await once(child, "exit")).toEqual([6, null]);
    expect(said).toBe("stop give up");
  });

  test(`a second ${signal} ends at once a program that holds nothing`, async () => {
    const child = start(`
      host.signal.addEventListener("abort", () => host.stderr.write("stop"));
      host.giveUp.addEventListener("abort", () => host.stderr.write("give up"));
      setInterval(() => undefined, 1000);
      await host.stdout.write("ready");`);
    child.stdout?.once("data", () => child.kill(signal));
    child.stderr?.once("data", () => child.kill(signal));
    const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
    expect({ code, err }).toEqual({ code: exit, err: "stop" });
  });

  test(`${signal} ends the wait for typed or piped stdin`, async () => {
    const child = start(`
      const reading = host.stdin.read(100);
      await host.stdout.write("ready");
      await reading.catch((failure) => host.stderr.write(failure.ending + " " + failure.exit));
      await host.stdin.read(100).catch((failure) => host.stderr.write(" still " + failure.exit));`);
    child.stdin?.write("half a wo");
    child.stdout?.once("data", () => child.kill(signal));
    const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
    expect({ code, err }).toEqual({ code: 0, err: `interrupted ${exit} still ${exit}` });
  });

  test.skipIf(process.platform === "win32")(`${signal} ends the wait for a reader of a pipe`, async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const child = start(`
      const opening = host.files.draft(${JSON.stringify(pipe)}, "kept");
      await host.stdout.write("ready");
      await opening.catch((reason) => host.stderr.write(String(reason)));`);
    child.stdout?.once("data", () => child.kill(signal));
    const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
    expect({ code, err }).toEqual({ code: 0, err: signal });
  });

  test.skipIf(process.platform === "win32")(
    `${signal} ends the wait for a pipe whose reader does not read`,
    async () => {
      const pipe = join(temporaryFolder(), "pipe");
      execFileSync("mkfifo", [pipe]);
      const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      const child = start(`
      const draft = await host.files.draft(${JSON.stringify(pipe)}, "kept");
      const writing = draft.write("x".repeat(1_000_000));
      await host.stdout.write("ready");
      await writing.catch((reason) => host.stderr.write(String(reason)));
      await draft.abandon();`);
      child.stdout?.once("data", () => child.kill(signal));
      const [err, [code]] = await Promise.all([readAll(child.stderr), once(child, "exit")]);
      closeSync(reader);
      expect({ code, err }).toEqual({ code: 0, err: signal });
    },
  );

  test(`the second ${signal} ends it at once`, async () => {
    const child = start(`
      host.signal.addEventListener("abort", () => process.stdout.write("stubborn"));
      setInterval(() => undefined, 1000);
      await host.stdout.write("ready");`);
    child.stdout?.on("data", () => child.kill(signal));
    expect(await once(child, "exit")).toEqual([exit, null]);
  });
}
