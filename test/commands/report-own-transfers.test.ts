import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Money counts as moved between own wallets only if the same amount arrived in another one: anyone can write a
// reference.

const [payer, collects] = ["9000112233", "0560066551200"];
const out = (ref: string, amount: number): Line => ({
  ref,
  day: "2026-11-02",
  amount: -amount,
  narration: "move [M-1]",
});
const into = (ref: string, amount: number): Line => ({ ref, day: "2026-11-02", amount, narration: "paid [M-1]" });
const back = (line: Line): Line => ({ ...line, ref: `${line.ref}R`, amount: -(line.amount ?? 0) });

async function reported(from: readonly Line[], to: readonly Line[]) {
  const { write, onDay } = await ledgerDesk();
  write({ [payer]: { lines: from }, [collects]: { lines: to } });
  await onDay("2026-11-03", "ledger sync");
  const open = await onDay("2026-11-03", "report open --month 2026-11 --csv --columns reference,account,amount");
  const flow = await onDay("2026-11-03", "report flow --month 2026-11 --csv --columns kind,count,in,out");
  return [open.stdout.split("\n").slice(1, -1), flow.stdout.split("\n").slice(1, -1)];
}

test("a transfer between own wallets is not an open item", async () => {
  expect(await reported([out("A1", 900)], [into("B1", 900)])).toEqual([[], ["own transfer,2,900.00,900.00"]]);
});

test("a small payment with the same reference does not hide a large debit", async () => {
  expect(await reported([out("A1", 900)], [into("B1", 1)])).toEqual([[`A1,${payer},-900.00`], ["other,2,1.00,900.00"]]);
});

test("both debits are shown when a transfer left twice and arrived once", async () => {
  expect(await reported([out("A1", 900), out("A2", 900)], [into("B1", 900)])).toEqual([
    [`A1,${payer},-900.00`, `A2,${payer},-900.00`],
    ["own transfer,1,900.00,0.00", "other,2,0.00,1800.00"],
  ]);
});

test("a returned transfer is a transfer between own wallets in both directions", async () => {
  const [gone, come] = [out("A1", 900), into("B1", 900)];
  expect(await reported([gone, back(gone)], [come, back(come)])).toEqual([[], ["own transfer,4,1800.00,1800.00"]]);
});

/** What the report for a month shows of a transfer whose halves were booked on these days. */
async function flowOfHalves(out: string, into: string, month: string) {
  const { write, onDay } = await ledgerDesk();
  const narration = "move [M-1]";
  write({
    [payer]: { lines: [{ ref: "A1", day: out, amount: -900, narration }] },
    [collects]: { lines: [{ ref: "B1", day: into, amount: 900, narration }] },
  });
  await onDay("2026-11-12", "ledger sync --start-date 2026-10-01");
  const flow = await onDay("2026-11-12", `report flow --month ${month} --csv --columns kind,count,in,out`);
  return flow.stdout.split("\n").slice(1, -1);
}

test("the halves of a transfer may be at most seven days apart across a month's end", async () => {
  expect(await flowOfHalves("2026-10-31", "2026-11-07", "2026-10")).toEqual(["own transfer,1,0.00,900.00"]);
  expect(await flowOfHalves("2026-10-31", "2026-11-08", "2026-10")).toEqual(["other,1,0.00,900.00"]);
  expect(await flowOfHalves("2026-10-25", "2026-11-01", "2026-11")).toEqual(["own transfer,1,900.00,0.00"]);
  expect(await flowOfHalves("2026-10-24", "2026-11-01", "2026-11")).toEqual(["other,1,900.00,0.00"]);
});
