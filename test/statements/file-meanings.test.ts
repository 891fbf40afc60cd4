import { CashManagementEndOfDayReport } from "iso20022.js";
import { expect, test } from "vitest";
import { hostileRows } from "./hostile-rows.ts";
import { lacks, readWith } from "./readers.ts";
import type { Told } from "./told.ts";
import { accounts, balanceBody, bothKinds, exported, statementBody } from "./told.ts";

/** The FITIDs of a file, in order. */
function idsIn(ofx: string): string[] {
  return Array.from(ofx.matchAll(/<FITID>(.+)/g), ([, id = ""]) => id);
}

test("a row keeps its FITID in every period it is exported in, and FITIDs are unique", async () => {
  const whole = idsIn((await exported("ofx", "wallet", statementBody("wallet", hostileRows))).stdout);
  expect(new Set(whole).size).toBe(hostileRows.length);
  const answers = JSON.parse(statementBody("wallet", hostileRows));
  const half = answers.length / 2;
  const parts = [answers.slice(0, half), answers.slice(half)].map((rows) => JSON.stringify(rows));
  const files = await Promise.all(parts.map((body) => exported("ofx", "wallet", body)));
  expect(files.flatMap(({ stdout }) => idsIn(stdout))).toEqual(whole);
});

test("rows that differ in day, amount or balance get different FITIDs; identical rows are numbered", async () => {
  const at = "2026-02-10 08:00:00";
  const rows: readonly Told[] = [
    { ref: "A", at, amount: "5", balance: "1005.00" },
    { ref: "A", at: "2026-02-11 08:00:00", amount: "5", balance: "1005.00" },
    { ref: "A", at, amount: "-5", balance: "1005.00" },
    { ref: "A", at, amount: "5", balance: "1010.00" },
    { ref: "A", at, amount: "5.00", balance: "1005.0" },
  ];
  const ids = idsIn((await exported("ofx", "wallet", statementBody("wallet", rows))).stdout);
  expect(new Set(ids.slice(0, 4)).size).toBe(4);
  expect(ids[4]).toBe(`${ids[0]}#2`);
});

/** A row of a merchant account with every field that the specification knows. */
const full = `{"transactionId":"9f","reference":"R-1","paymentReference":"INV-7","creditOrDebit":"C","transactionDate":"2026-02-10 08:00:00","valueDate":"2026-02-10 08:00:00","narration":"Order 7","description":"d","currency":"TZS","amountCredit":5.00,"amountDebit":0,"availableBalance":5.00,"currentBalance":5.00,"senderAccountNo":"0152","senderAccountName":"Zoe & Sons","senderBankIdentifier":"NMIBTZTZ"}`;
const merchantBody = `{"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-01T08:00:00+03:00","result":{"accountNo":"${accounts.merchant}","statement":[${full}]}}`;

test.each([
  [
    "ofx",
    ["<NAME>Zoe &amp; Sons\n", "<REFNUM>R-1\n", "<MEMO>Order 7 | R-1 | INV-7 | Zoe &amp; Sons | 0152 | NMIBTZTZ\n"],
  ],
  [
    "camt053",
    [
      "<RltdPties><Dbtr><Pty><Nm>Zoe &amp; Sons</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>0152</Id></Othr></Id></DbtrAcct></RltdPties>",
      "<DbtrAgt><FinInstnId><Othr><Id>NMIBTZTZ</Id></Othr></FinInstnId></DbtrAgt>",
      "<Strd><CdtrRefInf><Ref>INV-7</Ref></CdtrRefInf></Strd>",
      "<AcctSvcrRef>R-1</AcctSvcrRef>",
    ],
  ],
  [
    "hledger",
    [
      "; paymentReference: INV-7\n",
      "; senderAccountName: Zoe & Sons\n",
      "; senderAccountNo: 0152\n",
      "; bank: NMIBTZTZ\n",
    ],
  ],
  ["beancount", ['  paymentReference: "INV-7"\n', '  senderAccountNo: "0152"\n', '  bank: "NMIBTZTZ"\n']],
  ["xero", ["10/02/2026,5.00,Zoe & Sons,Order 7 0152 NMIBTZTZ,R-1 INV-7,\n"]],
  ["quickbooks", ["10/02/2026,Order 7 R-1 INV-7 Zoe & Sons 0152,5.00\n"]],
  ["html", ["INV-7", "Zoe &amp; Sons", "0152", "NMIBTZTZ"]],
])("a file of %s keeps the payer, the payer's bank and the reason", async (format, words) => {
  const { stdout, exit } = await exported(format, "merchant", merchantBody);
  expect(exit).toBe(0);
  expect(words.filter((word) => !stdout.includes(word))).toEqual([]);
});

test.each(bothKinds)("iso20022.js reads balances, totals and every row of a %s statement", async (kind) => {
  const body =
    kind === "merchant" ? merchantBody : statementBody("wallet", [{ ref: "R-1", amount: "5.00" }, { amount: "-2" }]);
  const { stdout } = await exported("camt053", kind, body);
  const [statement] = CashManagementEndOfDayReport.fromXML(stdout).statements;
  const debits = kind === "merchant" ? 0 : 1;
  expect(statement).toMatchObject({ numOfEntries: 1 + debits, numOfCredits: 1, sumOfCredits: 5, numOfDebits: debits });
  expect(statement?.agent).toEqual({ routingNumber: "PARTNER" });
  expect(statement?.entries[0]).toMatchObject({ amount: 500, accountServicerReferenceId: "R-1", currency: "TZS" });
  expect(statement?.balances.map(({ type }) => type)).toEqual(["OPBD", "CLBD"]);
});

test("iso20022.js reads an empty month with its totals", async () => {
  const { stdout } = await exported("camt053", "wallet", "[]");
  const [statement] = CashManagementEndOfDayReport.fromXML(stdout).statements;
  expect(statement).toMatchObject({ numOfEntries: 0, numOfCredits: 0, numOfDebits: 0, sumOfDebits: 0 });
  expect(statement?.balances.map(({ amount }) => amount)).toEqual([100_000, 100_000]);
});

const broken = statementBody("wallet", [
  { ref: "A", amount: "5" },
  { ref: "B", amount: "5", balance: "7.00" },
]);
const fine = statementBody("wallet", [{ ref: "A", amount: "5" }]);

test.each([
  [
    "camt053",
    "<AddtlStmtInf>This statement does not add up: row 2",
    "<AddtlStmtInf>This statement adds up.</AddtlStmtInf>",
  ],
  [
    "html",
    '<p class="verdict wrong">This statement does not add up: row 2',
    '<p class="verdict">This statement adds up.</p>',
  ],
  ["hledger", "\n; does not add up: row 2", "\n; adds up\n"],
  ["beancount", "\n; does not add up: row 2", "\n; adds up\n"],
])("a file of %s says whether it adds up", async (format, wrong, right) => {
  expect((await exported(format, "wallet", broken)).stdout).toContain(wrong);
  expect((await exported(format, "wallet", fine)).stdout).toContain(right);
});

test.each([
  ["ofx", "<BALAMT>700.00\n"],
  ["hledger", "  assets:partner:9000112233  = 700.00 TZS\n"],
  ["beancount", "  Assets:Partner:A-9000112233  700.00 TZS\n"],
  ["html", "<dt>Closing balance</dt><dd>700.00</dd>"],
])("an empty month in %s takes the wallet's balance from the first row after it", async (format, words) => {
  const later = statementBody("wallet", [{ at: "2026-03-02 08:00:00", amount: "300" }], "700.00");
  const { stdout, exit } = await exported(format, "wallet", "[]", { answers: [balanceBody("wallet"), later] });
  expect(exit).toBe(0);
  expect(stdout).toContain(words);
});

test.each([
  ["ofx", "<TRNTYPE>SRVCHG"],
  ["camt053", "<SubFmlyCd>CHRG</SubFmlyCd>"],
  ["hledger", "  expenses:fees\n"],
  ["beancount", "  Expenses:Fees:A-9000112233  4.00 TZS\n"],
  ["html", '<tr class="fee">'],
])("a fee recognised only by its narration is a fee in %s", async (format, words) => {
  const rows: readonly Told[] = [{ ref: "FT9", narration: "SERVICE FEE FOR REF:COL-1 TXNID:9", amount: "-4.00" }];
  expect((await exported(format, "wallet", statementBody("wallet", rows))).stdout).toContain(words);
});

test("hledger, ledger and beancount read shillings without cents", async ({ skip }) => {
  const missing = lacks("hledger", "--version") ?? lacks("ledger", "--version") ?? lacks("bean-check", "--help");
  if (missing !== undefined) skip(missing);
  const body = statementBody("wallet", [{ amount: "1500" }, { amount: "-20" }], "1000").replaceAll(".00", "");
  const answers = [balanceBody("wallet", "UGX"), "[]"];
  const journal = await exported("hledger", "wallet", body, { answers });
  expect(journal.stdout).toContain("\ncommodity 1000. UGX\n");
  const wallet = "assets:partner:9000112233";
  for (const program of ["hledger", "ledger"]) {
    const heard = readWith([program, "-f", "FILE", "bal", wallet], journal.stdout, "journal");
    expect(heard).toMatchObject({ exit: 0, said: expect.stringContaining("2480 UGX") });
  }
  const { stdout } = await exported("beancount", "wallet", body, { answers });
  expect(readWith(["bean-check", "FILE"], stdout, "beancount")).toEqual({ exit: 0, said: "" });
});

test("Xero and QuickBooks files keep texts without a leading apostrophe", async () => {
  const body = statementBody("wallet", [{ ref: "-R", narration: "=Order", amount: "-4.00" }]);
  expect((await exported("xero", "wallet", body)).stdout).toContain("10/02/2026,-4.00,,=Order,-R,\n");
  expect((await exported("quickbooks", "wallet", body)).stdout).toContain("10/02/2026,=Order -R,-4.00\n");
});
