import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const [shillings, kenyan] = ["9000112233", "9000445566"];

function book(text: string): string {
  const path = join(temporaryFolder(), "book.csv");
  writeFileSync(path, text);
  return path;
}

const header = "reference,amount,currency,date\n";

test("a book with rows in another currency is refused by line", async ({ partner }) => {
  const path = book(`${header}SAL-1,-250.00,TZS,2026-03-05\nSAL-2,-250.00,USD,2026-03-06\nSAL-3,-1.00,,2026-03-07\n`);
  const { exit, stdout, stderr } =
    await partner`reconcile --account ${shillings} --month 2026-03 --book ${path} --json`;
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain(`has rows in another currency than account ${shillings}, which is in TZS.`);
  expect(stderr).toContain('"line 3, currency":"\\"USD\\""');
});

test("a book in the account's own currency is compared, whether it says TZS, tzs or TSh", async ({ partner }) => {
  const rows = "SAL-1,-250.00,tzs,2026-03-05\nSAL-2,-1.00, TZS ,2026-03-06\nSAL-3,-1.00,TSh,2026-03-07\n";
  const own = await partner`reconcile --account ${shillings} --month 2026-03 --book ${book(header + rows)} --json`;
  expect(own).toMatchObject({ exit: 9, stdout: expect.stringContaining('"SAL-3"') });
  const ksh = book("Reference,Amount,Date,CCY\nSAL-1,-250.00,2026-03-05,KSh\n");
  const names = "--book-reference Reference --book-amount Amount --book-date Date";
  expect((await partner`reconcile --account ${kenyan} --month 2026-03 --book ${ksh} ${names}`).exit).toBe(9);
  const other = await partner`reconcile --account ${shillings} --month 2026-03 --book ${ksh} ${names}`;
  expect(other).toMatchObject({ exit: 2, stderr: expect.stringContaining("line 2, CCY") });
});

test("the book of a merchant account must be in its currency, too", async ({ partner, simulator }) => {
  const [merchant = ""] = simulator.accounts;
  const path = book(`${header}SAL-1,250.00,USD,2026-03-05\n`);
  const { exit, stderr } =
    await partner`reconcile --account ${merchant} --account-kind merchant --month 2026-03 --book ${path}`;
  expect(exit).toBe(2);
  expect(stderr).toContain(`than account ${merchant}, which is in TZS.`);
});

test("an account's balance is read only once when its book names a currency", async ({ partnerIn, simulator }) => {
  const path = book(`${header}SAL-1,-250.00,TZS,2026-03-05\n`);
  const [merchant = ""] = simulator.accounts;
  const onTerminal = partnerIn({ terminal: { stdout: true }, columns: 100 });
  for (const [account, kind] of [
    [shillings, "wallet"],
    [merchant, "merchant"],
  ] as const) {
    const { exit, stderr } =
      await onTerminal`reconcile --account ${account} --account-kind ${kind} --month 2026-03 --book ${path} --debug`;
    expect(exit).toBe(9);
    expect(stderr.match(/^> (?:GET|POST) .*\bbalance/gm)).toHaveLength(1);
  }
});
