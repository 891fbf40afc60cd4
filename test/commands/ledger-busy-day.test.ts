import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const held = 100;

/** More than the 10,000 new rows that a sync compares with stored ones, so that the rest must fit between two rows. */
const more = 14_000;

test("thousands of rows that one sync adds to a day with stored rows keep their order", async () => {
  const desk = await ledgerDesk();
  const lines = Array.from({ length: held + more }, (_, at) => ({
    ref: `R${at}`,
    day: "2026-10-01",
    amount: at + 1,
  }));
  desk.write({ [wallet]: { lines: lines.slice(0, held) } });
  expect(await desk.onDay("2026-10-01", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  desk.write({ [wallet]: { lines } });
  expect(await desk.onDay("2026-10-02", "ledger sync")).toMatchObject({ exit: 0, stderr: "" });
  const [status] = JSON.parse((await desk.onDay("2026-10-02", "ledger status --json")).stdout);
  expect(status).toMatchObject({ rows: held + more, state: "proved" });
  const period = `${wallet} --start-date 2026-10-01 --end-date 2026-10-01 --csv`;
  const kept = await desk.onDay("2026-10-02", `ledger statement ${period}`);
  expect(kept.stdout === (await desk.onDay("2026-10-02", `wallet statement ${period}`)).stdout).toBe(true);
});

/** The ledger after this many rows of a month came late, between two rows that it holds. */
async function lateMonth(count: number, world: World = {}) {
  const desk = await ledgerDesk();
  if (world.environment !== undefined) await desk.onDay("2026-10-06", "journal migrate", world);
  const before = { ref: "A", day: "2026-08-05" };
  const after = { ref: "B", day: "2026-10-05" };
  const late = Array.from({ length: count }, (_, at) => ({ ref: `L${at}`, day: "2026-09-10", amount: at + 1 }));
  desk.write({ [wallet]: { lines: [before, after] } });
  await desk.onDay("2026-10-06", "ledger sync --start-date 2026-08-01", world);
  desk.write({ [wallet]: { lines: [before, ...late, after] } });
  const { exit, stderr } = await desk.onDay("2026-10-06", "ledger sync --start-date 2026-08-01", world);
  const status = await desk.onDay("2026-10-06", "ledger status --json", world);
  const [{ rows, changed, state }] = JSON.parse(status.stdout);
  const period = `${wallet} --start-date 2026-08-01 --end-date 2026-10-06 --csv`;
  const kept = await desk.onDay("2026-10-06", `ledger statement ${period}`, world);
  const served = await desk.onDay("2026-10-06", `wallet statement ${period}`, world);
  return { exit, stderr, rows, changed, state, isEqual: kept.stdout === served.stdout };
}

const placed = { exit: 0, stderr: "", changed: 0, state: "proved", isEqual: true };

test.for([1_100, more])("%i late rows fit between two others", async (count) => {
  expect(await lateMonth(count)).toEqual({ ...placed, rows: count + 2 });
});

// More rows only in the long run: local and shared ledgers place rows by the same rule.
withPostgres("a shared ledger", (server) => {
  test.for([2_100, ...(size(0, 1) === 1 ? [more] : [])])("fits %i late rows between two others", async (count) => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await lateMonth(count, { environment })).toEqual({ ...placed, rows: count + 2 });
  });
});
