import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { startRun } from "./child.ts";
import { kinds } from "./kinds.ts";
import { openMoneyPath } from "./money-path.ts";
import { accept } from "./service.ts";
import { teller } from "./teller.ts";
import { openTill } from "./till.ts";

/** A profile for the simulator, with limits, and a `partner` that uses it. */
async function guarded(simulator: RunningSimulator, ...limits: readonly string[]) {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const { baseUrl, accountId, secretKey } = simulator;
  const partner = (line: string, stdin = "") => run(words(line), { now, environment, stdin });
  const add = `profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  expect(await partner(add, JSON.stringify({ secretKey }))).toMatchObject({ exit: 0 });
  expect(await partner(`profile set shop ${limits.join(" ")}`)).toMatchObject({ exit: 0 });
  const before = simulator.world.wallet("9000112233").balance.toString();
  return { partner, before, balance: () => simulator.world.wallet("9000112233").balance.toString() };
}

const transfer = (amount: number, reference: string, to = "9000112244") =>
  `transfer --from 9000112233 --to ${to} --amount ${amount} --description x --reference ${reference} --yes`;

test("limit.transfer stops one amount that is too large, before anything is sent", async ({ simulator }) => {
  const { partner, before, balance } = await guarded(simulator, "limit.transfer=1000");
  const stopped = await partner(transfer(1001, "A"));
  expect(stopped).toMatchObject({ exit: 2, stdout: "" });
  expect(stopped.stderr).toContain("limit.transfer: 1,001.00 is more than 1,000.00\nNo money moved.\n");
  expect(balance()).toBe(before);
  expect((await partner(transfer(1000, "A"))).exit).toBe(0);
});

test("limit.day counts what left today, and not what was refused", async ({ simulator }) => {
  const { partner } = await guarded(simulator, "limit.day=1500");
  expect((await partner(transfer(1000, "A"))).exit).toBe(0);
  expect((await partner("withdraw --account 404404 --amount 400 --narration x --yes")).exit).toBe(4);
  expect((await partner(transfer(501, "B"))).exit).toBe(2);
  expect((await partner(transfer(500, "B"))).exit).toBe(0);
});

test("a reference with an outcome is reported again, whatever the limits are by now", async ({ simulator }) => {
  const { partner } = await guarded(simulator, "limit.day=1000");
  expect((await partner(transfer(1000, "A"))).exit).toBe(0);
  const again = await partner(transfer(1000, "A"));
  expect(again.exit).toBe(0);
  expect(again.stderr).toContain("nothing was sent now");
});

test("allow.to permits payments to listed accounts only", async ({ simulator }) => {
  const { partner, before, balance } = await guarded(simulator, "allow.to=9000445566,9000445577");
  const stopped = await partner(transfer(10, "A"));
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toContain("allow.to: 9000112244 is not one of 9000445566, 9000445577");
  expect(balance()).toBe(before);
});

test("an invalid limit is refused by profile set, and stops money when it is in the file", async ({ simulator }) => {
  const { partner } = await guarded(simulator, "limit.day=5");
  for (const limit of ["limit.day=-1", "limit.transfer=1,000", "limit.day=1e3", "allow.to=a,,b"])
    expect((await partner(`profile set shop ${limit}`)).exit).toBe(2);
  expect((await partner("profile set shop limit.day=")).exit).toBe(0);
  expect((await partner(transfer(6, "A"))).exit).toBe(0);
});

test("limit.day is checked when the order is claimed, not only at the first look", async () => {
  const { origin, requests } = await teller({ react: accept });
  const path = await openMoneyPath(origin, { dayMax: new Map([["TZS", new Decimal(9, 0)]]) });
  const [kind] = kinds;
  expect(await path.perform(kind, "A")).toMatchObject({ movement: { state: "accepted" } });
  const stopped = {
    ending: "usage",
    money: "not moved",
    details: { "limit.day": expect.stringContaining("5.00 left") },
  };
  await expect(path.perform(kind, "B")).rejects.toMatchObject(stopped);
  expect(await path.perform(kind, "A")).toMatchObject({ sentNow: false });
  expect(requests).toHaveLength(1);
  expect(await path.movements()).toHaveLength(1);
});

test("of two processes that order at the same moment, the limit of the day stops one", async () => {
  const simulator = await simulatorForTwo();
  const folder = temporaryFolder();
  const till = openTill({ PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") }, folder);
  const { PARTNER_BASE_URL: baseUrl, PARTNER_ACCOUNT_ID: accountId } = environmentFor(simulator);
  const add = `profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  expect(await till.run(add, { stdin: JSON.stringify({ secretKey: simulator.secretKey }) })).toMatchObject({ exit: 0 });
  expect(await till.run("profile set shop limit.day=1000")).toMatchObject({ exit: 0 });
  const before = simulator.world.wallet("9000112233").balance;
  const runs = await Promise.all([transfer(600, "A"), transfer(601, "B")].map((line) => startRun(line, till).run));
  expect(new Set(runs.map(({ exit }) => exit))).toEqual(new Set([0, 2]));
  expect(runs.map(({ stderr }) => stderr).join("")).toMatch(/limit\.day: 60[01]\.00 left today already/);
  expect(before.subtract(simulator.world.wallet("9000112233").balance).toString()).toMatch(/^60[01]\.00$/);
});

/** A service that shows no wallet until two processes have asked: then both start from the same sums. */
async function simulatorForTwo() {
  const host = memoryHost({ now: Date.now() });
  let asked = 0;
  const bothAsked = Promise.withResolvers<void>();
  const listen: typeof host.listen = (options, answer) =>
    host.listen(options, async (request) => {
      if (request.method === "GET" && (asked += 1) === 2) bothAsked.resolve();
      if (request.method === "GET") await bothAsked.promise;
      return answer(request);
    });
  const simulator = await startSimulator({ ...host, listen });
  onTestFinished(() => simulator.stop());
  return simulator;
}
