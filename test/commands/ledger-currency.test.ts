import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

// A balance proves rows of its own currency alone.

const [wallet, other] = ["9000112233", "9000112244"];
const lines = [{ ref: "A", day: "2026-10-05", amount: 1000 }];

/** A desk whose first wallet the service calls one of Kenyan shillings from the second day on. */
async function desk() {
  const made = await ledgerDesk();
  made.write({ [wallet]: { lines }, [other]: { lines } });
  await made.onDay("2026-11-01", "ledger sync --start-date 2026-10-01");
  made.write({ [wallet]: { lines, currency: "KES" }, [other]: { lines: [...lines, { ref: "B", day: "2026-11-02" }] } });
  return made;
}

test("an account that the service names in another currency is not synced, and the others are", async () => {
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

test("and is not proved: its balance is none of the rows'", async () => {
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

test("no month of it is closed", async () => {
  const { onDay, folder } = await desk();
  for (const flag of ["", " --check"]) {
    const { exit, stderr } = await onDay("2026-11-02", `close --month 2026-10 --to ${folder}/october${flag}`);
    expect(exit).toBe(5);
    expect(stderr).toContain(`The service names KES as the currency of ${wallet}`);
  }
  expect(readdirSync(folder)).not.toContain("october");
});

test("where the ledger was wrong all the time, it is read again in the other currency", async () => {
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
