import { expect, test } from "vitest";
import { ledgerDesk } from "../../commands/ledger-desk.ts";

/** The index names a row by 16 bits within its piece: the second sync alone has more rows than that. */
const [first, second] = [40_000, 66_000] as const;

test("rows are found in an index with more rows than one of its pieces can name", async () => {
  const desk = await ledgerDesk();
  const lines = Array.from({ length: first + second }, (_, at) => ({
    ref: `R${at}`,
    day: at < first ? "2026-10-01" : "2026-10-10",
  }));
  desk.write({ "9000112233": { lines: lines.slice(0, first) } });
  expect(await desk.onDay("2026-10-01", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  desk.write({ "9000112233": { lines } });
  expect(await desk.onDay("2026-10-10", "ledger sync")).toMatchObject({ exit: 0, stderr: "" });
  const places = [0, 25_535, 25_536, first - 1, first, first + 65_535, first + 65_536, first + second - 1];
  for (const place of places) {
    const found = await desk.onDay("2026-10-10", `find R${place} --offline --json`);
    expect(JSON.parse(found.stdout || "[]")).toMatchObject([{ events: [{ reference: `R${place}` }] }]);
  }
});
