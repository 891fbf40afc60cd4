import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// The halves of a transfer, or a payment and its fee, may be booked on two sides of a period's end.

const [payer, collects] = ["9000112233", "0560066551200"];
const fee = (of: string, day: string, amount = -20): Line => ({
  ref: `${of}-PAYIN`,
  day,
  amount,
  narration: `SERVICE FEE FOR REF:${of} TXNID:T`,
});

async function desk(from: readonly Line[], to: readonly Line[] = [], environment: Record<string, string> = {}) {
  const { write, onDay } = await ledgerDesk();
  const partner = (line: string) => onDay("2026-11-28", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  write({ [payer]: { lines: from }, [collects]: { lines: to } });
  await partner("ledger sync --start-date 2026-10-01");
  return async (line: string) => {
    const { stdout } = await partner(`report ${line} --csv --no-header`);
    return stdout.split("\n").slice(0, -1);
  };
}

test("a transfer between own wallets is recognised when it leaves in one month and arrives in the next", async () => {
  const report = await desk(
    [{ ref: "X1", day: "2026-10-31", amount: -900 }],
    [{ ref: "X1", day: "2026-11-01", amount: 900, narration: "savings 0712 345 678" }],
  );
  const flow = (month: string) => report(`flow --month ${month} --columns period,kind,in,out`);
  expect(await flow("2026-10")).toEqual(["2026-10-31,own transfer,0.00,900.00"]);
  expect(await flow("2026-11")).toEqual(["2026-11-01,own transfer,900.00,0.00"]);
  expect(await report("customers --month 2026-11")).toEqual([]);
  expect(await report("open --month 2026-10 --columns reference")).toEqual([]);
});

test("a fee booked in the next month is compared with its own payment", async () => {
  const report = await desk([
    { ref: "A", day: "2026-10-30", amount: 500 },
    fee("A", "2026-10-30", -10),
    { ref: "B", day: "2026-10-31", amount: 1000 },
    fee("B", "2026-11-01"),
    { ref: "C", day: "2026-11-02", amount: 1000 },
    fee("C", "2026-11-02"),
  ]);
  const fees = (period: string) => report(`fees ${period} --columns kind,count,sum,amounts,percent`);
  expect(await fees("--month 2026-10")).toEqual(["collection,1,10.00,500.00,2.00"]);
  expect(await fees("--month 2026-11")).toEqual(["collection,2,40.00,2000.00,2.00"]);
  expect(await report("fees --month 2026-11 --rows --columns day,reference")).toEqual([
    "2026-10-31,B",
    "2026-11-01,B-PAYIN",
    "2026-11-02,C",
    "2026-11-02,C-PAYIN",
  ]);
  expect(await report("flow --month 2026-10 --columns period,kind,in")).toContain("2026-10-31,collection,1000.00");
});

test("day by day, an amount is counted on the day of its fee", async () => {
  const report = await desk([{ ref: "B", day: "2026-10-30", amount: 1000 }, fee("B", "2026-10-31")]);
  expect(await report("fees --month 2026-10 --by day --columns period,sum,amounts,percent")).toEqual([
    "2026-10-31,20.00,1000.00,2.00",
  ]);
});

test("payments with the same reference each count with their own fee", async () => {
  const report = await desk([
    { ref: "A", day: "2026-10-30", amount: 500 },
    fee("A", "2026-10-30", -10),
    { ref: "A", day: "2026-10-31", amount: 700 },
    fee("A", "2026-11-01", -14),
    { ref: "A", day: "2026-11-02", amount: 900 },
    fee("A", "2026-11-02", -18),
  ]);
  const fees = (month: string) => report(`fees --month ${month} --columns count,sum,amounts,percent`);
  expect(await fees("2026-10")).toEqual(["1,10.00,500.00,2.00"]);
  expect(await fees("2026-11")).toEqual(["2,32.00,1600.00,2.00"]);
});

test("a fee refunded later does not reduce the amounts", async () => {
  const report = await desk([
    { ref: "A", day: "2026-10-30", amount: 500 },
    fee("A", "2026-10-30", -10),
    fee("A", "2026-11-05", 10),
  ]);
  expect(await report("fees --month 2026-10 --columns count,sum,amounts")).toEqual(["1,10.00,500.00"]);
  expect(await report("fees --month 2026-11 --columns count,sum,amounts,percent")).toEqual(["1,-10.00,500.00,-2.00"]);
});

/** Figures of fees booked long after their payments. */
async function lateFees(environment: Record<string, string> = {}) {
  const lines = [
    { ref: "B", day: "2026-10-05", amount: 1000 },
    { ref: "RENT", day: "2026-10-06", amount: 500 },
    { ref: "RENT", day: "2026-10-20", amount: 700 },
    { ref: "C", day: "2026-11-09", amount: 300 },
    fee("C", "2026-11-09", -6),
    fee("B", "2026-11-10"),
    fee("RENT", "2026-11-15", -14),
  ];
  const report = await desk(lines, [], environment);
  const fees = (period: string) => report(`fees ${period} --columns count,sum,amounts,percent`);
  return {
    november: await fees("--month 2026-11"),
    day: await fees("--date 2026-11-10"),
    october: await fees("--month 2026-10"),
    rows: await report("fees --month 2026-11 --rows --columns day,reference"),
  };
}
const withTheirPayments = {
  november: ["3,40.00,2000.00,2.00"],
  day: ["1,20.00,1000.00,2.00"],
  october: [],
  rows: [
    "2026-10-05,B",
    "2026-10-20,RENT",
    "2026-11-09,C",
    "2026-11-09,C-PAYIN",
    "2026-11-10,B-PAYIN",
    "2026-11-15,RENT-PAYIN",
  ],
};

test("a fee booked weeks after its payment is compared with that payment", async () => {
  expect(await lateFees()).toEqual(withTheirPayments);
});

/** Figures of many such fees, and of a payment without a fee. */
async function manyLateFees(environment: Record<string, string> = {}) {
  const refs = Array.from({ length: 120 }, (_, index) => `INV${index}X`);
  const lines = [
    { ref: "Z", day: "2026-10-05", amount: 77 },
    ...refs.map((ref) => ({ ref, day: "2026-10-06", amount: 100 })),
    ...refs.map((ref) => fee(ref, "2026-11-20", -2)),
  ];
  const report = await desk(lines, [], environment);
  return report("fees --month 2026-11 --columns count,sum,amounts,percent");
}
const allWithTheirPayments = ["120,240.00,12000.00,2.00"];

test("each of 120 late fees finds its payment", async () => {
  expect(await manyLateFees()).toEqual(allWithTheirPayments);
});

withPostgres("a shared ledger", (server) => {
  test("each of 120 late fees finds its payment", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await manyLateFees(environment)).toEqual(allWithTheirPayments);
  });
  test("a fee booked weeks after its payment is compared with that payment", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await lateFees(environment)).toEqual(withTheirPayments);
  });
});

test("each of two late fees with the same reference finds its own payment", async () => {
  const report = await desk([
    { ref: "A", day: "2026-10-05", amount: 1000 },
    { ref: "A", day: "2026-10-12", amount: 500 },
    fee("A", "2026-10-25"),
    fee("A", "2026-11-15", -10),
  ]);
  const fees = (month: string) => report(`fees --month ${month} --columns count,sum,amounts,percent`);
  expect(await fees("2026-10")).toEqual(["1,20.00,1000.00,2.00"]);
  expect(await fees("2026-11")).toEqual(["1,10.00,500.00,2.00"]);
});

test("reversals do not count as amounts that a fee was taken for", async () => {
  const payout: Line = { ref: "P-PAYOUT", day: "2026-10-07", amount: -5, narration: "SERVICE FEE FOR REF:P TXNID:T" };
  const report = await desk([
    { ref: "A", day: "2026-10-05", amount: 500 },
    fee("A", "2026-10-05", -10),
    { ref: "A", day: "2026-10-06", amount: -500 },
    { ref: "B", day: "2026-10-06", amount: 800 },
    fee("B", "2026-10-06", -16),
    { ref: "B", day: "2026-10-08", amount: -800 },
    fee("B", "2026-10-08", 16),
    { ref: "P", day: "2026-10-07", amount: -250 },
    payout,
    { ref: "P", day: "2026-10-09", amount: 250 },
  ]);
  const fees = (more: string) => report(`fees --month 2026-10 ${more}`);
  expect(await fees("--columns kind,count,sum,amounts,percent")).toEqual([
    "collection,3,10.00,1300.00,0.77",
    "payout,1,5.00,250.00,2.00",
  ]);
  expect(await fees("--rows --columns reference,amount")).toEqual([
    "A,500.00",
    "A-PAYIN,-10.00",
    "B,800.00",
    "B-PAYIN,-16.00",
    "B-PAYIN,16.00",
    "P,-250.00",
    "P-PAYOUT,-5.00",
  ]);
});
