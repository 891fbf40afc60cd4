import { createHmac } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFaults } from "../../src/simulator/faults.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { receiver } from "../webhooks/receiver.ts";
import { groupA, groupB, noon, say, smallWorld, started } from "./small-world.ts";

// The receiver is written from the specification's sections 5 and 6.2, without code of the program.

const firstRetryMs = 2000;

async function receiving(...statuses: readonly number[]) {
  const one = await receiver((index) => statuses[Math.min(index, statuses.length - 1)]);
  onTestFinished(() => one.stop());
  return one;
}

function collect(simulator: RunningSimulator, reference: string) {
  return say(
    simulator,
    `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500.50,"narration":"lunch","transactionRef":"${reference}","transactionDate":"2026-03-31 11:59:00","callbackUrl":"https://127.0.0.1:1/"}`,
  );
}

/** Recomputes the signature by the specification's four steps. */
function isGenuine(body: string): boolean {
  const { timestamp, signature, payload } = JSON.parse(body);
  const key = Buffer.from("c2ltdWxhdG9yLXdlYmhvb2stc2lnbmluZy1rZXktMDE=", "base64");
  return (
    createHmac("sha256", key)
      .update(timestamp + payload, "utf8")
      .digest("base64") === signature
  );
}

test("an accepted collection is sent to the webhook address, signed, with the values of the statement's row", async () => {
  const hook = await receiving(200);
  const { simulator } = await started(memoryHost({ now: noon }), { seed: smallWorld, webhookUrl: hook.url });
  await collect(simulator, "INV-1");
  await simulator.idle();
  const [request] = hook.received;
  expect(hook.received).toHaveLength(1);
  expect(request?.method).toBe("POST");
  expect(request?.headers).toMatchObject({ "content-type": "application/json", "x-request-id": expect.any(String) });
  expect(isGenuine(request?.body ?? "")).toBe(true);
  const { timestamp, payload } = JSON.parse(request?.body ?? "");
  expect(timestamp).toBe("2026-03-31T12:00:01+03:00");
  const { body } = await say(
    simulator,
    `GET /account/015A8XX787600/statement?startDate=2026-03-31&endDate=2026-03-31 HTTP/1.1\n${groupB}`,
  );
  const [, id] = /"transactionId":"([0-9a-f-]{36})","reference":"INV-1"/.exec(body) ?? [];
  const [, paymentReference] = /"paymentReference":"([A-Za-z0-9]{12})"/.exec(body) ?? [];
  expect(payload).toBe(
    `{"event":"transaction.created","account":{"accountNo":"015A8XX787600","accountName":"Business Account Ltd","bankId":"0b5f9d3e-5c1a-4c6e-9f7e-3b1f0a2d4c68"},"transaction":{"id":"${id}","transactionId":null,"reference":"INV-1","paymentReference":"${paymentReference}","transactionDate":"2026-03-31T12:00:01+03:00","creditOrDebit":"CREDIT","currency":"TZS","amountCredit":1500.50,"amountDebit":0,"availableBalance":151500.50,"currentBalance":151500.50,"description":"lunch"},"counterparty":null}`,
  );
});

test("a webhook that the receiver cannot take is sent again unchanged after 2 and 4 seconds", async () => {
  const hook = await receiving(503, 429, 200);
  const host = memoryHost({ now: noon });
  const { simulator } = await started(host, { seed: smallWorld, webhookUrl: hook.url });
  await collect(simulator, "INV-1");
  await simulator.idle();
  expect(hook.received).toHaveLength(3);
  expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
  expect(host.clock.sleeps).toEqual(expect.arrayContaining([firstRetryMs, 2 * firstRetryMs]));
});

test("a refused webhook is not sent again", async () => {
  const hook = await receiving(401);
  const { simulator } = await started(memoryHost({ now: noon }), { seed: smallWorld, webhookUrl: hook.url });
  await collect(simulator, "INV-1");
  await simulator.idle();
  expect(hook.received).toHaveLength(1);
});

test("an undelivered webhook is delivered unchanged after a restart", async () => {
  const stateFile = join(temporaryFolder(), "state.json");
  let status = 500;
  let clockStands = false;
  // The clock stops before the next attempt; otherwise the webhook might be given up before the restart.
  const hook = await receiver(() => {
    clockStands = true;
    return status;
  });
  onTestFinished(() => hook.stop());
  const host = memoryHost({ now: noon, meanwhile: () => (clockStands ? new Promise(() => undefined) : undefined) });
  const { simulator: first } = await started(host, { seed: smallWorld, stateFile, webhookUrl: hook.url });
  await collect(first, "INV-1");
  await expect.poll(() => hook.received.length).toBeGreaterThan(0);
  await first.stop();
  const [before] = hook.received;
  const heard = hook.received.length;
  status = 200;
  const { simulator: second } = await started(memoryHost({ now: noon }), { stateFile });
  await second.idle();
  expect(hook.received.slice(heard).map(({ body }) => body)).toEqual([before?.body]);
  expect(isGenuine(before?.body ?? "")).toBe(true);
});

test("a simulator killed during a webhook delivers it after the next start", async () => {
  const stateFile = join(temporaryFolder(), "state.json");
  const hook = await receiver(() => 503);
  onTestFinished(() => hook.stop());
  const host = memoryHost({
    now: noon,
    meanwhile: () => (hook.received.length > 0 ? new Promise(() => undefined) : undefined),
  });
  const { simulator } = await started(host, { seed: smallWorld, stateFile, webhookUrl: hook.url });
  await collect(simulator, "INV-1");
  await expect.poll(() => readFileSync(stateFile, "utf8")).toContain('"failures":1');
  // A kill leaves the file as it is now: it is never half written.
  const left = join(temporaryFolder(), "state.json");
  copyFileSync(stateFile, left);
  await hook.stop();
  const next = await receiving(200);
  writeFileSync(left, readFileSync(left, "utf8").replaceAll(hook.url, next.url));
  const { simulator: second } = await started(memoryHost({ now: noon }), { stateFile: left });
  await second.idle();
  expect(next.received.map(({ body }) => body)).toEqual([hook.received[0]?.body]);
});

test.for([
  ["drop-callback=webhook", []],
  ["double-callback=webhook:1", ["A", "A", "B"]],
  ["delay-callback=1h,webhook:1", ["A", "B"]],
  ["reorder-callback=1h,webhook", ["A", "B"]],
  ["contradict-callback=webhook:2", ["A", "B", "B forged"]],
  ["drop-callback=any", ["A", "B"]],
] as const)("%s: the webhooks are %s", async ([typed, wanted]) => {
  const hook = await receiving(200);
  const world = { seed: smallWorld, webhookUrl: hook.url, faults: readFaults([typed]) };
  const { simulator } = await started(memoryHost({ now: noon }), world);
  await collect(simulator, "A");
  await collect(simulator, "B");
  await simulator.idle();
  const heard = hook.received.map(({ body }) => {
    const { payload } = JSON.parse(body);
    return JSON.parse(payload).transaction.reference + (isGenuine(body) ? "" : " forged");
  });
  expect(heard.toSorted()).toEqual(wanted);
});
