import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "IN-1", day: "2026-01-03", amount: 1000 },
  { ref: "IN-1-PAYIN", day: "2026-01-03", amount: -20, narration: "SERVICE FEE FOR REF:IN-1 TXNID:T" },
  { ref: "OUT-1", day: "2026-01-20", amount: -500, narration: "rent" },
];

test("--all-profiles closes each profile into its own folder; a failing one is named, and the others are closed", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines } });
  const { environment, folder } = desk;
  const [secrets, odd] = [join(folder, "secrets.json"), join(folder, "none.json")];
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  writeFileSync(odd, "{}");
  const world = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL}`;
  for (const [name, id, file] of [
    ["lake", "a", secrets],
    ["shop", "b", secrets],
    ["till", "c", odd],
  ])
    await desk.onDay("2026-02-05", `profile add ${name} ${at} --account-id ${id} --secrets-from ${file}`, world);
  const line = `close --month 2026-01 --to ${folder}/jan --all-profiles --csv --columns profile,account,closing,state`;
  const { exit, stdout, stderr } = await desk.onDay("2026-02-05", line, world);
  expect(exit).toBe(3);
  expect(stdout).toBe(`profile,account,closing,state\nlake,${wallet},480.00,proved\nshop,${wallet},480.00,proved\n`);
  expect(stderr).toContain("1 of 3 profiles failed. till: ");
  await desk.onDay("2026-02-05", `profile set shop book.path=${folder}/none-{account}.csv`, world);
  const checked = await desk.onDay("2026-02-05", `${line} --check`, world);
  expect(checked.stderr).toContain("lake: January 2026 holds; nothing was written.\nshop: Nothing was written.\n");
  expect(["jan-lake", "jan-shop", "jan-till"].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    true,
    false,
  ]);
});
