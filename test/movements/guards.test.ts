import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";

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

test("a reference that has its outcome is told again, whatever the limits say by now", async ({ simulator }) => {
  const { partner } = await guarded(simulator, "limit.day=1000");
  expect((await partner(transfer(1000, "A"))).exit).toBe(0);
  const again = await partner(transfer(1000, "A"));
  expect(again.exit).toBe(0);
  expect(again.stderr).toContain("nothing was sent now");
});

test("allow.to lets money go to known accounts alone", async ({ simulator }) => {
  const { partner, before, balance } = await guarded(simulator, "allow.to=9000445566,9000445577");
  const stopped = await partner(transfer(10, "A"));
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toContain("allow.to: 9000112244 is none of 9000445566, 9000445577");
  expect(balance()).toBe(before);
});

test("a limit that is no amount is refused where it is set, and stops money where it stands in the file", async ({
  simulator,
}) => {
  const { partner } = await guarded(simulator, "limit.day=5");
  for (const limit of ["limit.day=-1", "limit.transfer=1,000", "limit.day=1e3", "allow.to=a,,b"])
    expect((await partner(`profile set shop ${limit}`)).exit).toBe(2);
  expect((await partner("profile set shop limit.day=")).exit).toBe(0);
  expect((await partner(transfer(6, "A"))).exit).toBe(0);
});
