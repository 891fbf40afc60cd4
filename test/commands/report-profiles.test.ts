import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

test("a profile without figures is named even if another profile has missing rows", async () => {
  const { onDay, write, environment, folder } = await ledgerDesk();
  const world = { environment: { PARTNER_CONFIG_DIR: join(folder, "config") } };
  const partner = (line: string) => onDay("2026-11-20", line, world);
  const [wallet, secrets] = ["9000112233", join(folder, "secrets.json")];
  write({ [wallet]: { lines: [{ ref: "A", day: "2026-11-10", amount: 1000 }], balance: 950 } });
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  const at = `--environment sandbox --base-url ${environment.PARTNER_BASE_URL} --secrets-from ${secrets}`;
  for (const name of ["lake", "shop"]) await partner(`profile add ${name} ${at} --account-id ${name}`);
  await partner("ledger sync -p lake --start-date 2026-11-01");
  const { exit, stderr } = await partner("report cash --month 2026-11 --all-profiles --csv");
  expect(exit).toBe(9);
  expect(stderr).toContain(`The rows of lake: ${wallet} do not lead to the balance that the service gave.`);
  const failed = "1 of 2 profiles failed. shop: The ledger holds no account yet.";
  expect(stderr).toContain(failed);
  const page = await partner("report cash --month 2026-11 --all-profiles --output html");
  expect(page).toMatchObject({ exit: 9, stdout: expect.stringContaining(`<p class="verdict wrong">${failed}</p>`) });
});
