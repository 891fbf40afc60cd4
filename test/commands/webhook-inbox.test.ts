import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Machine } from "../webhooks/listening.ts";
import { newMachine, send, timestamp } from "../webhooks/listening.ts";
import { payloadOf, signed } from "../webhooks/flood.ts";
import type { Receiver } from "../webhooks/receiver.ts";
import { receiver } from "../webhooks/receiver.ts";

/** A machine with these events in its inbox. */
async function machineWith(...ids: readonly string[]): Promise<Machine> {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  for (const id of ids) expect((await send(url, id)).status).toBe(200);
  await stop();
  return machine;
}

async function partner(statusOf: Parameters<typeof receiver>[0]): Promise<Receiver> {
  const partner = await receiver(statusOf);
  onTestFinished(() => partner.stop());
  return partner;
}

async function statesOf(machine: Machine): Promise<unknown> {
  const { stdout } = await machine.type("webhook inbox list --json");
  return JSON.parse(stdout).map(({ id, state, attempts }: Record<string, unknown>) => [id, state, attempts]);
}

test("an unused inbox is empty in every format", async () => {
  const machine = newMachine();
  const table = await machine.type("webhook inbox list");
  expect(table).toEqual({ exit: 0, stdout: "", stderr: "The inbox is empty.\n" });
  expect((await machine.type("webhook inbox list --json")).stdout).toBe("[]\n");
  expect((await machine.type("webhook inbox list --csv")).stdout).toBe(
    "id,receivedAt,late,requestId,timestamp,payload,state,attempts,problem\n",
  );
  expect((await machine.type("webhook inbox prune --older-than 400d --json")).stdout).toContain('"removed": 0');
});

test("the list shows amounts, and show prints one event in full", async () => {
  const machine = await machineWith("A");
  const { stdout } = await machine.type("webhook inbox list");
  expect(stdout).toMatch(/^id +received +state +account +credit +debit +currency +reference +attempts +problem\n/);
  expect(stdout).toMatch(/\nA +2026-03-31T12:00:00\+03:00 +new +1234567890 +50,000\.00 +TZS +TXN-REF-123456 +0/);
  const { stdout: shown } = await machine.type("webhook inbox show A");
  expect(shown).toMatch(/\npayload event +transaction\.created\n/);
  expect(shown).toMatch(/\npayload transaction amount credit +50000\.00\n/);
  expect(shown).not.toMatch(/[{}]/);
  const unknown = await machine.type("webhook inbox show B");
  expect(unknown).toEqual({ exit: 4, stdout: "", stderr: expect.stringContaining('The inbox has no event "B".') });
});

test("each new event is forwarded unchanged, and accepted events are marked delivered", async () => {
  const machine = newMachine();
  const { promise: isHere, resolve: here } = Promise.withResolvers<void>();
  const target = await partner((index) => (index === 1 && here(), 204));
  const { url, stop } = await machine.listen(`--forward-to ${target.url}`);
  await send(url, "A");
  await send(url, "B");
  await send(url, "A");
  await isHere;
  expect((await stop()).exit).toBe(0);
  expect(target.received.map(({ body }) => body).toSorted()).toEqual(
    ["A", "B"].map((id) => signed(payloadOf(id), timestamp)).toSorted(),
  );
  expect(new Set(target.received.map(({ headers }) => headers["x-request-id"]))).toEqual(new Set(["req-A", "req-B"]));
  expect(await statesOf(machine)).toEqual([
    ["A", "delivered", 1],
    ["B", "delivered", 1],
  ]);
});

test("a refused event is reported once, stays new, and is forwarded by the next receiver", async () => {
  const machine = newMachine();
  const { promise: isRefused, resolve: refused } = Promise.withResolvers<void>();
  const down = await partner((index) => (index === 1 && refused(), 500));
  const first = await machine.listen(`--forward-to ${down.url}?token=hunter2`);
  await send(first.url, "A");
  await send(first.url, "B");
  await isRefused;
  const { exit, stderr } = await first.stop();
  expect(exit).toBe(0);
  expect(stderr.match(/does not take events: it answered 500\. Event \w is tried again in 1s/g)).toHaveLength(1);
  expect(stderr).not.toContain("hunter2");
  const states = await statesOf(machine);
  expect(states).toEqual([
    ["A", "new", 1],
    ["B", "new", 1],
  ]);
  // A second later the events are due again, but the receiver's clock has not moved yet.
  const { promise: isHere, resolve: here } = Promise.withResolvers<void>();
  const up = await partner((index) => (index === 2 && here(), 200));
  const next = await machine.listen(`--forward-to ${up.url}`);
  next.host.clock.advance(1000);
  await send(next.url, "C");
  await isHere;
  await next.stop();
  expect(up.received).toHaveLength(3);
  expect(await statesOf(machine)).toEqual([
    ["A", "delivered", 2],
    ["B", "delivered", 2],
    ["C", "delivered", 1],
  ]);
});

test("an event still being posted when the receiver stops stays new", async () => {
  const machine = newMachine();
  const silent = createServer();
  onTestFinished(() => silent.closeAllConnections());
  onTestFinished(() => void silent.close());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { url, stopLate } = await machine.listen(`--forward-to http://127.0.0.1:${port}/`);
  const isPosted = once(silent, "request");
  await send(url, "A");
  await isPosted;
  expect((await stopLate()).exit).toBe(0);
  expect(await statesOf(machine)).toEqual([["A", "new", 0]]);
});

test("filters limit what is forwarded, and events stored without --forward-to are not sent later", async () => {
  const machine = await machineWith("before");
  const { promise: isHere, resolve: here } = Promise.withResolvers<void>();
  const target = await partner(() => (here(), 200));
  const other = await machine.listen(`--forward-to ${target.url} --account 999`);
  await send(other.url, "A");
  await other.stop();
  const { url, stop } = await machine.listen(`--forward-to ${target.url} --account 1234567890`);
  await send(url, "B");
  await isHere;
  await stop();
  expect(await statesOf(machine)).toEqual([
    ["before", "new", 0],
    ["A", "new", 0],
    ["B", "delivered", 1],
  ]);
});

test("replay --forward-to posts an event at once and reports the result", async () => {
  const machine = await machineWith("A", "B");
  const statuses = [500, 200, 200];
  const target = await partner((index) => statuses[index] ?? 500);
  const refused = await machine.type(`webhook inbox replay A --forward-to ${target.url} --json`);
  expect(refused.exit).toBe(8);
  expect(JSON.parse(refused.stdout)).toEqual([{ id: "A", state: "new", attempts: 1, problem: "it answered 500" }]);
  const taken = await machine.type(`webhook inbox replay A B A --forward-to ${target.url} --json`);
  expect(taken.exit).toBe(0);
  expect(target.received.map(({ body }) => body)).toEqual(
    ["A", "A", "B"].map((id) => signed(payloadOf(id), timestamp)),
  );
  expect(await statesOf(machine)).toEqual([
    ["A", "delivered", 2],
    ["B", "delivered", 1],
  ]);
  // A delivered event stays delivered, even if sending it again fails.
  expect((await machine.type(`webhook inbox replay B --forward-to ${target.url}`)).exit).toBe(8);
  expect(await statesOf(machine)).toEqual([
    ["A", "delivered", 2],
    ["B", "delivered", 2],
  ]);
  await target.stop();
  expect((await machine.type(`webhook inbox replay B --forward-to ${target.url}`)).exit).toBe(5);
});

test("replay of an unknown event sends nothing else", async () => {
  const machine = await machineWith("A");
  const target = await partner(() => 200);
  const { exit, stderr } = await machine.type(`webhook inbox replay A nobody --forward-to ${target.url}`);
  expect({ exit, stderr }).toEqual({ exit: 4, stderr: expect.stringContaining('no event "nobody"') });
  expect(target.received).toEqual([]);
  expect((await machine.type("webhook inbox replay")).exit).toBe(2);
});

test("replay makes an event new for the next receiver, but never a forged one", async () => {
  const machine = newMachine();
  const first = await machine.listen();
  await send(first.url, "A");
  await fetch(first.url, { method: "POST", body: signed(payloadOf("X")).replace("50000.00", "90000.00") });
  await first.stop();
  const back = await machine.type("webhook inbox replay A --json");
  expect({ exit: back.exit, state: JSON.parse(back.stdout)[0].state }).toEqual({ exit: 0, state: "new" });
  const { promise: isHere, resolve: here } = Promise.withResolvers<void>();
  const target = await partner(() => (here(), 200));
  const { stop } = await machine.listen(`--forward-to ${target.url}`);
  await isHere;
  await stop();
  expect(await statesOf(machine)).toEqual([["A", "delivered", 1]]);
  const [forged] = JSON.parse((await machine.type("webhook inbox list --state forged --json")).stdout);
  const { exit, stderr } = await machine.type(`webhook inbox replay ${forged.id} --forward-to ${target.url}`);
  expect({ exit, stderr }).toEqual({ exit: 4, stderr: expect.stringContaining("was not sent by the service") });
  expect(target.received).toHaveLength(1);
});

test("--exec runs a program for each event in turn; exit 0 accepts the event", async () => {
  const machine = newMachine();
  const log = `${machine.folder}/taken`;
  const { url, stop } = await machine.listen(
    `--exec "sh -c 'cat >> ${log}; echo >> ${log}; echo noise; grep -q ok ${log}'"`,
  );
  await send(url, "A");
  await send(url, "ok");
  const { exit, stdout, stderr } = await stop();
  expect(exit).toBe(0);
  expect(stdout).not.toContain("noise");
  expect(stderr).toContain('"sh" does not take events: it ended with exit code 1.');
  expect(readFileSync(log, "utf8")).toBe(`${payloadOf("A")}\n${payloadOf("ok")}\n`);
  expect(await statesOf(machine)).toEqual([
    ["A", "new", 1],
    ["ok", "delivered", 1],
  ]);
});

test("prune removes old events, but they are still recognised when they come again", async () => {
  const machine = await machineWith("A", "B");
  expect((await machine.type("webhook inbox prune --older-than 400d --json")).stdout).toContain('"removed": 0');
  const tomorrow = await machine.type("webhook inbox prune --older-than 1h --json", {}, 7_200_000);
  expect({ exit: tomorrow.exit, removed: JSON.parse(tomorrow.stdout) }).toEqual({ exit: 0, removed: { removed: 2 } });
  expect(await statesOf(machine)).toEqual([]);
  const { url, stop } = await machine.listen();
  expect(await send(url, "A")).toEqual({ status: 200, text: '{"message":"received already","transactionId":"A"}' });
  expect(await send(url, "B", "2020-03-31T12:00:00+03:00")).toMatchObject({ status: 200 });
  expect((await stop()).stdout).toBe("");
  expect(await statesOf(machine)).toEqual([]);
  expect((await machine.type("webhook inbox prune")).exit).toBe(2);
});

test("replay waits for a silent receiver as long as --timeout says", async () => {
  const machine = await machineWith("A");
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  onTestFinished(() => silent.closeAllConnections());
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const replay = `webhook inbox replay A --forward-to http://127.0.0.1:${port}/ --timeout 200ms --json`;
  const { exit, stdout } = await machine.type(replay);
  expect(exit).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject([{ id: "A", state: "new", attempts: 1 }]);
});
