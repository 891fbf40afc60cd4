import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { secretVariables } from "../../src/host/process/child-environment.ts";
import { ProgramFailed, runProgram } from "../../src/host/process/program.ts";
import { temporaryFolder } from "../memory-host.ts";

const environment = { PATH: process.env["PATH"] };
const shell = (script: string, ...args: string[]) =>
  ({ command: "sh", args: ["-c", script, ...args], streams: "capture" }) as const;

async function textOf(result: Promise<{ stdout: Uint8Array }>): Promise<string> {
  return Buffer.from((await result).stdout).toString();
}

test("the caller gets a program's output and exit code", async () => {
  const result = await runProgram(shell("printf hello; exit 3"), environment);
  expect({ exit: result.exit, text: Buffer.from(result.stdout).toString() }).toEqual({ exit: 3, text: "hello" });
});

test("no character of an argument has a meaning for a shell", async () => {
  const argument = "$(id) `id` ; * \" ' \\ \n";
  expect(await textOf(runProgram(shell('printf %s "$0"', argument), environment))).toBe(argument);
});

test("a program sees its own variables and ours, without our secrets", async () => {
  const show = "process.stdout.write(JSON.stringify(process.env))";
  const program = { command: process.execPath, args: ["--eval", show], streams: "capture" } as const;
  const secrets = Object.fromEntries(secretVariables.map((name) => [name, "secret"]));
  const ours = { ...environment, ...secrets };
  const seen = async (own: object) => JSON.parse(await textOf(runProgram({ ...program, ...own }, ours)));
  expect(await seen({ environment: { TOKEN: "x" } })).toEqual({ ...environment, TOKEN: "x" });
  expect(await seen({})).toEqual(environment);
});

test("a program reads its input, and an empty one by default", async () => {
  expect(await textOf(runProgram({ ...shell("cat"), input: "hello" }, environment))).toBe("hello");
  expect(await textOf(runProgram(shell("cat"), environment))).toBe("");
});

test("a program that does not read its input is not an error", async () => {
  const result = await runProgram({ ...shell("exit 0"), input: "x".repeat(1_000_000) }, environment);
  expect(result.exit).toBe(0);
});

test("a program ended by a signal exits with 128 plus the signal's number", async () => {
  expect((await runProgram(shell("kill -TERM $$"), environment)).exit).toBe(143);
});

test("a missing program is an error with its code", async () => {
  const program = { command: "no-such-program", args: ["s3cret"], streams: "capture" } as const;
  await expect(runProgram(program, environment)).rejects.toMatchObject({ name: "ProgramFailed", code: "ENOENT" });
});

test("an argument that cannot be passed is not quoted", async () => {
  const failure: unknown = await runProgram(shell("true", "s3cret\0"), environment).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProgramFailed);
  expect(String(failure)).not.toContain("s3cret");
});

test("a program that takes too long is ended, even if its children keep the pipe open", async () => {
  const running = runProgram({ ...shell("exec 2>/dev/null; sleep 2 & sleep 2"), timeoutMs: 100 }, environment);
  await expect(running).rejects.toThrow("sh did not end within 100 ms");
});

test("a program that writes too much is ended", async () => {
  const running = runProgram({ ...shell("exec 2>/dev/null; yes"), maxBytes: 1000 }, environment);
  await expect(running).rejects.toThrow("sh wrote more than 1000 bytes");
});

test("an abort ends a program by TERM", async () => {
  const stop = new AbortController();
  const onOutput = () => stop.abort();
  const running = runProgram({ ...shell("echo ready; exec sleep 60"), onOutput, signal: stop.signal }, environment);
  expect((await running).exit).toBe(143);
});

test("output can be read while the program runs", async () => {
  let heard = "";
  const onOutput = (bytes: Uint8Array) => void (heard += Buffer.from(bytes).toString());
  await runProgram({ ...shell("echo one; echo two"), onOutput }, environment);
  expect(heard).toBe("one\ntwo\n");
});

test("stderr is read together with stdout on request", async () => {
  const result = await runProgram({ ...shell("echo one; echo two >&2"), capturesErrors: true }, environment);
  expect(Buffer.from(result.stdout).toString().split("\n").toSorted()).toEqual(["", "one", "two"]);
});

test("an abort ends the whole process group, also when the program ignores TERM", async () => {
  const stop = new AbortController();
  // Its child holds its stdout: the run ends only when both have ended.
  const script = "trap '' TERM; sleep 60 & echo ready; wait; sleep 60";
  const onOutput = () => stop.abort();
  const running = runProgram({ ...shell(script), onOutput, ownGroup: true, signal: stop.signal }, environment);
  expect((await running).exit).toBe(137);
});

test("with its output discarded, a run is over when the program ends, whatever keeps its stdout open", async () => {
  const file = join(temporaryFolder(), "left");
  const program = {
    ...shell(`echo lost; sleep 600 2>/dev/null & echo $! >${file}; exit 4`),
    streams: "discard",
  } as const;
  onTestFinished(() => void process.kill(Number(readFileSync(file, "utf8"))));
  const { exit, stdout } = await runProgram({ ...program, input: "x", ownGroup: true }, environment);
  expect({ exit, size: stdout.length }).toEqual({ exit: 4, size: 0 });
});

test("a program in its own group that takes too long ends with everything that it started", async () => {
  const file = join(temporaryFolder(), "started");
  const program = { ...shell(`sleep 600 & echo $! >${file}; wait`), streams: "discard", ownGroup: true } as const;
  await expect(runProgram({ ...program, timeoutMs: 2_000 }, environment)).rejects.toThrow("did not end within 2000 ms");
  const started = Number(readFileSync(file, "utf8"));
  await expect.poll(() => isRunning(started)).toBe(false);
});

/** False for a process that has ended, also when it was not reaped. */
function isRunning(id: number): boolean {
  try {
    return !readFileSync(`/proc/${id}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
