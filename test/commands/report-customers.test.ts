import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

test("a payer of whom the rows say nothing is named as that where a person reads it", async ({ partnerIn }) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
  await partner`ledger sync --start-date 2026-03-01`;
  const line = "report customers --month 2026-03";
  expect((await partner`${line} --account 0560066551200`).stdout).toMatch(/^\(not known\) +\d+ +[\d,.]+ +TZS$/m);
  const page = join(folder, "customers.html");
  await partner`${line} --account 0560066551200 --save ${page}`;
  expect(readFileSync(page, "utf8")).toContain("(not known)");
  expect((await partner`${line} --account 0560066551200 --csv`).stdout).toMatch(/\n,,\d+,/);
});

test("such payers are chosen by what every format has of them", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync --start-date 2026-03-01`;
  const line = "report customers --month 2026-03 --account 0560066551200 --where";
  expect((await partner`${line} 'name=""'`).stdout).toMatch(/^\(not known\) +\d+ +[\d,.]+ +TZS$/m);
  expect(JSON.parse((await partner`${line} 'name=""' --json`).stdout)).toMatchObject([{ name: "", number: "" }]);
  expect((await partner`${line} name~known`).stdout).toBe("");
});
