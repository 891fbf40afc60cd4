import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A close proves the month as the service shows it now, not as the ledger read it before.

const wallet = "9000112233";
const september: readonly Line[] = [
  { ref: "S1", day: "2026-09-02", amount: 1000 },
  { ref: "S2", day: "2026-09-20", amount: -300 },
];
/** Two rows that were booked late and cancel out: no balance after them shows it. */
const pair: readonly Line[] = [
  { ref: "L1", day: "2026-09-10", amount: 50 },
  { ref: "L2", day: "2026-09-10", amount: -50 },
];
const later: readonly Line[] = [
  { ref: "O1", day: "2026-10-05", amount: 70 },
  { ref: "N1", day: "2026-11-02", amount: -20 },
];
const late = september.toSpliced(1, 0, ...pair);

async function desk() {
  const made = await ledgerDesk();
  const close = (month: string, more = "") =>
    made.onDay("2026-11-20", `close --month ${month} --to ${join(made.folder, month)} --csv ${more}`.trim());
  const books = (lines: readonly Line[]) => made.write({ [wallet]: { lines } });
  return { ...made, books, close };
}

test("a close includes late rows that cancel out, though an earlier sync has read past them", async () => {
  const { folder, books, close, onDay } = await desk();
  books([...september, ...later]);
  await onDay("2026-11-19", "ledger sync --start-date 2026-09-01");
  books([...late, ...later]);
  expect(await close("2026-09")).toMatchObject({
    exit: 0,
    stdout: `account,opening,in,out,fees,closing,currency,rows,state,note\n${wallet},0.00,1050.00,350.00,0.00,700.00,TZS,4,proved,\n`,
  });
  const statement = await onDay("2026-11-20", `wallet statement ${wallet} --month 2026-09 --csv`);
  expect(readFileSync(join(folder, "2026-09", "statements", `${wallet}.csv`), "utf8")).toBe(statement.stdout);
});

test("the close of the next month says that such rows came late in a closed month", async () => {
  const { books, close } = await desk();
  books([...september, ...later]);
  expect((await close("2026-09")).exit).toBe(0);
  books([...late, ...later]);
  const ended = await close("2026-10", "--check");
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain(`The closed month 2026-09 has changed: ${wallet} L1 came late`);
});

test("a month whose rows that cancel out have vanished is closed without them", async () => {
  const { books, close, onDay } = await desk();
  books([...late, ...later]);
  await onDay("2026-11-19", "ledger sync --start-date 2026-09-01");
  books([...september, ...later]);
  expect((await close("2026-09")).stdout).toContain(`${wallet},0.00,1000.00,300.00,0.00,700.00,TZS,2,proved,`);
});
