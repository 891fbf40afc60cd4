import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const transfer = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description rent --reference R-1 --yes";

test("money that moved is reported as moved when the result cannot be written, and not sent again", async ({
  partnerIn,
  simulator,
  skip,
}) => {
  skip(process.platform !== "linux", "needs /dev/full");
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const before = simulator.world.wallet("9000112244").balance;
  const run = await partner`${transfer} --json --save /dev/full`;
  expect(run).toMatchObject({ exit: 0, stdout: "" });
  expect(run.stderr).toMatch(/The transfer R-1 is accepted all the same: partner journal show [0-9a-f-]{36}\n$/);
  const again = await partner`${transfer} --json`;
  expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  expect(simulator.world.wallet("9000112244").balance.subtract(before).toString()).toBe("5000");
});

test("money whose answer was lost may have moved, also when the result cannot be written", async ({
  partner,
  faults,
  skip,
}) => {
  skip(process.platform !== "linux", "needs /dev/full");
  faults.loseNextAnswer();
  const run = await partner`${transfer} --json --save /dev/full`;
  expect(run).toMatchObject({ exit: 6, stdout: "" });
  expect(run.stderr).toContain('"money":"unknown"');
});

test("a refused order ends with 4 also when its result cannot be written", async ({ partner, skip }) => {
  skip(process.platform !== "linux", "needs /dev/full");
  const run = await partner`withdraw --account 404404 --amount 5 --narration x --yes --json --save /dev/full`;
  expect(run).toMatchObject({ exit: 4, stdout: "" });
  expect(run.stderr).toContain(`"money":"not moved"`);
});

test("an unknown column is refused before anything is sent", async ({ partner, simulator }) => {
  const before = simulator.world.wallet("9000112244").balance.toString();
  expect(await partner`${transfer} --csv --columns nope`).toMatchObject({ exit: 2, stdout: "" });
  expect(simulator.world.wallet("9000112244").balance.toString()).toBe(before);
});
