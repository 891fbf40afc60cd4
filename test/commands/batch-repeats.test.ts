import { environmentFor } from "../../src/simulator/ready.ts";
import { describe, expect } from "vitest";
import type { World } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { column, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";

// The same payment in another file, or after a trip through a spreadsheet.

const dayMs = 24 * 60 * 60_000;
const later = (ms: number): World => ({ now: now + ms });
const file = (...rows: readonly string[]) => `reference,amount\n${rows.map((row) => `${row}\n`).join("")}`;
const transfer = "transfer --from 9000112233 --to 9000112244 --description rent --yes --json";

/** A desk, and a `partner` on it at several points in time. */
function deskIn(
  partnerIn: (
    world: World,
  ) => (
    line: TemplateStringsArray,
    ...values: readonly (string | number)[]
  ) => Promise<{ exit: number; stdout: string; stderr: string }>,
) {
  const desk = openDesk();
  const at = (ms = 0, environment = {}) =>
    partnerIn({ ...later(ms), environment: { ...desk.environment, ...environment } });
  return { desk, at };
}

describe("rows like an earlier order", () => {
  test("sent since the file was checked are left, and say why once", async ({ partnerIn, faults }) => {
    const desk = openDesk();
    const held = faults.hold("transfer");
    const path = desk.write(file("A-1,5", "A-2,6"));
    const batch = partnerIn({ ...later(0), ...desk, seed: 1 })`batch run ${path} ${payouts} --yes --json`;
    await held.reached;
    const other = partnerIn({ ...later(0), ...desk, seed: 2 });
    expect(await other`${transfer} --amount 6 --reference R-6`).toMatchObject({ exit: 0 });
    held.release();
    const ran = await batch;
    expect(ran.exit).toBe(8);
    const [sent, left] = JSON.parse(ran.stdout);
    expect([sent.state, left.state]).toEqual(["accepted", "unsent"]);
    expect(left.message).toMatch(/^A transfer with the same payer.* was accepted: R-6, .*\. Nothing was sent\.$/);
    expect(left.message.split("R-6")).toHaveLength(2);
  });

  test("are faults with line and column; nothing of the file is sent without --allow-repeats", async ({
    partnerIn,
    simulator,
  }) => {
    const { desk, at } = deskIn(partnerIn);
    const first = desk.write(file("R-1,5", "R-2,6"), "march.csv");
    const ran = await at()`batch run ${first} ${payouts} --yes --csv`;
    expect(ran.exit).toBe(0);
    const [, id = ""] = /Batch ([0-9a-f]{16}): 2 rows/.exec(ran.stderr) ?? [];
    const [one] = column(ran.stdout, "id");
    const second = desk.write(file("A-1,7", "A-2,5"), "april.csv");
    for (const line of ["batch check", "batch run --yes", "batch run --dry-run", "batch run"]) {
      const stopped = await at(2 * dayMs)`${line} ${second} ${payouts}`;
      expect([line, stopped.exit, stopped.stdout]).toEqual([line, 2, ""]);
      if (line === "batch run") continue;
      expect(stopped.stderr).toContain("april.csv has 1 fault in 1 line; nothing was sent.");
      expect(stopped.stderr).toContain(
        `line 3, reference: "A-2": a transfer with the same payer, receiver and amount was accepted: R-1, ordered 2026-03-31 12:00:00, id ${one}, line 2 of batch ${id}`,
      );
      expect(stopped.stderr).toContain("--allow-repeats");
    }
    expect([timesMoved(simulator, "A-1"), timesMoved(simulator, "A-2")]).toEqual([0, 0]);
    expect(await at(2 * dayMs)`batch check ${second} ${payouts} --allow-repeats`).toMatchObject({ exit: 0 });
    const meant = await at(2 * dayMs)`batch run ${second} ${payouts} --yes --allow-repeats`;
    expect(meant.exit).toBe(0);
    expect(meant.stderr).toContain('Warning: line 3, reference: "A-2": a transfer with the same payer');
    expect([timesMoved(simulator, "A-1"), timesMoved(simulator, "A-2")]).toEqual([1, 1]);
  });

  test("count for three days, or for as long as like.window says", async ({ partnerIn, simulator }) => {
    const { desk, at } = deskIn(partnerIn);
    const { baseUrl, accountId, secretKey } = simulator;
    const stdin = JSON.stringify({ secretKey });
    const none = Object.fromEntries(Object.keys(environmentFor(simulator)).map((name) => [name, ""]));
    const own = (ms = 0) => at(ms, none);
    const adding = partnerIn({ stdin, environment: { ...desk.environment, ...none } });
    const add = `profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
    expect(await adding`${add}`).toMatchObject({ exit: 0 });
    expect(await own()`batch run ${desk.write(file("R-1,5"))} ${payouts} --yes`).toMatchObject({ exit: 0 });
    const second = desk.write(file("A-1,5"), "second.csv");
    const check = async (ms: number) => (await own(ms)`batch check ${second} ${payouts}`).exit;
    expect([await check(3 * dayMs), await check(3 * dayMs + 1)]).toEqual([2, 0]);
    for (const [window, within, beyond] of [
      ["7d", 7 * dayMs, 7 * dayMs + 1],
      ["1h", dayMs / 24, dayMs / 24 + 1],
    ] as const) {
      await own()`profile set shop like.window=${window}`;
      expect([window, await check(within), await check(beyond)]).toEqual([window, 2, 0]);
    }
    await own()`profile set shop like.window=0`;
    expect(await check(0)).toBe(0);
  });

  test("count however long ago the order was when its outcome is unknown", async ({ partnerIn, faults }) => {
    const { desk, at } = deskIn(partnerIn);
    faults.loseNextAnswer();
    expect(await at()`${transfer} --amount 5 --reference LOST`).toMatchObject({ exit: 6 });
    const stopped = await at(30 * dayMs)`batch run ${desk.write(file("R-1,5"))} ${payouts} --yes`;
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toContain("amount has an unknown outcome: LOST, ordered 2026-03-31 12:00:00, id ");
  });

  test("count when that was a single order, and do not count when it was refused", async ({ partnerIn }) => {
    const { desk, at } = deskIn(partnerIn);
    await at()`${transfer} --amount 5 --reference ONE`;
    expect(await at()`${transfer} --amount 99999999999 --reference TWO`).toMatchObject({ exit: 4 });
    const stopped = await at()`batch check ${desk.write(file("R-1,5", "R-2,99999999999"))} ${payouts}`;
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain("was accepted: ONE, ");
    expect(stopped.stderr).toContain("1 fault in 1 line");
  });
});

describe("an order by hand like a row of a batch", () => {
  test("is sent when the row was accepted, with its line in a warning", async ({ partnerIn, simulator }) => {
    const { desk, at } = deskIn(partnerIn);
    expect(await at()`batch run ${desk.write(file("R-1,5"))} ${payouts} --yes`).toMatchObject({ exit: 0 });
    const told = await at(dayMs / 2)`${transfer} --amount 5 --reference HAND`;
    expect(told.exit).toBe(0);
    expect(told.stderr).toMatch(/amount was accepted: R-1, ordered \S+ \S+, id \S+, line 2 of batch [0-9a-f]{16}\./);
    expect([timesMoved(simulator, "R-1"), timesMoved(simulator, "HAND")]).toEqual([1, 1]);
  });

  test("is stopped when the row's outcome is unknown, unless --again is given", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const { desk, at } = deskIn(partnerIn);
    faults.loseNextAnswer();
    expect(await at()`batch run ${desk.write(file("R-1,5"))} ${payouts} --yes`).toMatchObject({ exit: 6 });
    const stopped = await at(30 * dayMs)`${transfer} --amount 5 --reference HAND`;
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toMatch(
      /amount has an unknown outcome: R-1, ordered \S+ \S+, id \S+, line 2 of batch [0-9a-f]{16}\./,
    );
    expect(timesMoved(simulator, "HAND")).toBe(0);
    expect(await at(30 * dayMs)`${transfer} --amount 5 --reference HAND --again`).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "HAND")).toBe(1);
  });

  test.for([
    ["0001", "1", "leading zeros"],
    ["INV-7", "inv-7", "letter case"],
  ] as const)(
    "under %j, typed as %j, is stopped: they differ only by %s",
    async ([sent, typed, words], { partnerIn, simulator }) => {
      const { desk, at } = deskIn(partnerIn);
      expect(await at()`batch run ${desk.write(file(`${sent},5`))} ${payouts} --yes`).toMatchObject({ exit: 0 });
      const stopped = await at(30 * dayMs)`${transfer} --amount 6 --reference ${typed}`;
      expect(stopped).toMatchObject({ exit: 2, stdout: "" });
      expect(stopped.stderr).toContain(`"${typed}" differs only by ${words} from "${sent}", which is used`);
      expect(timesMoved(simulator, typed)).toBe(0);
    },
  );
});

describe("a file does not repeat itself", () => {
  test("when it has like rows: they are noted, sent, and resumed", async ({ partnerIn, simulator, faults }) => {
    const { desk, at } = deskIn(partnerIn);
    const same = desk.write(transfers(4));
    faults.plan("lose-answer=money:2");
    const first = await at()`batch run ${same} ${payouts} --yes --csv`;
    expect(first.stderr).toContain(
      "3 rows have the same payer, receiver and amount as another: line 3 is like line 2.",
    );
    expect(first.exit).toBe(6);
    const again = await at(dayMs)`batch run ${same} ${payouts} --yes --csv`;
    expect(column(again.stdout, "state")).toEqual(["accepted", "unknown", "accepted", "accepted"]);
    expect([1, 2, 3, 4].map((index) => timesMoved(simulator, `R-${index}`))).toEqual([1, 1, 1, 1]);
  });

  test("when a row was corrected and the account has another name", async ({ partnerIn, simulator }) => {
    const { desk, at } = deskIn(partnerIn);
    const wrong = desk.write(file("R-1,5", "R-2,5", "R-3,99999999999", "R-4,6"));
    expect(await at()`batch run ${wrong} ${payouts} --yes`).toMatchObject({ exit: 8 });
    const right = desk.write(file("R-1,5", "R-2,5", "R-3,6", "R-4,6"));
    const run = await at(0, { PARTNER_ENVIRONMENT: "sandbox" })`batch run ${right} ${payouts} --yes --csv`;
    expect(run).toMatchObject({ exit: 0 });
    expect(column(run.stdout, "state")).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    expect([1, 2, 3, 4].map((index) => timesMoved(simulator, `R-${index}`))).toEqual([1, 1, 1, 1]);
  });

  test("and says so first when nothing is left to send", async ({ partnerIn }) => {
    const { desk, at } = deskIn(partnerIn);
    const same = desk.write(transfers(3));
    await at()`batch run ${same} ${payouts} --yes`;
    const again = await at()`batch run ${same} ${payouts} --yes`;
    expect(again.exit).toBe(0);
    expect(again.stderr.split("\n")[0]).toBe("0 sent now, 3 were sent before.");
    const dry = await at()`batch run ${same} ${payouts} --dry-run`;
    expect(dry.stderr.split("\n")[0]).toBe("0 sent now, 3 were sent before.");
  });

  test("and counts rows with an unknown outcome separately", async ({ partnerIn, faults }) => {
    const { desk, at } = deskIn(partnerIn);
    const same = desk.write(file("R-1,5", "R-2,6"));
    faults.plan("lose-answer=money:2");
    await at()`batch run ${same} ${payouts} --yes`;
    const again = await at()`batch run ${same} ${payouts} --yes`;
    expect(again.exit).toBe(6);
    expect(again.stderr.split("\n")[0]).toBe("0 sent now, 1 was sent before; the outcome of 1 is unknown.");
  });
});

describe("after a trip through a spreadsheet", () => {
  const trips = [
    ["0001", "1", "leading zeros"],
    ["INV-7", "inv-7", "letter case"],
    ["INV 7", "INV7", "spaces"],
    ["100000", "1.0e5 ", undefined],
    ["100000", "1E5", undefined],
    ["100000", "1E+05", undefined],
    ["INV-8", "INV-8 ", undefined],
  ] as const;
  test.for(trips)(
    "%j that comes back as %j is not sent as a new payment",
    async ([sent, back, words], { partnerIn, simulator }) => {
      const { desk, at } = deskIn(partnerIn);
      expect(await at()`batch run ${desk.write(file(`${sent},5`))} ${payouts} --yes`).toMatchObject({ exit: 0 });
      const returned = desk.write(file(`${back},6`), "returned.csv");
      const stopped = await at(30 * dayMs)`batch run ${returned} ${payouts} --yes`;
      expect(stopped).toMatchObject({ exit: 2, stdout: "" });
      expect(stopped.stderr).toContain("line 2, reference: ");
      expect(timesMoved(simulator, back.trim())).toBe(back.trim() === sent ? 1 : 0);
      const allowed = await at(30 * dayMs)`batch run ${returned} ${payouts} --yes --allow-repeats`;
      // A reference that a spreadsheet shortened or padded is never accepted.
      expect(allowed.exit).toBe(words === undefined ? 2 : 0);
      if (words === undefined) return;
      expect(stopped.stderr).toContain(
        `"${back}" differs only by ${words} from "${sent}", which is used: it is accepted, `,
      );
      expect(timesMoved(simulator, back)).toBe(1);
    },
  );

  test("a shortened reference that was used is recognized when it comes back in full", async ({ partnerIn }) => {
    const { desk, at } = deskIn(partnerIn);
    expect(await at()`${transfer} --amount 5 --reference 1E5`).toMatchObject({ exit: 0 });
    const stopped = await at()`batch check ${desk.write(file("100000,6"))} ${payouts}`;
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain('"100000" differs only by scientific notation from "1E5", which is used');
  });

  test("references of one file that differ only in their form are faults", async ({ partnerIn, simulator }) => {
    const { desk, at } = deskIn(partnerIn);
    const alike = desk.write(file("7,5", "A,6", "007,7", "a,8", "0A,9"));
    const stopped = await at()`batch run ${alike} ${payouts} --yes`;
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain('line 4, reference: "007" differs only by leading zeros from "7" in line 2\n');
    expect(stopped.stderr).toContain('line 5, reference: "a" differs only by letter case from "A" in line 3\n');
    expect(stopped.stderr).toContain('line 6, reference: "0A" differs only by leading zeros from "A" in line 3\n');
    const meant = await at()`batch run ${alike} ${payouts} --yes --allow-repeats`;
    expect(meant.exit).toBe(0);
    expect(["7", "A", "007", "a", "0A"].map((reference) => timesMoved(simulator, reference))).toEqual([1, 1, 1, 1, 1]);
    // Repeats that were allowed once are not warned about when the file is run again.
    expect((await at()`batch run ${alike} ${payouts} --yes --allow-repeats`).stderr).toMatch(/^0 sent now, 5 were/);
  });

  test("an account id in another letter case is treated as a likely slip", async ({ partnerIn, simulator }) => {
    const { desk, at } = deskIn(partnerIn);
    expect(await at()`${transfer} --amount 5 --reference R-1`).toMatchObject({ exit: 0 });
    const slip = at(0, { PARTNER_ACCOUNT_ID: simulator.accountId.toUpperCase() });
    const words = `"${simulator.accountId.toUpperCase()}" differs only by letter case from "${simulator.accountId}"`;
    const single = await slip`${transfer} --amount 6 --reference R-2`;
    expect(single).toMatchObject({ exit: 2, stdout: "" });
    expect(single.stderr).toContain(`The account id ${words}, under which there are orders. Nothing was sent.`);
    const batch = await slip`batch check ${desk.write(file("A-1,6", "A-2,7"))} ${payouts}`;
    expect(batch.exit).toBe(2);
    expect(batch.stderr).toContain(`The account id ${words}`);
    expect(batch.stderr).toContain("--allow-repeats");
    // With --again the service decides: it does not know this account.
    const meant = await slip`${transfer} --amount 6 --reference R-2 --again`;
    expect(meant.exit).toBe(3);
    expect(meant.stderr).toContain("Warning: The account id");
  });
});

test("a like order sent since the file was checked holds back its row, and no other", async ({
  partnerIn,
  simulator,
}) => {
  const { desk, at } = deskIn(partnerIn);
  const rows = desk.write(file("R-1,5", "R-2,6", "R-3,7"));
  const meanwhile = async () => {
    expect(await at()`${transfer} --amount 6 --reference BEFORE`).toMatchObject({ exit: 0 });
    return true;
  };
  const terminal = { stdin: true, stderr: true };
  const asking = partnerIn({ now, terminal, answers: [meanwhile], environment: desk.environment });
  const run = await asking`batch run ${rows} ${payouts} --csv`;
  expect(run.exit).toBe(8);
  expect(column(run.stdout, "state")).toEqual(["accepted", "unsent", "accepted"]);
  expect(run.stdout).toContain("was accepted: BEFORE");
  expect([1, 2, 3].map((index) => timesMoved(simulator, `R-${index}`))).toEqual([1, 0, 1]);
});
