import { describe, expect, test } from "vitest";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow } from "../statements-served.ts";
import { serveStatements } from "../statements-served.ts";

// A reference belongs to an order by account and kind: orders of two kinds may share one, and each has its own rows.

const [payer, receiver, collections] = ["9000112233", "9000112244", "0560066551200"];
const collect =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5000 --narration Asha --reference INV-9 --callback-url https://h.example/x";
const withdraw = `withdraw --account ${payer} --amount 700 --narration rent --reference INV-9`;
const transfer = `transfer --from ${payer} --to ${receiver} --amount 5 --description rent --reference INV-9`;
const paidIn = row("INV-9", 5000, "Asha");
const paidInFee = row("INV-9-PAYIN", -100, "fee");
const withdrawn = row("INV-9", -700, "rent");

function row(tranRefNo: string, change: number, narration: string): Exclude<WrittenRow, string> {
  const at = "2026-03-31 10:00:00";
  const amounts = { amountCredited: Math.max(change, 0), amountDebited: Math.max(-change, 0) };
  return { tranRefNo, valueDate: at, txnDate: at, narration, debitOrCredit: change < 0 ? "DR" : "CR", ...amounts };
}

/** Reports after these orders, with these rows in the statements. */
async function booksAfter(
  orders: readonly string[],
  statements: Readonly<Record<string, readonly ReturnType<typeof row>[]>>,
) {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  for (const line of orders) expect((await till.run(`${line} --yes --again --check-statement never`)).exit).toBe(0);
  for (const [account, rows] of Object.entries(statements)) {
    let balance = 10_000;
    service.write(
      account,
      rows.map((each) => {
        balance += Number(each.amountCredited) - Number(each.amountDebited);
        return { ...each, balance };
      }),
    );
  }
  await till.run("ledger sync --start-date 2026-03-30");
  return async (line: string) => {
    const { stdout } = await till.run(`report ${line} --date 2026-03-31 --csv --no-header`);
    return stdout.split("\n").slice(0, -1).toSorted();
  };
}

describe("a collection and a withdrawal under one reference", () => {
  test.each([
    ["the withdrawal came later", [collect, withdraw]],
    ["the collection came later", [withdraw, collect]],
  ])("each keep their own kind, customer and fee: %s", async (_, orders) => {
    const report = await booksAfter(orders, { [collections]: [paidIn, paidInFee], [payer]: [withdrawn] });
    expect(await report("flow --columns kind,in,out")).toEqual([
      "collection,5000.00,0.00",
      "fee,0.00,100.00",
      "withdrawal,0.00,700.00",
    ]);
    expect(await report("customers --columns sum,count")).toEqual(["5000.00,1"]);
    expect(await report("fees --columns account,kind,sum,amounts")).toEqual([
      `${collections},collection,100.00,5000.00`,
    ]);
  });
});

test("a transfer keeps both rows where a customer pays the same amount under its reference", async () => {
  const [out, into] = [row("X1", -5, "rent [INV-9]"), row("X1", 5, "rent [INV-9]")];
  const alike = collect.replace("5000", "5");
  for (const orders of [
    [alike, transfer],
    [transfer, alike],
  ]) {
    const report = await booksAfter(orders, {
      [payer]: [out],
      [receiver]: [into],
      [collections]: [row("INV-9", 5, "Asha")],
    });
    expect(await report("flow --columns kind,count,in,out")).toEqual([
      "collection,1,5.00,0.00",
      "own transfer,2,5.00,5.00",
    ]);
  }
});

test("a payout's fee does not turn a customer's payment in another wallet into a payout", async () => {
  const paidOut = [row("P-1", -500, "Juma"), row("P-1-PAYOUT", -5, "fee")];
  const came = [row("P-1", 900, "Asha"), row("P-1-PAYIN", -9, "fee")];
  const report = await booksAfter([], { [payer]: paidOut, [collections]: came });
  expect(await report("flow --columns kind,in,out")).toEqual([
    "collection,900.00,0.00",
    "fee,0.00,14.00",
    "payout,0.00,500.00",
  ]);
  expect(await report("fees --columns account,kind,sum,amounts")).toEqual([
    `${collections},collection,9.00,900.00`,
    `${payer},payout,5.00,500.00`,
  ]);
});

test("a withdrawal without a row is open although a collection's rows have its reference", async () => {
  const report = await booksAfter([withdraw, collect], { [collections]: [paidIn, paidInFee], [payer]: [] });
  expect(await report("open --columns state,kind,note")).toContain("in transit,withdrawal,the ledger has no row of it");
});

test("a withdrawal without a row is open although a fee has its reference", async () => {
  const report = await booksAfter([withdraw], { [payer]: [row("INV-9-PAYOUT", -7, "fee")] });
  expect(await report("open --columns state,kind,note")).toEqual(["in transit,withdrawal,the ledger has no row of it"]);
});

test("a withdrawal and a transfer of the same amount from one wallet each have their own row", async () => {
  const alike = withdraw.replace("700", "5");
  const [out, into] = [row("g7H8i9J0k1L2", -5, "rent [INV-9]"), row("g7H8i9J0k1L2", 5, "rent [INV-9]")];
  for (const orders of [
    [alike, transfer],
    [transfer, alike],
  ]) {
    const report = await booksAfter(orders, { [payer]: [row("INV-9", -5, "rent"), out], [receiver]: [into] });
    expect(await report("open --columns kind,reference,note")).toEqual([]);
    expect(await report("flow --columns kind,count")).toEqual(["own transfer,2", "withdrawal,1"]);
  }
});
