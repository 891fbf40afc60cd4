import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

// The figures under a table are the sum of its visible rows.

const wallet = "9000112233";
const other = "9000112244";

async function desk() {
  const made = await ledgerDesk();
  made.write({
    [wallet]: {
      lines: [
        { ref: "A", day: "2026-10-01", amount: 1000 },
        { ref: "B", day: "2026-10-12", amount: -100 },
        { ref: "C", day: "2026-10-20", amount: 50 },
      ],
    },
    [other]: { lines: [{ ref: "D", day: "2026-10-05", amount: 300 }] },
  });
  await made.onDay("2026-11-03", "ledger sync --start-date 2026-10-01");
  return (line: string) => made.onDay("2026-11-03", `report ${line}`);
}

const totals = (stdout: string) => stdout.split("\n").filter((line) => /total/.test(line));

test("--where limits the total to the chosen accounts", async () => {
  const report = await desk();
  const { exit, stdout } = await report(`cash --month 2026-10 --where account=${other}`);
  expect(exit).toBe(0);
  expect(totals(stdout)).toEqual(["total TZS: opening 0.00, in 300.00, out 0.00, fees 0.00, closing 300.00"]);
  expect(totals((await report("cash --month 2026-10 --where account=x")).stdout)).toEqual([]);
});

test("a selection of weeks has no opening and closing balance in its total", async () => {
  const report = await desk();
  const chosen = "--where 'in>0'";
  const { stdout } = await report(`cash --month 2026-10 --by week --account ${wallet} ${chosen}`);
  expect(totals(stdout)).toEqual(["total TZS: in 1,050.00, out 0.00, fees 0.00"]);
  const all = await report(`cash --month 2026-10 --by week --account ${wallet}`);
  expect(totals(all.stdout)).toEqual(["total TZS: opening 0.00, in 1,050.00, out 100.00, fees 0.00, closing 950.00"]);
});

test("bars are drawn only for the visible rows", async () => {
  const report = await desk();
  const { stdout } = await report(`cash --month 2026-10 --chart --where account=${other}`);
  expect(stdout).toContain(other);
  expect(stdout).not.toContain(wallet);
});
