import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { now, test } from "../simulated.ts";
import type { GuardedTill } from "./guarded.ts";
import { guardedTill, remit, transfer, withdraw } from "./guarded.ts";

// The day of a limit is the day on which money leaves. The machine's clock may show another day than the service's.

const hour = 3_600_000;
/** `now` is noon in Dar es Salaam; by these clocks it is another day. */
const [behind, ahead] = [now - 13 * hour, now + 13 * hour];
/** A file with one transfer. */
function batch(reference: string, amount: number): string {
  const file = join(temporaryFolder(), "rows.csv");
  writeFileSync(file, `reference,from,to,amount,description\n${reference},9000112233,9000112244,${amount},x\n`);
  return file;
}
/** The clock of a simulator may be set freely, so these profiles are for a live service. */
async function liveTill(simulator: RunningSimulator, limit: string): Promise<GuardedTill> {
  const till = await guardedTill(simulator);
  expect((await till.type(`profile set shop environment=live ${limit}`)).exit).toBe(0);
  return till;
}

const tooSlow =
  "limit.day: what leaves now would count for 2026-03-30, and by the service's clock it is 2026-03-31: set this machine's clock";

describe("limit.day with two clocks on different days", () => {
  const lines = [transfer(10, "A"), withdraw(10, "A"), remit("A"), `${transfer(10, "A")} --dry-run`];
  test.for(lines)("%s: no order is sent that would count for yesterday", async (line, { simulator }) => {
    const till = await liveTill(simulator, "limit.day=1000000");
    const before = till.balance();
    const slow = await till.run(line, { now: behind });
    expect([slow.exit, slow.stdout]).toEqual([2, ""]);
    expect(slow.stderr).toContain(`${tooSlow}\n`);
    expect(slow.stderr).toContain("Hint: See how far it is off: partner doctor\n");
    expect([till.balance(), await till.movements()]).toEqual([before, []]);
    expect((await till.type(line)).exit).toBe(0);
  });

  test("no row of a batch is sent that would count for yesterday", async ({ simulator }) => {
    const till = await liveTill(simulator, "limit.day=10000");
    const before = till.balance();
    for (const command of ["check", "run --yes"]) {
      const slow = await till.run(`batch ${command} ${batch("A", 1)} --kind transfer`, { now: behind });
      expect([slow.exit, slow.stdout]).toEqual([2, ""]);
      expect(slow.stderr).toContain(`has 1 fault; nothing was sent.\n  ${tooSlow}\n`);
      expect(slow.stderr).toContain("Hint: See how far it is off: partner doctor\n");
    }
    expect([till.balance(), await till.movements()]).toEqual([before, []]);
  });

  test.for([
    ["no further row of a batch leaves once the clock was set back to yesterday", now, 8, ["A"]],
    ["a batch goes on once a clock that was ahead is set right", ahead, 0, ["A", "B"]],
  ] as const)("%s", async ([, began, exit, left], { simulator }) => {
    const till = await liveTill(simulator, "limit.day=1000000");
    const { clock } = memoryHost({ now: began });
    const file = batch("A", 1);
    writeFileSync(file, `${readFileSync(file, "utf8")}B,9000112233,9000112244,1,x\n`);
    const before = till.balance();
    const set = { ...clock, now: () => clock.now() - (till.balance() === before ? 0 : 13 * hour) };
    const run = await till.run(`batch run ${file} --kind transfer --yes --allow-repeats`, { clock: set });
    expect([run.exit, (await till.movements()).map(({ reference }) => reference)]).toEqual([exit, left]);
  });

  test("faults of a batch's rows and of the clock are reported separately", async ({ simulator }) => {
    const till = await liveTill(simulator, "limit.day=10000 allow.to=1");
    const slow = await till.run(`batch check ${batch("A", 1)} --kind transfer`, { now: behind });
    expect([slow.exit, slow.stdout]).toEqual([2, ""]);
    expect(slow.stderr).toContain("has 2 faults in 1 line; nothing was sent.\n");
    expect(slow.stderr).toContain("Hint: See how far it is off: partner doctor. Correct it in the spreadsheet,");
  });

  test("an order in a currency without a limit is sent whatever the day", async ({ simulator }) => {
    const till = await liveTill(simulator, "limit.day=USD=50");
    for (const line of [transfer(10, "A"), withdraw(10, "A"), `batch run ${batch("B", 11)} --kind transfer --yes`])
      expect([line, (await till.run(line, { now: behind })).exit]).toEqual([line, 0]);
    const slow = await till.run(remit("A"), { now: behind });
    expect([slow.exit, slow.stderr]).toEqual([2, expect.stringContaining(`${tooSlow}\n`)]);
  });

  test("money that left today counts on a machine that is a day ahead", async ({ simulator }) => {
    const till = await liveTill(simulator, "limit.day=10000");
    expect((await till.type(transfer(9000, "A"))).exit).toBe(0);
    const lines = [
      transfer(1001, "B"),
      `batch check ${batch("B", 1001)} --kind transfer`,
      `batch run ${batch("B", 1001)} --kind transfer --yes`,
    ];
    for (const line of lines) {
      const fast = await till.run(line, { now: ahead });
      expect([line, fast.exit, fast.stdout]).toEqual([line, 2, ""]);
      expect(fast.stderr).toContain("limit.day: 9,000.00 left today already, and 1,001.00 more is beyond 10,000.00");
    }
    expect((await till.run(transfer(1000, "B"), { now: ahead })).exit).toBe(0);
  });

  test("without limit.day, and at a simulator, the clocks stop nothing", async ({ simulator }) => {
    const till = await liveTill(simulator, "limit.transfer=10000");
    expect((await till.run(transfer(10, "A"), { now: behind })).exit).toBe(0);
    const play = await guardedTill(simulator, "limit.day=10000");
    expect((await play.run(transfer(10, "A"), { now: behind })).exit).toBe(0);
  });
});
