import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const person = { terminal: { stdout: true, stderr: true } };

test("on a terminal --save says what was written; off a terminal stderr stays empty", async ({
  partner,
  partnerIn,
}) => {
  const file = join(temporaryFolder(), "wallets.csv");
  const line = `wallets list --save ${file}`;
  expect(await partnerIn(person)`${line}`).toMatchObject({ exit: 0, stdout: "", stderr: `Wrote 8 rows to ${file}.\n` });
  expect(await partner`${line}`).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  expect(await partnerIn(person)`${line} --quiet`).toMatchObject({ exit: 0, stderr: "" });
  expect((await partnerIn(person)`${line} --where currency=KES`).stderr).toContain(`Wrote 3 rows to ${file}.\n`);
});

test("the note about a workbook follows the sums, and is missing if nothing was written", async ({ partnerIn }) => {
  const [file, partner] = [join(temporaryFolder(), "a b.xlsx"), partnerIn(person)];
  const { stderr } = await partner`wallet statement 9000112233 --date 2026-03-30 --save "${file}"`;
  expect(stderr).toMatch(/\n\d+ rows, \+[^\n]+, adds up\nWrote "[^\n"]+a b\.xlsx"\.\n$/);
  const low = await partner`wallet balance --all --fail-below 999999999999 --save "${file}.csv"`;
  expect([low.exit, low.stderr.includes("Wrote")]).toEqual([9, false]);
});

test("a reconciliation names its files of open rows and open items, too", async ({ partnerIn }) => {
  const folder = temporaryFolder();
  const line = `reconcile --account 9000112233 --month 2026-03 --exceptions ${folder}/open.csv --carry ${folder}/open.json --save ${folder}/r.csv`;
  const { stderr } = await partnerIn(person)`${line}`;
  for (const name of ["rows to", "the open rows to", "the open items to"])
    expect(stderr.replaceAll(/\n(?! )/g, " ")).toContain(name);
});
