import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import type { Partner } from "../simulated.ts";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { test as base } from "../simulated.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

const test = base.extend({ extensions: true });
const payer = "9000112233";
const payee = "9000112244";
const collections = "0560066551200";
const merchant = "0150387654321";

/** Class, reference, amounts and note of each row, without ids. */
function rowsIn({ stdout }: Pick<Run, "stdout">): unknown[][] {
  const rows: Record<string, unknown>[] = JSON.parse(stdout).rows;
  return rows.map((row) => [
    row["class"],
    row["reference"],
    row["statementAmount"],
    row["bookAmount"],
    String(row["note"])
      .replaceAll(/statement [A-Za-z0-9]{12}/g, "statement ID")
      .replaceAll(/[0-9a-f-]{36}/g, "ID"),
  ]);
}

function reconcile(partner: Partner, account: string, more = ""): Promise<Run> {
  return partner`reconcile --account ${account} --today --window 0d --json ${more}`;
}

test("orders in the journal are matched with the statement of each wallet involved", async ({
  partnerIn,
  simulator,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`transfer --from ${payer} --to ${payee} --amount 1500 --description rent --reference T-1 --yes`;
  await partner`withdraw --account ${payer} --amount 2500.50 --narration out --reference W-1 --yes`;
  const callback = "--callback-url https://hooks.example/cb";
  await partner`collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 700 --narration c --reference C-1 ${callback} --yes`;
  await simulator.idle();

  const paid = await reconcile(partner, payer);
  expect(paid.exit).toBe(0);
  expect(rowsIn(paid)).toEqual([
    ["matched", "T-1", -1500, -1500, "in the statement ID"],
    ["matched", "W-1", -2500.5, -2500.5, ""],
  ]);
  const received = await reconcile(partner, payee);
  expect(received.exit).toBe(0);
  expect(rowsIn(received)).toEqual([["matched", "T-1", 1500, 1500, "in the statement ID"]]);

  const collected = await reconcile(partner, collections);
  expect(collected.exit).toBe(9);
  expect(collected.stderr).toContain("do not agree: 1 only in statement, 2 fees not in book.");
  expect(rowsIn(collected)).toEqual([
    ["only in statement", "INV-20260331-02", 186000, null, "fee 3720.00"],
    ["fee not in book", "INV-20260331-02-PAYIN", -3720, null, "fee of INV-20260331-02"],
    ["fee not in book", "C-1-PAYIN", -14, null, "fee of C-1"],
    ["matched", "C-1", 700, 700, "fee 14.00; the journal has this collection as pending (partner journal resolve ID)"],
  ]);
});

test("an unknown order is matched with its row in the statement, and its state is noted", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.loseNextAnswer();
  const lost =
    await partner`transfer --from ${payer} --to ${payee} --amount 99 --description lost --reference T-2 --yes`;
  expect(lost.exit).toBe(6);
  expect(rowsIn(await reconcile(partner, payer))).toEqual([
    [
      "matched",
      "T-2",
      -99,
      -99,
      "in the statement ID; the journal has this transfer as unknown (partner journal resolve ID)",
    ],
  ]);

  await partner`journal resolve T-2 --as refused --evidence "they said so" --against-statement`;
  const wrong = await reconcile(partner, payer);
  expect(wrong.exit).toBe(9);
  expect(rowsIn(wrong)).toEqual([
    [
      "only in statement",
      expect.stringMatching(/^\w{12}$/),
      -99,
      null,
      "the journal has this transfer as refused, and should not be in the statement",
    ],
  ]);
});

test("an order missing from the statement is only in the book, with its age", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.plan("fail-request=money:1");
  const lost =
    await partner`transfer --from ${payer} --to ${payee} --amount 99 --description lost --reference T-3 --yes`;
  expect(lost.exit).toBe(6);
  expect(rowsIn(await reconcile(partner, payer))).toEqual([
    [
      "only in book",
      "T-3",
      null,
      -99,
      "0 days old on 2026-03-31; the journal has this transfer as unknown (partner journal resolve ID)",
    ],
  ]);
});

test.for(["same", "named", "REV-{reference}", "negative"])(
  "a reversed order (%s) is matched with both of its rows in each wallet",
  async (how, { partnerIn, faults, simulator }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    faults.plan(`reverse-row=${how}`);
    await partner`transfer --from ${payer} --to ${payee} --amount 99 --description back --reference T-4 --yes`;
    await simulator.idle();
    expect(await partner`journal resolve T-4 --csv --columns state`).toMatchObject({ stdout: "state\nreversed\n" });
    for (const [account, amount] of [
      [payer, -99],
      [payee, 99],
    ] as const) {
      const { exit, stdout } = await reconcile(partner, account);
      const rows: Record<string, unknown>[] = JSON.parse(stdout).rows;
      expect(exit).toBe(0);
      expect(rows.map((row) => [row["class"], row["statementAmount"], row["bookAmount"]])).toEqual([
        ["matched", amount, amount],
        ["matched", -amount, -amount],
      ]);
      for (const { note } of rows) expect(note).toContain("the journal has this transfer as reversed");
    }
  },
);

test("a reversed order with only one of its two rows is a difference", async () => {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  const order = `withdraw --account ${payer} --amount 99 --narration out --reference W-4 --yes`;
  expect(await till.run(order)).toMatchObject({ exit: 0 });
  const paid = debit("99", { tranRefNo: "W-4", balance: 1 });
  const back = credit("99", { tranRefNo: "FT9", narration: "Reversal of W-4", balance: 100 });
  service.write(payer, [paid, back]);
  expect(await till.run("journal resolve W-4 --csv --columns state")).toMatchObject({ stdout: "state\nreversed\n" });
  const compared = async (...rows: readonly string[]) => {
    service.write(payer, rows);
    const { exit, stdout } = await till.run(`reconcile --account ${payer} --date 2026-03-31 --json`);
    const found: Record<string, unknown>[] = JSON.parse(stdout).rows;
    return [exit, ...found.map((row) => [row["class"], row["statementAmount"], row["bookAmount"]].join(" "))];
  };
  expect(await compared(paid, back)).toEqual([0, "matched -99 -99", "matched 99 99"]);
  expect(await compared(paid)).toEqual([9, "only in book  99", "matched -99 -99"]);
  expect(await compared(back)).toEqual([9, "only in book  -99", "matched 99 99"]);
  expect(await compared()).toEqual([9, "only in book  -99", "only in book  99"]);
});

test.for([
  [payer, "the receiver's currency", 250_000],
  ["9000445566", "the sender's currency", 100],
] as const)("a remittance is matched in wallet %s of %s with the amount debited", async ([account, , amount]) => {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  const remit = kinds.find(({ kind }) => kind === "remit")?.line("REM-1") ?? "";
  expect(await till.run(`${remit} --sender-currency KES`)).toMatchObject({ exit: 0 });
  service.write(account, [debit(amount, { tranRefNo: "REM-1" })]);
  const { exit, stdout } = await till.run(`reconcile --account ${account} --date 2026-03-31 --json`);
  expect({ exit, rows: rowsIn({ stdout }).map((row) => row.slice(0, 4)) }).toEqual({
    exit: 0,
    rows: [["matched", "REM-1", -amount, -amount]],
  });
});

test("a refused order is not an entry of the book", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const refused =
    await partner`withdraw --account ${payer} --amount 999999999999 --narration out --reference W-2 --yes`;
  expect(refused.exit).toBe(4);
  const { exit, stdout } = await reconcile(partner, payer);
  expect({ exit, rows: JSON.parse(stdout).rows }).toEqual({ exit: 0, rows: [] });
});

test("a merchant account's statement is read with its own credentials and fields", async ({ partner }) => {
  const { exit, stdout, stderr } = await reconcile(partner, merchant, "--account-kind merchant");
  expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining("only in statement") });
  expect(JSON.parse(stdout)).toMatchObject({ addsUp: true });
});

test("a payout is joined to its fee although its own row has another reference", async ({ partnerIn, simulator }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const pay = (reference: string) =>
    partner`payout --from ${payer} --to 255712000111 --name "ASHA JUMA" --amount 25000 --narration Salary --reference ${reference} --yes --again`;
  await pay("SAL-1");
  await pay("SAL-2");
  await simulator.idle();
  const rows = rowsIn(await reconcile(partner, payer));
  const told = (reference: string) => rows.filter((row) => JSON.stringify(row).includes(reference));
  for (const reference of ["SAL-1", "SAL-2"])
    expect(told(reference)).toEqual([
      ["fee not in book", `${reference}-PAYOUT`, -250, null, `fee of ${reference}`],
      ["matched", reference, -25000, -25000, expect.stringContaining("fee 250.00")],
    ]);
  // The ledger's report does not need the journal for it.
  const other = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await other`ledger sync ${payer} --start-date 2026-03-31`;
  const fees = JSON.parse(
    (await other`report fees --start-date 2026-03-31 --end-date 2026-03-31 --account ${payer} --json`).stdout,
  );
  expect(fees).toMatchObject([{ kind: "payout", count: 2, sum: 500, percent: 1 }]);
});
