import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const held = 100;

/** A sync compares about 10,000 new rows with those that it holds, and leaves more over than fit between two rows. */
const more = 14_000;

test("rows that one sync adds by the thousand to a day that is held in part stay in their order", async () => {
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
