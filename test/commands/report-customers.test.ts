import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { ledgerDesk } from "./ledger-desk.ts";

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

test("money in is a customer's payment where its row has a name or a number, the largest payer first", async () => {
  const { write, onDay } = await ledgerDesk();
  const day = "2026-11-02";
  const zuri = { senderAccountName: "Zuri", senderAccountNo: "" };
  const lines = [
    { ref: "A1", day, amount: 10, narration: "lunch", more: zuri },
    {
      ref: "A2",
      day,
      amount: 20,
      narration: "lunch",
      more: { senderAccountName: "", senderAccountNo: "0150387654321" },
    },
    { ref: "A3", day, amount: 40, narration: "thanks from 0712 345 678" },
    { ref: "A4", day, amount: 80, narration: "lunch" },
    { ref: "A5", day, amount: -5, narration: "lunch", more: zuri },
    { ref: "A6", day, amount: 25, narration: "dinner", more: zuri },
  ];
  write({ "9000112233": { lines } });
  await onDay("2026-11-03", "ledger sync");
  const { stdout } = await onDay(
    "2026-11-03",
    "report customers --month 2026-11 --csv --columns name,number,count,sum",
  );
  expect(stdout).toBe("name,number,count,sum\n,255712345678,1,40.00\nZuri,,2,35.00\n,0150387654321,1,20.00\n");
});

test.for([
  "INV-7 0712345678",
  "rent 12 0712 345 678",
  "INV-7-0712-345-678",
  "2026-11-02 10 255712345678 Asha",
  "0712345678 0755111222 for both",
  "room 3 (712345678)",
])("a payer's phone number is found behind other numbers: %s", async (narration) => {
  const { write, onDay } = await ledgerDesk();
  const other = { ref: "K2", day: "2026-11-02", amount: 70, narration: "invoice 3 7 12 2026 10, 12 345 678 901" };
  write({ "9000112233": { lines: [{ ref: "K1", day: "2026-11-02", amount: 500, narration }, other] } });
  await onDay("2026-11-20", "ledger sync");
  const { stdout } = await onDay("2026-11-20", "report customers --month 2026-11 --csv --columns number,sum");
  expect(stdout).toBe("number,sum\n255712345678,500.00\n");
  const found = await onDay("2026-11-20", "find 0712-345-678 --offline --json");
  expect(JSON.parse(found.stdout || "[]")).toMatchObject([{ events: [{ reference: "K1" }] }]);
});
