import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A value date with a zone is a moment. Its day is the day in Dar es Salaam, like all of the service's days.

const wallet = "9000112233";
const dated = (ref: string, day: string, valueDate: string, amount: number): Line => ({
  ref,
  day,
  amount,
  more: { valueDate },
});
/** Two rows at midnight, one at 22:00 in London, and one from an eastern zone where the next day has begun. */
const lines: readonly Line[] = [
  { ref: "S", day: "2026-09-29" },
  dated("M", "2026-10-01", "2026-09-30T21:00:00Z", 10),
  dated("L", "2026-10-01", "2026-09-30T22:00:00.000Z", 20),
  dated("E", "2026-10-31", "2026-11-01T00:30:00+05:00", -40),
  dated("N", "2026-11-01", "2026-10-31T21:00:00+0000", 5),
];

async function desk(environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  write({ [wallet]: { lines } });
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  expect(await partner("2026-11-03", "ledger sync --start-date 2026-09-01")).toMatchObject({ exit: 0 });
  return { partner, folder };
}

/** Expects the statements of each month, and no changes on later days. */
async function expectDays(partner: Awaited<ReturnType<typeof desk>>["partner"]) {
  for (const day of ["2026-11-03", "2026-11-04", "2026-11-05"]) {
    expect(await partner(day, "ledger sync --start-date 2026-09-28")).toMatchObject({ exit: 0 });
    const { stdout } = await partner(day, "ledger status --json");
    expect(JSON.parse(stdout)).toMatchObject([{ rows: 5, late: 0, changed: 0, state: "proved" }]);
  }
  for (const [month, references] of [
    ["2026-09", "S"],
    ["2026-10", "M L E"],
    ["2026-11", "N"],
  ] as const) {
    const kept = await partner("2026-11-05", `ledger statement ${wallet} --month ${month} --columns tranRefNo --csv`);
    expect(kept.stdout.trimEnd().split("\n").slice(1).join(" ")).toBe(references);
    const served = await partner("2026-11-05", `wallet statement ${wallet} --month ${month} --columns tranRefNo --csv`);
    expect([served.stdout, served.stderr]).toEqual([kept.stdout, kept.stderr]);
    expect(served.stderr).toContain("adds up");
    expect(served.stderr).not.toContain("outside");
  }
  const { stdout } = await partner("2026-11-05", 'ledger sql "SELECT day, credits, debits FROM days" --csv');
  expect(stdout).toBe(`day,credits,debits
2026-09-29,100.00,0.00
2026-10-01,30.00,0.00
2026-10-31,0.00,40.00
2026-11-01,5.00,0.00
`);
}

test("a row belongs to its day in Dar es Salaam, whatever zone its value date has", async () => {
  const { partner, folder } = await desk();
  await expectDays(partner);
  for (const month of ["2026-09", "2026-10"])
    expect(await partner("2026-11-05", `close --month ${month} --to ${join(folder, month)}`)).toMatchObject({
      exit: 0,
    });
});

test("a ledger of an earlier version, with days as written, is converted to those days", async () => {
  const { partner, folder } = await desk();
  const database = new DatabaseSync(join(folder, "state", "ledger.db"));
  database.exec(`UPDATE entries SET day = substr(raw ->> '$.valueDate', 1, 10); DELETE FROM day_ranges;
    INSERT INTO day_ranges SELECT 1, day, min(number), max(number), count(*) FROM entries GROUP BY day;
    DROP TABLE closures; PRAGMA user_version = 4`);
  database.close();
  expect(await partner("2026-11-03", "ledger status")).toMatchObject({ exit: 0 });
  await expectDays(partner);
});

withPostgres("a ledger that hosts share", (server) => {
  test("has the days in Dar es Salaam, even if an earlier version stored them as written", async () => {
    const url = await server.newDatabase();
    const { partner } = await desk({ PARTNER_JOURNAL_URL: url, PARTNER_CONFIG_DIR: temporaryFolder() });
    await server.sql(url, "UPDATE partner.ledger_entries SET day = substr(time, 1, 10)");
    await server.sql(url, "DROP VIEW partner_ledger.acceptances; DROP TABLE partner.ledger_closures");
    await server.sql(url, "UPDATE partner.layout SET version = 7 WHERE part = 'ledger'");
    expect(await partner("2026-11-03", "journal migrate")).toMatchObject({ exit: 0 });
    await expectDays(partner);
  });
});
