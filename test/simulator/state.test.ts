import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readFaults } from "../../src/simulator/faults.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import type { RunningSimulator, SimulatorOptions } from "../../src/simulator/simulator.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { groupA, groupB, noon, say, smallWorld, started } from "./small-world.ts";

let receiver: Recorder | undefined;
afterEach(() => receiver?.stop());

const firstRetryMs = 2000;
const stateFile = () => join(temporaryFolder(), "state.json");
const begin = async (options: SimulatorOptions, now = noon) =>
  (await started(memoryHost({ now }), { seed: smallWorld, ...options })).simulator;

const transfer = `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n{"amount":5000,"from":"1042","to":"0043","description":"rent"}`;
const march = '"startDate":"2026-03-01","endDate":"2026-03-31"';
const reads = [
  `GET /partner/v1/wallet HTTP/1.1\n${groupA}`,
  `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"1042",${march}}`,
  `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"2001",${march}}`,
  `GET /account/015A8XX787600/statement?startDate=2026-03-01&endDate=2026-03-31 HTTP/1.1\n${groupB}`,
];

async function readAll(simulator: RunningSimulator): Promise<string[]> {
  const bodies: string[] = [];
  for (const request of reads) bodies.push((await say(simulator, request)).body.replace(/"timestamp":"[^"]+"/, ""));
  return bodies;
}

function ledgerOf({ world }: RunningSimulator): ReadonlySet<string> {
  return new Set(world.ledger().map(({ kind, name, balance }) => `${kind} ${name} ${balance.toString()}`));
}

function collect(simulator: RunningSimulator, callbackUrl: string) {
  const body = `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"INV-1","transactionDate":"2026-03-31 11:59:00","callbackUrl":"${callbackUrl}"}`;
  return say(simulator, `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${body}`);
}

test("balances, rows, books and known references survive a restart unchanged", async () => {
  const file = stateFile();
  receiver = await recorder(answer("200 OK", ""));
  const first = await begin({ stateFile: file });
  await say(first, transfer);
  await collect(first, receiver.origin);
  await first.idle();
  const [bodies, books] = [await readAll(first), ledgerOf(first)];
  await first.stop();
  const second = await begin({ stateFile: file, seed: "empty", seedNumber: 9 });
  expect(await readAll(second)).toEqual(bodies);
  expect(ledgerOf(second)).toEqual(books);
  expect(await collect(second, receiver.origin)).toMatchObject({ status: 409 });
});

test("a state file of version 0.1.0, before there were reversals, is loaded and its open work is finished", async () => {
  const file = stateFile();
  copyFileSync(join(import.meta.dirname, "fixtures", "state-of-0.1.0.json"), file);
  const simulator = await begin({ stateFile: file, faults: readFaults(["drop-callback=any"]) });
  await simulator.idle();
  const { wallets, remittances } = simulator.world;
  expect(wallets.get("1042")?.balance.toString()).toBe("2226994.50");
  expect(wallets.get("2001")?.entries).toHaveLength(2);
  expect(remittances.get("REM-1")?.state).toBe("REVERSED");
});

test("a reversal planned for later happens after a restart, once", async () => {
  const file = stateFile();
  const host = memoryHost({ now: noon, meanwhile: () => new Promise(() => undefined) });
  const faults = readFaults(["reverse-row=REV-{reference},2d", "look-alike=next-year"]);
  const { simulator: first } = await started(host, { seed: smallWorld, stateFile: file, faults });
  const tagged = transfer.replace('"rent"', '"rent [R-1]"');
  await say(first, tagged);
  await first.stop();
  const second = await begin({ stateFile: file });
  await second.idle();
  await second.stop();
  const third = await begin({ stateFile: file });
  await third.idle();
  const names = third.world.wallet("1042").entries.map(({ tranRefNo, valueDate }) => [tranRefNo, valueDate]);
  expect(names.slice(3)).toEqual([
    [expect.stringMatching(/^[A-Za-z0-9]{12}$/), "2026-03-31 12:00:00"],
    ["R-1", "2027-03-31 12:00:00"],
    ["REV-R-1", "2026-04-02 12:00:00"],
  ]);
  expect(third.world.wallet("0043").entries).toHaveLength(2);
});

test("rows with a negative amount survive a restart", async () => {
  const file = stateFile();
  const first = await begin({ stateFile: file, faults: readFaults(["rebook-row=negative"]) });
  await say(first, transfer);
  await first.idle();
  const [bodies, books] = [await readAll(first), ledgerOf(first)];
  await first.stop();
  const second = await begin({ stateFile: file });
  expect([await readAll(second), ledgerOf(second)]).toEqual([bodies, books]);
});

test("moved money is on disk before the answer is sent", async () => {
  const file = stateFile();
  const simulator = await begin({ stateFile: file });
  const { body } = await say(simulator, transfer);
  const [, reference = "none"] = /"transactionRef":"([A-Za-z0-9]{12})"/.exec(body) ?? [];
  expect(readFileSync(file, "utf8").split(`"tranRefNo":"${reference}"`)).toHaveLength(3);
});

test("ids are not reused after a restart", async () => {
  const file = stateFile();
  const first = await begin({ stateFile: file });
  const { body } = await say(first, transfer);
  await first.stop();
  const again = await say(await begin({ stateFile: file }), transfer);
  const ids = [body, again.body].flatMap((text) => text.match(/(?<=Id":"|Ref":")[A-Za-z0-9]{12}/g));
  expect(new Set(ids).size).toBe(4);
});

test("an undelivered callback is delivered after a restart", async () => {
  const file = stateFile();
  const gone = await recorder("");
  await gone.stop();
  const host = memoryHost({ now: noon });
  const waiting = Promise.withResolvers<void>();
  const sleep: typeof host.clock.sleep = (ms, signal) => {
    if (ms !== firstRetryMs) return host.clock.sleep(ms, signal);
    waiting.resolve();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  };
  const first = await startSimulator(
    { ...host, clock: { ...host.clock, sleep } },
    { seed: smallWorld, stateFile: file },
  );
  await collect(first, gone.origin);
  await waiting.promise;
  await first.stop();
  receiver = await recorder(answer("200 OK", ""));
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(gone.origin, receiver.origin));
  const second = await begin({ stateFile: file });
  await second.idle();
  expect(receiver.requests).toHaveLength(1);
  expect(receiver.requests[0]).toMatch(/"statusCode":"PAYMENT_ACCEPTED".*"transactionRef":"INV-1"/);
  expect(second.world.wallet("2001").entries).toHaveLength(2);
});

test("the clock never starts before the time of the saved world", async () => {
  const file = stateFile();
  const first = await begin({ stateFile: file, clock: "2027-01-01T00:00:00+03:00" });
  await first.stop();
  const second = await begin({ stateFile: file, clock: "2026-06-01T00:00:00+03:00" });
  expect((await say(second, transfer)).body).toContain('"transactionDate":"2027-01-01T00:00:00+03:00"');
});

test("only the owner can read the state file", async () => {
  const file = stateFile();
  await begin({ stateFile: file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.for([
  ["cut short", (text: string) => text.slice(0, -10)],
  ["no JSON", () => "hello"],
  ["empty", () => ""],
  ["of another kind", () => '{"wallets":[]}'],
  ["with an amount changed", (text: string) => text.replace('"amountDebited":745', '"amountDebited":746')],
  ["with an opening changed", (text: string) => text.replace('"opening":700', '"opening":7000')],
  ["with a field too many", (text: string) => text.replace('{"simulator":1', '{"simulator":1,"extra":true')],
  ["of a later program", (text: string) => text.replace('{"simulator":1', '{"simulator":2')],
] as const)("a state file that is %s is refused and left unchanged", async ([, damage]) => {
  const file = stateFile();
  await (await begin({ stateFile: file })).stop();
  const damaged = damage(readFileSync(file, "utf8"));
  writeFileSync(file, damaged);
  await expect(begin({ stateFile: file })).rejects.toMatchObject({
    ending: "setup",
    message: expect.stringContaining(`The simulator's state file ${file} can't be used: `),
  });
  expect(readFileSync(file, "utf8")).toBe(damaged);
});

test("a state file that cannot be written is refused at the start", async () => {
  const file = join(temporaryFolder(), "missing", "state.json");
  await expect(begin({ stateFile: file })).rejects.toMatchObject({
    ending: "setup",
    message: expect.stringContaining(`The simulator's state can't be kept in ${file}: `),
  });
});

test("spec 7.1: when the state cannot be saved, an order is a 500", async () => {
  const host = memoryHost({ now: noon });
  let isFull = false;
  const draft: typeof host.files.draft = (path, mode) =>
    isFull ? Promise.reject(new Error("ENOSPC: no space left on device")) : host.files.draft(path, mode);
  const files = { ...host.files, draft };
  const { simulator } = await started({ ...host, files }, { seed: smallWorld, stateFile: stateFile() });
  isFull = true;
  expect(await say(simulator, transfer)).toMatchObject({
    status: 500,
    body: '{"statusCode":500,"reason":"SERVER_ERROR"}',
  });
  isFull = false;
});
