import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { now, test } from "../simulated.ts";
import { vanishing } from "../vanishing.ts";
import { column, openDesk, payouts } from "./batch-service.ts";

// A copy of a batch names people and accounts. It is removed when its time is over; the journal keeps its orders.

const dayMs = 24 * 60 * 60_000;
const file = (reference: string, amount = 5) => `reference,amount\n${reference},${amount}\n`;

/** A desk with batches that a test can make as old as it wants. */
function archive() {
  const desk = openDesk();
  const folder = join(desk.folder, "state/batches");
  const kept = () => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
  const age = (atMs: number, names = kept()) => {
    for (const name of names) utimesSync(join(folder, name), atMs / 1000, atMs / 1000);
  };
  return { ...desk, folder, kept, age };
}

const idIn = (said: string) => /Batch ([0-9a-f]{16})/.exec(said)?.[1] ?? "none";

describe("copies of batches", () => {
  test("are removed 400 days after their last use, and no earlier", async ({ partnerIn }) => {
    const desk = archive();
    const partner = partnerIn({ environment: desk.environment });
    const old = idIn((await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes`).stderr);
    desk.age(now - 400 * dayMs);
    const second = await partner`batch run ${desk.write(file("P-2", 6))} ${payouts} --yes`;
    expect(second.stderr).not.toContain("removed");
    expect(desk.kept().filter((name) => name.startsWith(old))).toHaveLength(2);
    desk.age(now - 400 * dayMs - 1000, [`${old}.csv`, `${old}.json`]);
    const third = await partner`batch run ${desk.write(file("P-3", 7))} ${payouts} --yes`;
    expect([third.exit, third.stderr]).toEqual([
      0,
      expect.stringContaining("1 old batch file removed: not used for 400 days.\n"),
    ]);
    expect(desk.kept().filter((name) => name.startsWith(old))).toEqual([]);
    expect(desk.kept()).toHaveLength(4);
    expect((await partner`batch report ${old}`).exit).toBe(4);
    // The journal still knows the order: it is not sent again.
    const again = await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes --csv`;
    expect([again.exit, column(again.stdout, "state")]).toEqual([0, ["accepted"]]);
    expect(again.stderr).toContain("0 sent now, 1 was sent before.");
  });

  test("that are removed while a report looks for them are reported as if they were gone before", async ({
    partnerIn,
  }) => {
    const desk = archive();
    const partner = (world = {}) => partnerIn({ environment: desk.environment, ...world });
    const id = idIn((await partner()`batch run ${desk.write(file("P-1"))} ${payouts} --yes`).stderr);
    const during = await partner({ host: { files: vanishing(/[0-9a-f]{16}\.json$/) } })`batch report ${id}`;
    expect(during).toMatchObject({ exit: 4, stderr: expect.stringContaining(`There is no batch "${id}"`) });
    expect(during.stderr).toBe((await partner()`batch report ${id}`).stderr);
  });

  test("are kept while one of their orders is open", async ({ partnerIn, faults }) => {
    const desk = archive();
    const partner = partnerIn({ environment: desk.environment });
    faults.loseNextAnswer();
    expect((await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes`).exit).toBe(6);
    desk.age(now - 4000 * dayMs);
    await partner`batch run ${desk.write(file("P-2", 6))} ${payouts} --yes`;
    expect(desk.kept()).toHaveLength(4);
    await partner`journal resolve --all`;
    await partner`batch run ${desk.write(file("P-3", 7))} ${payouts} --yes`;
    expect(desk.kept()).toHaveLength(4);
  });

  test("are removed as the profile says, and other files in the folder are not", async ({ partnerIn, simulator }) => {
    const desk = archive();
    const { environment } = desk;
    const partner = partnerIn({ environment });
    const secrets = JSON.stringify({ secretKey: simulator.secretKey });
    const base = `--base-url ${simulator.baseUrl} --account-id ${simulator.accountId}`;
    const office = partnerIn({ environment, stdin: secrets });
    expect((await office`profile add shop --environment simulator ${base} --secrets-from -`).exit).toBe(0);
    expect((await partner`profile set shop batch.keep=30d`).exit).toBe(0);
    await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes -p shop`;
    const others = ["notes.csv", "0123456789abcdef.txt", "0123456789ABCDEF.csv"];
    for (const name of others) writeFileSync(join(desk.folder, name), "kept");
    desk.age(now - 31 * dayMs);
    const later = await partner`batch run ${desk.write(file("P-2", 6))} ${payouts} --yes -p shop`;
    expect(later.stderr).toContain("1 old batch file removed: not used for 30 days.\n");
    expect(desk.kept()).toEqual(expect.arrayContaining(others));
    expect(desk.kept()).toHaveLength(5);
  });

  test("are removed in full when a run was killed between the two files of one copy", async ({ partnerIn }) => {
    const desk = archive();
    const partner = partnerIn({ environment: desk.environment });
    const old = idIn((await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes`).stderr);
    rmSync(join(desk.folder, `${old}.json`));
    desk.age(now - 401 * dayMs);
    await partner`batch run ${desk.write(file("P-2", 6))} ${payouts} --yes`;
    expect(desk.kept()).toHaveLength(2);
  });

  test("are kept by a dry run and by a check", async ({ partnerIn }) => {
    const desk = archive();
    const partner = partnerIn({ environment: desk.environment });
    await partner`batch run ${desk.write(file("P-1"))} ${payouts} --yes`;
    desk.age(now - 500 * dayMs);
    const before = desk.kept().map((name) => readFileSync(join(desk.folder, name), "utf8"));
    await partner`batch run ${desk.write(file("P-2", 6))} ${payouts} --dry-run`;
    await partner`batch check ${desk.write(file("P-2", 6))} ${payouts}`;
    expect(desk.kept().map((name) => readFileSync(join(desk.folder, name), "utf8"))).toEqual(before);
  });

  test.for(["0d", "400", "1h", "-5d", "forever", "999999d"])(
    "batch.keep=%s is refused",
    async (value, { partnerIn }) => {
      const desk = archive();
      const office = partnerIn({ environment: desk.environment, stdin: '{"secretKey":"a-key-of-the-shop"}' });
      await office`profile add shop --environment sandbox --base-url https://a.example --account-id a --secrets-from -`;
      expect(await office`profile set shop batch.keep=${value}`).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining("batch.keep must be a number of days such as 400d, at least 1d."),
      });
    },
  );
});
