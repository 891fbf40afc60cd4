import { expect, test } from "vitest";
import { withPostgres } from "../with-postgres.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// Rows that do not lead to the service's balance lack some after the last one: the figures of those days are
// incomplete.

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-20", amount: 1000, narration: "from 0712345678" },
  { ref: "B", day: "2026-11-10", amount: -100 },
];
const said = `The rows of ${wallet} do not lead to the balance that the service gave.`;

/** A ledger of a wallet that holds 50 more than its rows say. */
async function desk(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (line: string, day = "2026-11-20") => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  write({ [wallet]: { lines, balance: 950 } });
  await partner("ledger sync --start-date 2026-10-01");
  expect(await partner("ledger status")).toMatchObject({ exit: 9, stderr: expect.stringContaining("is broken") });
  return { partner, write };
}

test("reports from the last row's day on end with 9 when the rows do not lead to the balance", async () => {
  const { partner } = await desk();
  const names = ["cash", "cash --by week", "flow", "fees", "customers", "cash --rows"];
  const others = ["compare 2026-10 2026-11 --csv", "open --csv", "open --month 2026-11 --csv"];
  for (const line of [...names.map((name) => `${name} --month 2026-11 --csv`), ...others])
    expect(await partner(`report ${line}`)).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
  const page = await partner("report cash --month 2026-11 --output html");
  expect(page).toMatchObject({ exit: 9, stdout: expect.stringContaining(`<p class="verdict wrong">${said}</p>`) });
});

test("open items are shown with an error, in text and JSON, when rows are missing at the end", async () => {
  const { partner } = await desk();
  const open = await partner("report open --json");
  expect(open).toMatchObject({ exit: 9, stdout: expect.stringContaining('"reference": "B"') });
  const error: unknown = JSON.parse(open.stderr.trimEnd().split("\n").at(-1) ?? "");
  expect(error).toMatchObject({ error: { ending: "mismatch", message: said, hint: expect.any(String) } });
  const page = await partner("report open --output html");
  expect(page).toMatchObject({ exit: 9, stdout: expect.stringContaining(`<p class="verdict wrong">${said}</p>`) });
  expect(await partner("report open --month 2026-10 --csv")).toMatchObject({ exit: 0 });
});

test("open items end with 9 when a balance does not follow, until a person accepts the difference", async () => {
  const { partner, write } = await desk();
  write({ [wallet]: { lines: [...lines.slice(0, 1), { ref: "B", day: "2026-11-10", amount: -100, jump: 40 }] } });
  await partner("ledger sync --start-date 2026-10-01");
  const wrong = { exit: 9, stderr: expect.stringContaining(`The rows do not add up: ${wallet}.`) };
  expect(await partner("report open --csv")).toMatchObject(wrong);
  await partner(`ledger accept ${wallet} --row B --evidence "ticket 4711"`);
  const right = { exit: 0, stderr: expect.stringContaining(`${wallet}: the balance jumps by 40.00 at row B`) };
  expect(await partner("report open --csv")).toMatchObject(right);
});

test("open items end with 9 for requested days missing from the ledger, and other missing days are named", async () => {
  const { partner, write } = await desk();
  write({ [wallet]: { lines } });
  await partner("ledger sync");
  const lacks = `The ledger lacks days of the period. ${wallet}: 2026-09-01 to 2026-09-30.`;
  const asked = await partner("report open --start-date 2026-09-01 --end-date 2026-11-20 --csv");
  expect(asked).toMatchObject({ exit: 9, stdout: expect.stringContaining(",B,") });
  expect(asked.stderr).toContain(`${lacks}\nHint: Read them first: partner ledger sync --start-date 2026-09-01`);
  const late = await partner("report open --csv", "2026-11-25");
  expect(late).toMatchObject({ exit: 0, stdout: expect.stringContaining(",B,") });
  expect(late.stderr).toContain(`The ledger lacks days of the period. ${wallet}: 2026-11-20 to 2026-11-25.`);
});

test("days before the last row are proved by later balances", async () => {
  const { partner } = await desk();
  for (const line of ["cash --month 2026-10", "cash --end-date 2026-11-09 --start-date 2026-10-20 --by day"])
    expect(await partner(`report ${line} --csv`)).toMatchObject({ exit: 0, stderr: expect.not.stringContaining(said) });
});

test("figures end with 9 when rows may be missing before the next month's first row, until accepted", async () => {
  const { partner, write } = await desk();
  write({ [wallet]: { lines: [...lines.slice(0, 1), { ref: "B", day: "2026-11-10", amount: -100, jump: 40 }] } });
  await partner("ledger sync --start-date 2026-10-01");
  const periods = ["--month 2026-10", "--start-date 2026-10-25 --end-date 2026-11-09", "--month 2026-10 --by week"];
  const wrong = { exit: 9, stderr: expect.stringContaining(`The rows do not add up: ${wallet}.`) };
  for (const period of periods) expect(await partner(`report cash ${period} --csv`)).toMatchObject(wrong);
  expect(await partner("report cash --start-date 2026-10-01 --end-date 2026-10-19 --csv")).toMatchObject({ exit: 0 });
  await partner(`ledger accept ${wallet} --row B --evidence "ticket 4711"`);
  const right = { exit: 0, stderr: expect.stringContaining(`${wallet}: the balance jumps by 40.00 at row B`) };
  for (const period of periods) expect(await partner(`report cash ${period} --csv`)).toMatchObject(right);
  const both = await partner("report compare 2026-10 2026-11 --csv");
  expect(both.stderr.match(/the balance jumps/g)).toHaveLength(1);
});

/** How the status and the reports end after the difference was accepted, and a report of the month before. */
async function accepted(environment: Record<string, string> = {}) {
  const { partner } = await desk(environment);
  await partner(`ledger accept ${wallet} --row B --evidence "ticket 4711"`);
  const reports = ["cash", "flow", "open"].map((name) => `report ${name} --month 2026-11 --csv`);
  const november = ["ledger status", ...reports];
  const ended = await Promise.all(november.map((line) => partner(line)));
  return { ended, before: await partner("report cash --month 2026-10 --csv") };
}
const difference = `${wallet}: the service's balance differs by 50.00 from that after row B of 2026-11-10.`;
const namedBy = () => {
  const named = { exit: 0, stderr: expect.stringContaining(difference) };
  return {
    ended: [named, named, named, named],
    before: { exit: 0, stderr: expect.not.stringContaining("accepted this") },
  };
};

test("a report accepts the difference that a person accepted, and names it", async () => {
  expect(await accepted()).toMatchObject(namedBy());
});

test("a late row completes the figures, but not those with an earlier --as-of", async () => {
  const { partner, write } = await desk();
  write({ [wallet]: { lines: [...lines, { ref: "C", day: "2026-11-12", amount: 50 }] } });
  await partner("ledger sync", "2026-11-21");
  const report = "report cash --month 2026-11 --csv";
  expect(await partner(report, "2026-11-21")).toMatchObject({ exit: 0 });
  const then = await partner(`${report} --as-of 2026-11-20T18:00:00+03:00`, "2026-11-21");
  expect(then).toMatchObject({ exit: 9, stderr: expect.stringContaining(said) });
});

withPostgres("a shared ledger", (server) => {
  test("names a difference that a person accepted", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await accepted(environment)).toMatchObject(namedBy());
  });
});
