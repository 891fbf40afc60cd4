import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line, WalletBooks } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A difference accepted at a row without a value date belongs to the month that the row counts for.

const wallet = "9000112233";
const noDay = { more: { valueDate: "" } };
const lines: readonly Line[] = [
  { ref: "A", day: "2026-09-02" },
  { ref: "B", day: "2026-10-05" },
  { ref: "N", day: "2026-10-06", amount: 7, jump: 5, ...noDay },
];
const places: Readonly<Record<string, WalletBooks>> = {
  "before it": { lines: [...lines, { ref: "C", day: "2026-11-03" }] },
  "behind it": { lines: lines.map((line) => ({ ...line, jump: 0 })), balance: 212 },
};

/** Accepts the difference at the row, and returns what reports say about three months. */
async function accepts(books: WalletBooks, environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  const partner = (line: string) => onDay("2026-12-02", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  write({ [wallet]: books });
  await partner("ledger sync --start-date 2026-09-01");
  const open = await partner(`close --month 2026-10 --check --to ${join(folder, "c")}`);
  await partner(`ledger accept ${wallet} --row N --evidence letter`);
  const said = [];
  for (const month of ["2026-09", "2026-10", "2026-11"]) {
    const { exit, stderr } = await partner(`report cash --month ${month} --csv`);
    said.push([exit, stderr.includes("letter")]);
  }
  return { open: open.stderr, said };
}

test.for(Object.entries(places))(
  "a difference %s that was accepted is named only in the months that it affects",
  async ([where, books]) => {
    const { said } = await accepts(books);
    const isInNovember = where === "behind it";
    expect(said).toEqual([
      [0, false],
      [0, true],
      [0, isInNovember],
    ]);
  },
);

test("a break at a row without a value date is named with the day that the row counts for", async () => {
  const { open } = await accepts(places["before it"] ?? { lines });
  expect(open).toContain("the balance does not follow at row N of 2026-10-05.");
});

withPostgres("a shared ledger", (server) => {
  test.for(Object.entries(places))(
    "names an accepted difference %s in the same months as a local one",
    async ([where, books]) => {
      const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
      expect(await accepts(books, environment)).toEqual(await accepts(books));
      expect(where).not.toBe("");
    },
  );
});
