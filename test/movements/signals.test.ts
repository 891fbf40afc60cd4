import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { echoMs } from "../../src/host/process/stop-signals.ts";
import { words } from "../partner.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { column, openDesk, payouts, transfers } from "../commands/batch-service.ts";
import { stopSignals } from "../person.ts";
import { startRun } from "./child.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { silentTls } from "./silent-tls.ts";
import type { MoneyRequest, Reaction } from "./teller.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// Ctrl-C, TERM and HUP sent to real processes: batches, waits, and closing terminals.

const [transfer, , collect = kinds[0]] = kinds;
const patience = "waiting for the answer; again to give up";
const referenceOf = ({ body }: MoneyRequest) => transfer.referenceIn(body);

/** A service that holds every answer until it may go on, and reports when so many requests have arrived. */
async function patient(count: number, then: Reaction = accept) {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const service = await teller({
    react(socket, request) {
      if (service.requests.length === count) arrived.resolve();
      void released.promise.then(() => then(socket, request));
    },
  });
  return { service, arrived: arrived.promise, goOn: released.resolve, till: openTill(environmentAt(service.origin)) };
}

/** The processes of this program with the word on their command line. */
function running(word: string): number[] {
  const isOurs = (pid: string) => {
    const [program, , ...args] = readQuietly(`/proc/${pid}/cmdline`).split("\0");
    return program === process.execPath && args.includes(word);
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number);
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function batchLine(count: number, more = ""): string {
  return `batch run ${openDesk().write(transfers(count))} ${payouts} --yes --csv${more}`;
}

for (const [signal, exit] of stopSignals) {
  test(`${signal} in a batch: every row in flight gets its answer, nothing more is sent, and it ends with 8`, async () => {
    const { till, service, arrived, goOn } = await patient(3);
    const line = batchLine(8, " --concurrency 3");
    const child = startRun(line, till);
    await arrived;
    child.kill(signal);
    await child.says(patience);
    goOn();
    const first = await child.run;
    expect(first.exit).toBe(8);
    expect(first.stderr.split(patience)).toHaveLength(2);
    const states = column(first.stdout, "state");
    expect(states.toSorted()).toEqual([...Array(3).fill("accepted"), ...Array(5).fill("unsent")]);
    expect(service.requests).toHaveLength(3);
    const next = await till.run(line);
    expect(next.exit).toBe(0);
    expect(new Set(service.requests.map(referenceOf)).size).toBe(8);
    expect(service.requests).toHaveLength(8);
  });

  test(`${signal} that is also forwarded to the process counts as one signal`, async () => {
    const { till, arrived, goOn } = await patient(1);
    const child = startRun(transfer.line("R-1"), till);
    await arrived;
    // Two of one kind may arrive as one.
    for (const sent of [signal, signal === "SIGTERM" ? "SIGINT" : "SIGTERM"] as const) child.kill(sent);
    await child.says(patience);
    goOn();
    expect(await child.run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  });

  test(`${signal} twice in a batch: the rows in flight are unknown, and it ends with 6`, async () => {
    const { till, service, arrived } = await patient(2);
    const child = startRun(batchLine(4, " --concurrency 2"), till);
    await arrived;
    child.kill(signal);
    await child.says(patience);
    child.kill(signal);
    const first = await child.run;
    expect(first.exit).toBe(6);
    expect(column(first.stdout, "state").toSorted()).toEqual(["unknown", "unknown", "unsent", "unsent"]);
    expect(service.requests).toHaveLength(2);
  });

  test(`${signal} in a batch before the connection is made: nothing is sent, and it ends with ${exit}`, async () => {
    const { origin, flags, requests, dialled, heal } = await silentTls(1);
    const till = openTill(environmentAt(origin));
    till.flags = flags;
    const line = `${batchLine(3)} --check-statement never`;
    const child = startRun(line, till);
    await dialled;
    child.kill(signal);
    const first = await child.run;
    expect(first.exit).toBe(exit);
    expect(column(first.stdout, "state")).toEqual(["unsent", "unsent", "unsent"]);
    expect(requests).toEqual([]);
    heal();
    expect((await till.run(line)).exit).toBe(0);
  });

  test(`${signal} while another process sends the same reference ends the wait`, async () => {
    const { till, service, arrived, goOn } = await patient(1);
    const one = startRun(transfer.line("R-1"), till);
    await arrived;
    const other = startRun(transfer.line("R-1"), till);
    await other.says("Another process is working on the transfer R-1");
    other.kill(signal);
    expect(await other.run).toMatchObject({ exit, stdout: "" });
    goOn();
    expect((await one.run).exit).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  test(`${signal} while money is in flight ends with the service's answer`, async () => {
    const refused = '{"statusCode":400,"reason":"INSUFFICIENT_FUNDS","details":{}}';
    const { till, arrived, goOn } = await patient(1, saying("400 Bad Request", refused));
    const child = startRun(transfer.line("R-1"), till);
    await arrived;
    child.kill(signal);
    await child.says(patience);
    goOn();
    expect(await child.run).toMatchObject({ exit: 4, stdout: expect.stringContaining('"state": "refused"') });
  });

  test(`${signal} while a collection is in flight with --wait leaves it pending, and ends with ${exit}`, async () => {
    const { till, arrived, goOn } = await patient(1);
    const child = startRun(collect.line("R-1").replace(/--callback-url \S+/, "--wait"), till);
    await arrived;
    child.kill(signal);
    await child.says(patience);
    goOn();
    expect(await child.run).toMatchObject({ exit, stdout: expect.stringContaining('"state": "pending"') });
  });

  test(`${signal} during the wait for a callback leaves the order pending, and ends with ${exit}`, async () => {
    const { till, goOn } = await patient(1);
    goOn();
    const line = collect.line("R-1").replace(/--callback-url \S+/, "--wait");
    const child = startRun(line, till);
    await child.says("Waiting for the callback");
    child.kill(signal);
    expect(await child.run).toMatchObject({ exit, stdout: expect.stringContaining('"state": "pending"') });
    expect(await till.movements()).toMatchObject([{ state: "pending" }]);
  });
}

test("a closed terminal loses no outcome in flight, however many signals it sends", async ({ skip }) => {
  if (!hasTmux || process.platform !== "linux") skip("needs tmux and Linux");
  const { till, arrived, goOn } = await patient(1);
  const reference = `R-${randomUUID()}`;
  const terminal = openTerminal(words(transfer.line(reference)), till.environment);
  await arrived;
  await terminal.close();
  // Both the kernel and the shell may send it.
  const [pid = expect.unreachable("It ended with its terminal")] = running(reference);
  for (const _ of [1, 2, 3]) {
    // Each of them comes too late to be an echo of the one before.
    await sleep(2 * echoMs);
    process.kill(pid, "SIGHUP");
  }
  goOn();
  await expect.poll(() => running(reference)).toEqual([]);
  expect(await till.movements()).toMatchObject([{ state: "accepted" }]);
});

test("a terminal that is closed at the question orders nothing", async ({ skip }) => {
  if (!hasTmux) skip("needs tmux");
  const { till, service } = await patient(1);
  const terminal = openTerminal(words(transfer.line("R-1").replace(" --yes", "")), till.environment);
  await terminal.shows("Send this transfer?");
  await terminal.close();
  expect(await till.movements()).toEqual([]);
  expect(service.requests).toEqual([]);
});

test.each(["nohup", "a script under nohup"])("%s keeps HUP from the program", async (how) => {
  const { till, arrived, goOn } = await patient(1);
  const before = how === "nohup" ? ["bash", "-c", 'nohup "$@"', "bash"] : ["nohup", "sh", "-c", '"$@"; exit $?', "sh"];
  const child = startRun(transfer.line("R-1"), till, before);
  await arrived;
  child.killGroup("SIGHUP");
  child.killGroup("SIGHUP");
  goOn();
  const { exit, stderr } = await child.run;
  expect(exit).toBe(0);
  expect(stderr).not.toContain(patience);
});
