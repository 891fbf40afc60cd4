import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";
import type { Line, WalletBooks } from "./ledger-desk.ts";

// A month that was once proved never changes without exit 9, whatever later closes of it found.

const wallet = "9000112233";
const september: Line = { ref: "S1", day: "2026-09-09", amount: 5 };
const october: readonly Line[] = [
  { ref: "A1", day: "2026-10-01", amount: 200 },
  { ref: "A2", day: "2026-10-31", amount: -30 },
];
const late: Line = { ref: "LATE", day: "2026-10-12", amount: 7 };
const [first, ...others] = october;
const withLate = first === undefined ? [] : [first, late, ...others];

/** September and October, closed with every proof. */
async function closedDesk() {
  const { onDay, write, folder } = await ledgerDesk();
  const books = (lines: readonly Line[], more: Readonly<Record<string, WalletBooks>> = {}) =>
    write({ [wallet]: { lines }, ...more });
  const close = (month: string, flags = "", name = month) =>
    onDay("2026-11-20", `close --month ${month} --to ${join(folder, name)} ${flags}`.trim());
  books([september, ...october]);
  for (const month of ["2026-09", "2026-10"]) expect(await close(month)).toMatchObject({ exit: 0 });
  return { books, close, folder, status: () => onDay("2026-11-20", "ledger status") };
}

test("a late row that comes after the month before was closed again is reported with 9, once", async () => {
  const { books, close, status } = await closedDesk();
  const lateBefore: Line = { ref: "S2", day: "2026-09-20", amount: 1 };
  books([september, lateBefore, ...october]);
  expect(await close("2026-10")).toMatchObject({ exit: 9 });
  expect(await close("2026-09")).toMatchObject({ exit: 9 });
  books([september, lateBefore, ...withLate]);
  const said = `2026-10 was closed on 2026-11-20, and has changed since: ${wallet} LATE came late.`;
  for (const flags of ["--check", "--strict", ""])
    expect(await close("2026-10", flags)).toMatchObject({ exit: 9, stderr: expect.stringContaining(`Error: ${said}`) });
  for (const flags of ["--check", ""]) expect(await close("2026-10", flags)).toMatchObject({ exit: 0 });
  expect(await status()).toMatchObject({ exit: 0 });
});

test("after the month before is closed again, a month without late rows of its own is closed with 0", async () => {
  const { books, close } = await closedDesk();
  books([september, { ref: "S2", day: "2026-09-20", amount: 1 }, ...october]);
  for (const month of ["2026-10", "2026-09"]) expect(await close(month)).toMatchObject({ exit: 9 });
  expect(await close("2026-10")).toMatchObject({ exit: 0 });
});

test("a folder that a later close did not replace is called an earlier close until it is replaced", async () => {
  const { books, close, folder } = await closedDesk();
  books([september, ...withLate]);
  expect(await close("2026-10", "", "elsewhere")).toMatchObject({ exit: 9 });
  expect(await close("2026-10", "--check", "elsewhere")).toMatchObject({ exit: 0 });
  const said = `${join(folder, "2026-10")} is an earlier close of the month, and lacks what has changed since.`;
  for (const flags of ["--check", "--strict"])
    expect(await close("2026-10", flags)).toMatchObject({ exit: 9, stderr: expect.stringContaining(`Error: ${said}`) });
  const kept = `The close that was there is now ${join(folder, "2026-10.before-1")}. It lacked what has changed since.\n`;
  expect(await close("2026-10")).toMatchObject({ exit: 0, stderr: expect.stringContaining(kept) });
  expect(await close("2026-10", "--check")).toMatchObject({ exit: 0, stderr: expect.not.stringContaining(said) });
  rmSync(join(folder, "2026-10"), { recursive: true });
  renameSync(join(folder, "2026-10.before-1"), join(folder, "2026-10"));
  expect(await close("2026-10", "--check")).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
});

test("a close of the same month in other formats does not make the first folder an earlier close", async () => {
  const { close } = await closedDesk();
  expect(await close("2026-10", "--formats ofx", "elsewhere")).toMatchObject({ exit: 0 });
  for (const name of ["2026-10", "elsewhere"])
    expect(await close("2026-10", "--check", name)).toMatchObject({ exit: 0 });
});

test("a new wallet with rows in a closed month changes that month: exit 9, once", async () => {
  const { books, close } = await closedDesk();
  const other = "9000112244";
  books([september, ...october], { [other]: { lines: [{ ref: "N1", day: "2026-10-20", amount: 3 }] } });
  const said = `${other}: 2026-10 was closed on 2026-11-20 without it. Now: opening 0.00, closing 3.00, 1 row.`;
  for (const flags of ["--check", "--strict", ""])
    expect(await close("2026-10", flags)).toMatchObject({ exit: 9, stderr: expect.stringContaining(`Error: ${said}`) });
  expect(await close("2026-10")).toMatchObject({ exit: 0 });
});

test("a new wallet with an opening balance changes a closed month, and an empty one does not", async () => {
  const { books, close } = await closedDesk();
  const [rich, empty] = ["9000112244", "9000112255"];
  books([september, ...october], { [empty]: { lines: [] } });
  expect(await close("2026-10", "--check")).toMatchObject({ exit: 0 });
  books([september, ...october], {
    [empty]: { lines: [] },
    [rich]: { lines: [{ ref: "N1", day: "2026-08-20", amount: 300 }] },
  });
  const said = `${rich}: 2026-10 was closed on 2026-11-20 without it. Now: opening 300.00, closing 300.00, 0 rows.`;
  for (const flags of ["--check", ""])
    expect(await close("2026-10", flags)).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  expect(await close("2026-10")).toMatchObject({ exit: 0 });
});
