import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Clocks can be wrong, and hosts that share a ledger have several: what a close covers does not depend on time.

const wallet = "9000112233";
const september: readonly Line[] = [
  { ref: "S1", day: "2026-09-02", amount: 1000 },
  { ref: "S2", day: "2026-09-20", amount: -20 },
];
const withLate: readonly Line[] = [...september, { ref: "L", day: "2026-09-25", amount: 5 }];
const withLater: readonly Line[] = [...withLate, { ref: "M", day: "2026-09-26", amount: 6 }];
const changedBy = (ref: string) => ({
  exit: 9,
  stderr: expect.stringContaining(`The closed month 2026-09 has changed: ${wallet} ${ref} came late.`),
});

/** A wallet with September, a folder for its close, and commands run on a given day. */
async function closeDesk(environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  write({ [wallet]: { lines: september } });
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-10-06", "journal migrate");
  return {
    books: (lines: readonly Line[]) => write({ [wallet]: { lines } }),
    close: (day: string) => partner(day, `close --month 2026-09 --to ${join(folder, "close")}`),
    sync: (day: string) => partner(day, "ledger sync --start-date 2026-09-01"),
    status: (day: string) => partner(day, "ledger status"),
  };
}

test("a late row read while the clock was ahead counts as seen once the month is closed again", async () => {
  const { books, close, sync, status } = await closeDesk();
  expect(await close("2026-10-06")).toMatchObject({ exit: 0 });
  books(withLate);
  await sync("2026-10-20");
  expect(await status("2026-10-07")).toMatchObject(changedBy("L"));
  for (const exit of [9, 0]) expect(await close("2026-10-07")).toMatchObject({ exit });
  expect(await status("2026-10-07")).toMatchObject({ exit: 0 });
  books(withLater);
  await sync("2026-10-08");
  expect(await status("2026-10-08")).toMatchObject(changedBy("M"));
});

withPostgres("a shared ledger", (server) => {
  test("applies a close to every host, whatever the clock of the host that made it", async () => {
    const { books, close, sync, status } = await closeDesk({
      PARTNER_JOURNAL_URL: await server.newDatabase(),
      PARTNER_CONFIG_DIR: temporaryFolder(),
    });
    expect(await close("2026-10-06")).toMatchObject({ exit: 0 });
    books(withLate);
    await sync("2026-10-06");
    const dayBehind = "2026-10-05";
    for (const exit of [9, 0]) expect(await close(dayBehind)).toMatchObject({ exit });
    for (const day of [dayBehind, "2026-10-06"]) expect(await status(day)).toMatchObject({ exit: 0 });
    expect(await close("2026-10-06")).toMatchObject({ exit: 0 });
    books(withLater);
    await sync(dayBehind);
    expect(await status("2026-10-06")).toMatchObject(changedBy("M"));
  });

  test("applies a close from before it was shared to every host once the month is closed again", async () => {
    const { onDay, write, folder } = await ledgerDesk();
    write({ [wallet]: { lines: september } });
    const close = `close --month 2026-09 --to ${join(folder, "close")}`;
    expect(await onDay("2026-10-06", close)).toMatchObject({ exit: 0 });
    const here = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    const other = { ...here, PARTNER_STATE_DIR: temporaryFolder() };
    await onDay("2026-10-07", "journal migrate", { environment: here });
    expect(await onDay("2026-10-07", close, { environment: here })).toMatchObject({ exit: 0 });
    write({ [wallet]: { lines: withLate } });
    await onDay("2026-10-08", "ledger sync --start-date 2026-09-01", { environment: other });
    expect(await onDay("2026-10-08", "ledger status", { environment: other })).toMatchObject(changedBy("L"));
  });
});
