import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

// A balance proves only rows in its own currency.

const [wallet, other] = ["9000112233", "9000112244"];
const lines = [{ ref: "A", day: "2026-10-05", amount: 1000 }];

/** A desk with a wallet that the service calls Kenyan from the second day on. */
async function desk() {
  const made = await ledgerDesk();
  made.write({ [wallet]: { lines }, [other]: { lines } });
  await made.onDay("2026-11-01", "ledger sync --start-date 2026-10-01");
  made.write({ [wallet]: { lines, currency: "KES" }, [other]: { lines: [...lines, { ref: "B", day: "2026-11-02" }] } });
  return made;
}

test("an account whose currency changed at the service is not synced, and other accounts are", async () => {
  const { onDay } = await desk();
  const { exit, stdout, stderr } = await onDay("2026-11-02", "ledger sync");
  expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
  expect(stderr).toContain(
    `Error: Not synced: 1 of 2 accounts (${wallet}): The service names KES as the currency of ${wallet}, but the ledger has its rows in TZS.\n`,
  );
  expect(stderr).toContain("Hint: Ask the service which of them is right; ");
  const rows = "ledger sql \"SELECT account, reference FROM rows WHERE reference = 'B'\" --csv --no-header";
  expect((await onDay("2026-11-02", rows)).stdout).toBe(`${other},B\n`);
});

test("an account whose currency changed is not proved until its currency is right again", async () => {
  const { onDay, write } = await desk();
  const status = () =>
    onDay("2026-11-02", "ledger status --csv --no-header --columns account,closing,live,state,breaksAt");
  await onDay("2026-11-02", "ledger sync");
  const { exit, stdout, stderr } = await status();
  expect(exit).toBe(9);
  expect(stdout).toBe(`${wallet},1000.00,,broken,\n${other},1100.00,1100,proved,\n`);
  expect(stderr).toContain(
    `Error: Not proved: ${wallet} is broken. The service names KES as the currency of ${wallet}, but the ledger has its rows in TZS.\n`,
  );
  expect(stderr).toContain("Hint: Ask the service which of them is right; ");
  write({ [wallet]: { lines }, [other]: { lines } });
  await onDay("2026-11-02", "ledger sync --start-date 2026-10-01");
  expect((await status()).stdout).toContain(`${wallet},1000.00,1000,proved,`);
});

test("an account whose currency changed keeps a month from being closed", async () => {
  const { onDay, folder } = await desk();
  for (const flag of ["", " --check"]) {
    const { exit, stderr } = await onDay("2026-11-02", `close --month 2026-10 --to ${folder}/october${flag}`);
    expect(exit).toBe(5);
    expect(stderr).toContain(`The service names KES as the currency of ${wallet}`);
  }
  expect(readdirSync(folder)).not.toContain("october");
});

test("a ledger with the wrong currency can be moved away and read again", async () => {
  const { onDay, folder } = await desk();
  const { stderr } = await onDay("2026-11-02", "ledger sync");
  expect(stderr).toContain("If the ledger is wrong, move it away and read it again: partner ledger sync --start-date");
  const ledger = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith("ledger.db"));
  renameSync(join(folder, String(ledger)), join(folder, "ledger.former"));
  expect((await onDay("2026-11-02", "ledger sync --start-date 2026-10-01")).exit).toBe(0);
  const proved = "ledger status --csv --no-header --columns account,closing,live,state";
  expect((await onDay("2026-11-02", proved)).stdout).toContain(`${wallet},1000.00,1000,proved\n`);
  expect((await onDay("2026-11-02", "report cash --month 2026-10 --csv")).stdout).toMatch(/,KES,/);
});
