import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A month is closed although the one before was not: its balances still come from the last close.

const wallet = "9000112233";
const september: Line = { ref: "S1", day: "2026-09-02", amount: 980 };
const october: Line = { ref: "O1", day: "2026-10-05", amount: -300 };
const november: Line = { ref: "N1", day: "2026-11-05", amount: -80 };
const late: Line = { ref: "LATE", day: "2026-09-20", amount: 7 };
const said = `${wallet}: after 2026-09 it had 987.00, and 2026-09 was closed with 980.00.`;

/** A desk whose September is closed. */
async function closedDesk() {
  const desk = await ledgerDesk();
  const write = (lines: readonly Line[]) => desk.write({ [wallet]: { lines } });
  const close = (month: string, day: string) => desk.onDay(day, `close --month ${month} --to ${desk.folder}/${month}`);
  write([september, october, november]);
  expect(await close("2026-09", "2026-10-06")).toMatchObject({ exit: 0 });
  const loseLedger = () => {
    for (const path of readdirSync(desk.folder, { recursive: true, encoding: "utf8" }))
      if (path.endsWith("ledger.db")) rmSync(join(desk.folder, path));
  };
  return { ...desk, writeLines: write, close, loseLedger };
}

test("November opens with what September left, even if October was never closed", async () => {
  const { close, loseLedger } = await closedDesk();
  loseLedger();
  const ended = await close("2026-11", "2026-12-02");
  expect(ended.exit).toBe(0);
  expect(ended.asked[0]).toBe(`${wallet} 2026-10-01 2026-10-31`);
});

test("other balances than those of the last close keep November open, until September is closed again", async () => {
  const { close, loseLedger, writeLines } = await closedDesk();
  loseLedger();
  writeLines([september, late, october, november]);
  expect(await close("2026-11", "2026-12-02")).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  expect(await close("2026-09", "2026-12-03")).toMatchObject({ exit: 9 });
  expect(await close("2026-11", "2026-12-03")).toMatchObject({ exit: 0 });
});

test("months that the ledger holds are not read again for it", async () => {
  const { close, onDay, writeLines } = await closedDesk();
  await onDay("2026-12-02", "ledger sync --start-date 2026-09-01");
  expect(await close("2026-11", "2026-12-02")).toMatchObject({ exit: 0, asked: [`${wallet} 2026-11-01 2026-12-02`] });
  writeLines([september, late, october, november]);
  await onDay("2026-12-03", "ledger sync --start-date 2026-09-01");
  expect(await close("2026-11", "2026-12-03")).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
});
