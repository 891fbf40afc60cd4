import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

// File names that cannot exist are usage errors, whichever flag takes them.

const wallet = "9000112233";
const long = `${"x".repeat(300)}.csv`;

async function desk() {
  const { onDay, write, folder } = await ledgerDesk();
  write({ [wallet]: { lines: [{ ref: "A1", day: "2026-10-01" }] } });
  writeFileSync(join(folder, "file"), "");
  return { folder, partner: (line: string) => onDay("2026-11-05", line) };
}

test.each([
  "close --month 2026-10 --to",
  `wallet statement ${wallet} --since-last --start-date 2026-10-01 --save`,
  `wallet statement ${wallet} --month 2026-10 --save`,
  `reconcile --account ${wallet} --month 2026-10 --book`,
  "batch check",
])("%s with a name that is too long exits with 2 and says so", async (line) => {
  const { partner, folder } = await desk();
  const ended = await partner(`${line} ${join(folder, long)}`);
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain("its name is too long");
});

test("open items with a name that is too long exit with 2 and say so", async () => {
  const { partner, folder } = await desk();
  const ended = await partner(`reconcile --account ${wallet} --month 2026-10 --carry ${join(folder, long)}`);
  expect(ended).toMatchObject({ exit: 2, stderr: expect.stringContaining("its name is too long") });
});

test("a close into a path with a file in it exits with 2 and says so", async () => {
  const { partner, folder } = await desk();
  const ended = await partner(`close --month 2026-10 --to ${join(folder, "file", "close")}`);
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain("a part of its path is a file, not a folder");
});
