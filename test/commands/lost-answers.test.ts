import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

// What users see when the service carries out an order but its answer is lost.

const line = "--from 9000112233 --to 9000112244 --amount 5000 --description rent --reference RENT-1 --yes --json";

test("a transfer with a lost answer is unknown, never failed, until the statement shows its outcome", async ({
  partnerIn,
  simulator,
  faults,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const before = simulator.world.wallet("9000112244").balance;
  faults.loseNextAnswer();
  expect(await partner`transfer ${line}`).toMatchObject({ exit: 6 });
  expect(simulator.world.wallet("9000112244").balance.subtract(before).toString()).toBe("5000");
  expect(await partner`transfer ${line}`).toMatchObject({ exit: 6 });
  expect(await partner`journal resolve RENT-1`).toMatchObject({ exit: 0 });
  const told = await partner`transfer ${line}`;
  expect(told).toMatchObject({ exit: 0 });
  expect(JSON.parse(told.stdout)).toMatchObject({ state: "accepted", evidence: "statement" });
  expect(simulator.world.wallet("9000112244").balance.subtract(before).toString()).toBe("5000");
});

test.for([
  ["lose-answer", 6, 1],
  ["fail-answer", 6, 1],
  ["swap-answer", 6, 1],
  ["cut-answer=200", 6, 1],
  ["reset-answer=200", 6, 1],
  ["slow-headers=5s", 0, 1],
  ["slow-body=5s", 0, 1],
  ["reset-request", 6, 0],
  ["fail-request", 6, 0],
] as const)(
  "with %s a transfer exits with %i, money has moved %i times, and a second run changes nothing",
  async ([fault, exit, times], { partnerIn, simulator, faults }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    const rows = () =>
      simulator.world.wallet("9000112244").entries.filter(({ narration }) => narration === "rent [RENT-1]");
    faults.plan(fault);
    expect(await partner`transfer ${line}`).toMatchObject({ exit });
    faults.clear();
    expect(await partner`transfer ${line}`).toMatchObject({ exit });
    expect(rows()).toHaveLength(times);
    expect(await partner`journal resolve --all`).toMatchObject({ exit: times === 1 ? 0 : 6 });
  },
);
