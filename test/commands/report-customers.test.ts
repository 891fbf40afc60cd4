import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { recorder } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { run, words } from "../partner.ts";
import { test } from "../simulated.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";
import { environmentAt, ok } from "./served.ts";

test("a payer without name or number is shown as (not known) to people and empty in CSV", async ({ partnerIn }) => {
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

test("--where finds such payers by their empty name, not by the shown words", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync --start-date 2026-03-01`;
  const line = "report customers --month 2026-03 --account 0560066551200 --where";
  expect((await partner`${line} 'name=""'`).stdout).toMatch(/^\(not known\) +\d+ +[\d,.]+ +TZS$/m);
  expect(JSON.parse((await partner`${line} 'name=""' --json`).stdout)).toMatchObject([{ name: "", number: "" }]);
  expect((await partner`${line} name~known`).stdout).toBe("");
});

function paidBy(name: string, day: string, amount: number): Line {
  return { ref: `${name}-${day}`, day, amount, more: { senderAccountName: name, senderAccountNo: "" } };
}

test("with --by month the largest payer of each month comes first", async () => {
  const { write, onDay } = await ledgerDesk();
  const lines = [
    paidBy("Zuri", "2026-09-02", 10),
    paidBy("Amina", "2026-09-03", 20),
    paidBy("Zuri", "2026-10-02", 40),
    paidBy("Amina", "2026-10-03", 30),
  ];
  write({ "9000112233": { lines } });
  await onDay("2026-11-03", "ledger sync --start-date 2026-09-01");
  const line = "report customers --start-date 2026-09-01 --end-date 2026-10-31 --by month --csv --columns name,sum";
  expect((await onDay("2026-11-03", line)).stdout).toBe("name,sum\nAmina,20.00\nZuri,10.00\nZuri,40.00\nAmina,30.00\n");
});

test("an incoming payment belongs to a customer if its row has a name or number", async () => {
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
])("a payer's phone number is found among other numbers: %s", async (narration) => {
  const { write, onDay } = await ledgerDesk();
  const other = { ref: "K2", day: "2026-11-02", amount: 70, narration: "invoice 3 7 12 2026 10, 12 345 678 901" };
  write({ "9000112233": { lines: [{ ref: "K1", day: "2026-11-02", amount: 500, narration }, other] } });
  await onDay("2026-11-20", "ledger sync");
  const { stdout } = await onDay("2026-11-20", "report customers --month 2026-11 --csv --columns number,sum");
  expect(stdout).toBe("number,sum\n255712345678,500.00\n");
  const found = await onDay("2026-11-20", "find 0712-345-678 --offline --json");
  expect(JSON.parse(found.stdout || "[]")).toMatchObject([{ events: [{ reference: "K1" }] }]);
});

const salary = "Salary Asha 255712000222";

test.for([
  ["under its own reference", { ref: "SAL-101", narration: salary }],
  ["as a reversal of its reference", { ref: "REV-SAL-101", narration: salary }],
  ["under another reference, with its own in the words", { ref: "K81", narration: `Returned: SAL-101 ${salary}` }],
] as const)("a payout that came back %s is not a customer's payment, and flow keeps its kind", async ([, back]) => {
  const { write, onDay } = await ledgerDesk();
  const lines = [
    { ref: "IN-1", day: "2026-11-01", amount: 900, narration: "rent 255712000111" },
    { ref: "SAL-101", day: "2026-11-02", amount: -300, narration: salary },
    { ref: "SAL-101-PAYOUT", day: "2026-11-02", amount: -5, narration: "SERVICE FEE FOR REF:SAL-101 TXNID:t1 x" },
    { ...back, day: "2026-11-04", amount: 300 },
  ];
  write({ "9000112233": { lines } });
  const partner = (line: string) => onDay("2026-11-20", `${line} --month 2026-11 --csv`);
  await onDay("2026-11-20", "ledger sync");
  const columns = "--columns number,count,sum";
  expect((await partner(`report customers ${columns}`)).stdout).toBe("number,count,sum\n255712000111,1,900.00\n");
  expect((await partner("report customers --rows --columns reference")).stdout).toBe("reference\nIN-1\n");
  expect((await partner("report flow --by month --columns kind,count,in,out")).stdout).toBe(
    "kind,count,in,out\npayout,2,300.00,300.00\nfee,1,0.00,5.00\nother,1,900.00,0.00\n",
  );
});

test.for(["SAL-101", "REV-SAL-101", "SAL-101/REVERSAL"])(
  "part of a payout that came back under %s is not counted as a customer's payment",
  async (ref) => {
    const { write, onDay } = await ledgerDesk();
    const lines = [
      { ref: "IN-1", day: "2026-11-01", amount: 900, narration: "rent 255712000111" },
      { ref: "SAL-101", day: "2026-11-02", amount: -300, narration: salary },
      { ref: "SAL-101-PAYOUT", day: "2026-11-02", amount: -5, narration: "SERVICE FEE FOR REF:SAL-101 TXNID:t1 x" },
      { ref, day: "2026-11-04", amount: 100, narration: salary },
    ];
    write({ "9000112233": { lines } });
    await onDay("2026-11-20", "ledger sync");
    const { stdout } = await onDay("2026-11-20", "report customers --month 2026-11 --csv --columns number,sum");
    expect(stdout).toBe("number,sum\n255712000111,900.00\n");
    const flow = await onDay("2026-11-20", "report flow --month 2026-11 --by month --csv --columns kind,in,out");
    expect(flow.stdout).toBe("kind,in,out\npayout,100.00,300.00\nfee,0.00,5.00\nother,900.00,0.00\n");
  },
);

test("a payment after a refund with the same reference is counted, and so is one of another amount", async () => {
  const { write, onDay } = await ledgerDesk();
  const narration = "INV-7 255712000111";
  const lines = [
    { ref: "INV-7", day: "2026-11-01", amount: 500, narration },
    { ref: "INV-7", day: "2026-11-02", amount: -500, narration },
    { ref: "INV-7", day: "2026-11-03", amount: 500, narration },
    { ref: "OUT-8", day: "2026-11-04", amount: -50, narration: "flowers" },
    { ref: "IN-9", day: "2026-11-05", amount: 60, narration: "OUT-8 255712000111" },
    { ref: "IN-10", day: "2026-11-06", amount: 50, narration: "OUT-8 came back" },
    { ref: "IN-11", day: "2026-11-07", amount: 50, narration: "OUT-8 255712000111" },
  ];
  write({ "9000112233": { lines } });
  await onDay("2026-11-20", "ledger sync");
  const { stdout } = await onDay("2026-11-20", "report customers --month 2026-11 --csv --columns number,count,sum");
  expect(stdout).toBe("number,count,sum\n255712000111,4,1110.00\n");
});

test("a payout sent and returned twice is not counted as a customer's payment", async () => {
  const { write, onDay } = await ledgerDesk();
  const lines = [-300, 300, -300, 300].map((amount, at) => ({
    ref: "SAL-101",
    day: `2026-11-0${at + 1}`,
    amount,
    narration: salary,
  }));
  write({ "9000112233": { lines } });
  await onDay("2026-11-20", "ledger sync");
  expect((await onDay("2026-11-20", "report customers --month 2026-11 --csv --columns number")).stdout).toBe(
    "number\n",
  );
});

/** A row of a merchant account. */
const rowOf = (reference: string, credit: number, debit: number, balance: number) => ({
  reference,
  creditOrDebit: credit > 0 ? "CREDIT" : "DEBIT",
  valueDate: "2026-11-02T10:00:00+03:00",
  narration: "till",
  currency: "TZS",
  amountCredit: credit,
  amountDebit: debit,
  availableBalance: balance,
  currentBalance: balance,
});

test("money returned to a merchant account is not counted as a customer's payment", async () => {
  const till = "0150387654321";
  const statement = [rowOf("IN-1", 900, 0, 900), rowOf("OUT-1", 0, 400, 500), rowOf("OUT-1-REVERSAL", 400, 0, 900)];
  const facts = { accountNo: till, accountName: "SHOP", currency: "TZS", availableBalance: 900, currentBalance: 900 };
  const result = { ...facts, statement };
  const service = await recorder(ok("[]"), ok(JSON.stringify({ success: true, statusCode: "SUCCESS", result })));
  onTestFinished(() => service.stop());
  const environment = { ...environmentAt(service.origin), PARTNER_STATE_DIR: join(temporaryFolder(), "state") };
  const partner = (line: string) => run(words(line), { now: Date.UTC(2026, 10, 20, 9), environment });
  expect(await partner(`ledger sync ${till} --start-date 2026-11-01`)).toMatchObject({ exit: 0, stderr: "" });
  const { stdout } = await partner("report customers --month 2026-11 --csv --columns count,sum");
  expect(stdout).toBe("count,sum\n1,900.00\n");
});

test("a withdrawal returned under an id from its answer is not counted as a customer's payment", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  const withdrawn = kinds.find(({ kind }) => kind === "withdraw")?.line("R-1") ?? "";
  expect(await till.run(withdrawn)).toMatchObject({ exit: 0 });
  service.write("9000112233", [
    debit("5.50", { tranRefNo: "R-1", narration: "payout" }),
    credit("5.50", { tranRefNo: "a1B2c3D4e5F6-REVERSAL", narration: "returned 0712345678" }),
    credit("5.50", { tranRefNo: "K-9", narration: "rent 0712345679" }),
  ]);
  expect(await till.run("ledger sync")).toMatchObject({ exit: 0 });
  const { stdout } = await till.run("report customers --month 2026-03 --csv --columns number,count");
  expect(stdout).toBe("number,count\n255712345679,1\n");
  const flow = await till.run("report flow --month 2026-03 --by month --csv --columns kind,count,in,out");
  expect(flow.stdout).toBe("kind,count,in,out\nwithdrawal,2,5.50,5.50\nother,1,5.50,0.00\n");
});
