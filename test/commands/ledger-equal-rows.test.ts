import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Two payments can be equal except for their balances, even in their reference.

const wallet = "9000112233";
const paid: Line = { ref: "P", day: "2026-10-05" };
const other: Line = { ref: "Q", day: "2026-10-05", amount: 7 };

/** A ledger's rows after readings of the month on successive days, and its last status. */
async function readEach(...readings: readonly (readonly Line[])[]) {
  const { onDay, write } = await ledgerDesk();
  let day = 5;
  const on = (line: string) => onDay(`2026-10-0${day}`, line);
  for (const lines of readings) {
    write({ [wallet]: { lines } });
    day += 1;
    expect(await on("ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0, stderr: "" });
  }
  const rows = await on('ledger sql "SELECT reference, balance, substr(seen_at, 1, 10) AS seen FROM rows" --csv');
  const status = await on("ledger status --csv --columns rows,late,changed,state");
  return { rows: rows.stdout.split("\n").slice(1, -1), status: status.stdout.split("\n")[1] };
}

test("a payment made twice is two rows, even when an earlier sync had read the first one", async () => {
  expect(await readEach([paid], [paid, paid])).toEqual({
    rows: ["P,100.00,2026-10-06", "P,200.00,2026-10-07"],
    status: "2,1,0,proved",
  });
});

test("when the service takes back the later of two equal payments, the row of the earlier one is kept", async () => {
  expect(await readEach([paid], [paid, other, paid], [paid])).toEqual({
    rows: ["P,100.00,2026-10-06"],
    status: "1,2,2,proved",
  });
});

test("equal rows keep their order when rows come before and after them and one between them vanishes", async () => {
  const first: Line = { ref: "A", day: "2026-10-05", amount: 1 };
  const last: Line = { ...first, ref: "Z" };
  expect(await readEach([paid], [paid, other, paid], [first, paid, paid, last])).toEqual({
    rows: ["A,1.00,2026-10-08", "P,101.00,2026-10-06", "P,201.00,2026-10-07", "Z,202.00,2026-10-08"],
    status: "4,4,1,proved",
  });
});
