import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Partner } from "../simulated.ts";
import { test } from "../simulated.ts";

async function walletNumbers(partner: Partner): Promise<string[]> {
  const { stdout } = await partner`wallets list --csv --no-header --columns accountNo`;
  return stdout.trimEnd().split("\n");
}

test("--all exports every wallet to a file of its own, also one in which nothing moved", async ({ partner }) => {
  const folder = temporaryFolder();
  const numbers = await walletNumbers(partner);
  const ended = await partner`wallet statement --all --month 2026-03 --save ${folder}/{account}-{month}.csv`;
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  for (const number of numbers) {
    const alone = await partner`wallet statement ${number} --month 2026-03 --csv`;
    expect(readFileSync(join(folder, `${number}-2026-03.csv`), "utf8")).toBe(alone.stdout);
    expect(ended.stderr).toContain(number);
  }
});

test("--all wants a name for each file, and no wallet besides", async ({ partner }) => {
  expect((await partner`wallet statement --all --month 2026-03`).stderr).toContain("{account}");
  expect((await partner`wallet statement --all --month 2026-03 --save w.csv`).exit).toBe(2);
  expect((await partner`wallet statement 42 --all --month 2026-03`).exit).toBe(2);
  expect((await partner`wallet statement --month 2026-03`).stderr).toContain("ACCOUNT is missing");
});

test("a period that is fetched month by month is the same as in one piece", async ({ partner }) => {
  const [accountNo = ""] = await walletNumbers(partner);
  const period = "--start-date 2025-12-15 --end-date 2026-03-20 --strict --csv";
  const whole = await partner`wallet statement ${accountNo} ${period}`;
  const pieces = await partner`wallet statement ${accountNo} ${period} --by month`;
  expect(pieces).toMatchObject({ exit: 0, stdout: whole.stdout });
  expect(whole.stdout.split("\n").length).toBeGreaterThan(3);
  expect(pieces.stderr).toContain("Reading 2026-01-01 to 2026-01-31");
});
