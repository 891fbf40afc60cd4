import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { withPostgres } from "../with-postgres.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A break that a person has accepted counts as explained, and is named, wherever a month is called proved.

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "A", day: "2026-09-20", amount: 1000 },
  { ref: "B", day: "2026-10-05", amount: 10, jump: -500 },
  { ref: "C", day: "2026-10-09", amount: -60 },
  { ref: "N", day: "2026-11-02", amount: 7 },
];
const named = (what: string) =>
  `${wallet}: ${what}. tester accepted this on 2026-11-20 12:00:00: ticket 4711, the bank's <own>.`;
const jump = named("the balance jumps by -500.00 at row B of 2026-10-05");
/** A ledger with those rows. */
async function desk(rows: readonly Line[] = lines, environment: Record<string, string> = {}) {
  const { onDay, write, folder } = await ledgerDesk();
  const partner = (line: string) => onDay("2026-11-20", line, { environment });
  const books = (shown: readonly Line[], balance?: number) =>
    write({ [wallet]: { lines: shown, ...(balance === undefined ? {} : { balance }) } });
  books(rows);
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  await partner("ledger sync --start-date 2026-09-01");
  const accept = (row: string) =>
    partner(`ledger accept ${wallet} --row ${row} --evidence "ticket 4711, the bank's <own>"`);
  const to = join(folder, "close");
  return { partner, books, accept, to, close: (month: string) => partner(`close --month ${month} --to ${to} --csv`) };
}

test("status, report and close all treat an accepted break as proved, with its amount, reason and approver", async () => {
  const { partner, accept, close, to } = await desk();
  expect(await close("2026-09")).toMatchObject({ exit: 9 });
  for (const line of ["ledger status", "report cash --month 2026-10", "close --month 2026-10 --check"])
    expect(await partner(line)).toMatchObject({ exit: 9 });
  await accept("B");
  const status = await partner("ledger status --json");
  expect(status).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  expect(JSON.parse(status.stdout)).toMatchObject([{ state: "proved" }]);
  const september = await close("2026-09");
  expect(september).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  const october = await partner(`close --month 2026-10 --to ${to}-10 --csv`);
  expect(october).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  expect(october.stdout).toContain(`\n${wallet},500.00,10.00,60.00,0.00,450.00,TZS,2,proved,`);
  const page = readFileSync(join(`${to}-10`, "close.html"), "utf8");
  expect(page).toContain("Every proof holds, with what people accepted.");
  expect(page).toContain(jump.replace("<own>", "&lt;own&gt;").split("'")[0]);
  const { sheets } = await readXlsx(readFileSync(join(`${to}-10`, "close.xlsx")));
  const cells = sheets[0]?.rows.flat();
  expect(cells).toEqual(expect.arrayContaining(["Every proof holds, with what people accepted.", jump]));
  const november = await partner(`close --month 2026-11 --to ${to}-11 --check`);
  expect(november.stderr).not.toContain("tester accepted this");
});

test("cash figures for a period with an accepted break are reported, by month and by day", async () => {
  const early: Line = { ref: "Z", day: "2026-10-02", amount: 5 };
  const { partner, accept } = await desk(lines.toSpliced(1, 0, early));
  await accept("B");
  const month = await partner("report cash --month 2026-10 --csv");
  expect(month).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  expect(month.stdout).toContain(`\n${wallet},1000.00,15.00,60.00,0.00,455.00,TZS,3\n`);
  const days = "--by day --csv --columns period,opening,closing";
  const byDay = await partner(`report cash --start-date 2026-10-02 --end-date 2026-10-05 ${days}`);
  expect(byDay).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  expect(byDay.stdout).toBe(`period,opening,closing
2026-10-02,1000.00,1005.00
2026-10-03,1005.00,1005.00
2026-10-04,1005.00,1005.00
2026-10-05,505.00,515.00
`);
  const september = await partner("report cash --month 2026-09 --csv");
  expect(september.stderr).not.toContain("tester accepted this");
  const pageOf = await partner("report flow --month 2026-10 --output html");
  expect(pageOf.stdout).toContain("the balance jumps by -500.00 at row B of 2026-10-05");
});

test("accepting one break does not explain a second one in the same month", async () => {
  const { partner, accept } = await desk([...lines.slice(0, 3), { ref: "K", day: "2026-10-20", amount: 1, jump: 3 }]);
  await accept("B");
  expect(await partner("report cash --month 2026-10 --csv")).toMatchObject({ exit: 9 });
  const ended = await partner("close --month 2026-10 --check");
  expect(ended).toMatchObject({ exit: 9, stderr: expect.stringContaining("does not follow at row K of 2026-10-20") });
});

test("a difference accepted after the last row is named only while it is needed to prove the account", async () => {
  const { partner, books, accept, to } = await desk(lines.slice(0, 1));
  books(lines.slice(0, 1), 1005);
  await partner("ledger sync");
  await accept("A");
  const said = named("the service's balance differs by 5.00 from that after row A of 2026-09-20");
  for (const line of ["ledger status", `close --month 2026-09 --to ${to}`])
    expect(await partner(line)).toMatchObject({ exit: 0, stderr: expect.stringContaining(said) });
  books(lines.slice(0, 1));
  await partner("ledger sync");
  expect(await partner("ledger status")).toMatchObject({ exit: 0, stderr: expect.not.stringContaining(said) });
});

withPostgres("a shared ledger", (server) => {
  test("names an accepted break in status, report and close", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    const { partner, accept } = await desk(lines, environment);
    await accept("B");
    for (const line of ["ledger status", "report cash --month 2026-10", "close --month 2026-10 --check"])
      expect(await partner(line)).toMatchObject({ exit: 0, stderr: expect.stringContaining(jump) });
  });
});
