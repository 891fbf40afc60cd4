import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "A-PAYIN", day: "2026-10-01", amount: -1 },
  { ref: "B", day: "2026-10-05", amount: -30.5, narration: 'caf\u00e9 \u0001 "rent"' },
  { ref: "C", day: "2026-10-09", amount: 12.25 },
  { ref: "D", day: "2026-10-09", amount: 0.1, more: { valueDate: "soon" } },
];

async function syncedDesk(environment: Record<string, string> = {}) {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines } });
  const partner = (line: string) => desk.onDay("2026-11-03", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  expect(await partner("ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  expect(await partner("ledger status")).toMatchObject({ exit: 0, stderr: "" });
  return { partner, file: join(desk.folder, "state", "ledger.db") };
}

/** What status says now and as of that time: its exit code, the account's state, and the row named. */
async function saidBy(partner: Awaited<ReturnType<typeof syncedDesk>>["partner"]) {
  const said: unknown[] = [];
  for (const asOf of ["", "--as-of 2026-11-03T20:00:00Z"]) {
    const { exit, stdout, stderr } = await partner(`ledger status --json ${asOf}`);
    const [{ state, breaksAt }] = JSON.parse(stdout);
    said.push({ exit, state, breaksAt, words: /Row (\S+) of \d+ is not what partner stored/.exec(stderr)?.[1] });
  }
  return said;
}

function brokenAt(row: string) {
  const said = { exit: 9, state: "broken", breaksAt: row, words: row };
  return [said, said];
}

test.for([
  ["B", "its amount and balance", "change_minor = change_minor - 500, balance_minor = balance_minor - 500"],
  ["B", "its balance", "balance_minor = NULL"],
  ["C", "its reference", "reference = 'Z'"],
  ["A", "that it is no fee", "is_fee = 1"],
  ["A", "its side", "side = -1"],
  ["A-PAYIN", "that it is a fee", "is_fee = 0"],
  ["C", "its amount alone", "change_minor = change_minor + 1"],
] as const)("an account is not proved after another program changed in row %s %s", async ([ref, , sql]) => {
  const { partner, file } = await syncedDesk();
  change(file, `UPDATE entries SET ${sql} WHERE reference = '${ref}'`);
  expect(await saidBy(partner)).toEqual(brokenAt(sql.startsWith("reference") ? "Z" : ref));
  const closed = await partner("close --month 2026-10 --check");
  expect(closed.exit).toBe(9);
  expect(closed.stderr).toContain("is not what partner stored");
});

// A month is read in full before it is closed, so the text of its rows is compared with the service.
test("a row whose text another program changed is read again before the close, and recorded as changed", async () => {
  const { partner, file } = await syncedDesk();
  change(
    file,
    `UPDATE entries SET raw = replace(raw, '"amountDebited":0.00', '"amountDebited":7.00') WHERE reference = 'A'`,
  );
  expect(await saidBy(partner)).toEqual(brokenAt("A"));
  expect(await partner("close --month 2026-10 --check")).toMatchObject({ exit: 0 });
  expect(await partner("ledger status")).toMatchObject({ exit: 0 });
  const changes = await partner('ledger sql "SELECT kind, reference, old FROM changes" --json');
  expect(JSON.parse(changes.stdout)).toEqual([
    { kind: "changed", reference: "A", old: expect.stringContaining('"amountDebited":7.00') },
  ]);
});

test("an account is not proved after another program added a second amount to a row's text", async () => {
  const { partner, file } = await syncedDesk();
  for (const member of ['"amountCredited":99.00', '"amountCredited" : 99.00']) {
    change(file, `UPDATE entries SET raw = substr(raw, 1, length(raw) - 1) || ',${member}}' WHERE reference = 'C'`);
    expect(await saidBy(partner)).toEqual(brokenAt("C"));
    change(
      file,
      `UPDATE entries SET raw = substr(raw, 1, length(raw) - ${member.length + 2}) || '}' WHERE reference = 'C'`,
    );
    expect(await partner("ledger status")).toMatchObject({ exit: 0 });
  }
});

test("a month is not closed after another program moved a row to another day", async () => {
  const { partner, file } = await syncedDesk();
  change(file, "UPDATE entries SET day = '2026-09-05' WHERE reference = 'B'");
  expect(await saidBy(partner)).toEqual(brokenAt("B"));
  const closed = await partner("close --month 2026-10 --check");
  expect(closed.exit).toBe(9);
  expect(closed.stderr).toContain("row B is not what partner stored");
  expect(await saidBy(partner)).toEqual(brokenAt("B"));
});

test("an account is not proved after another program removed a row's day from the list of days", async () => {
  const { partner, file } = await syncedDesk();
  change(file, "DELETE FROM day_ranges WHERE day = '2026-10-05'");
  expect(await saidBy(partner)).toEqual(brokenAt("B"));
});

test.each(["first_day", "last_day"])("a ledger whose %s is not a day is reported as damaged", async (column) => {
  const { partner, file } = await syncedDesk();
  change(file, `UPDATE accounts SET ${column} = replace(${column}, '-1', '%1')`);
  for (const line of ["ledger status", `ledger statement ${wallet} --month 2026-10`, "report cash --month 2026-10"]) {
    const { exit, stderr } = await partner(line);
    expect([line, exit]).toEqual([line, 3]);
    expect(stderr).toContain(`ledger.db is damaged: ${column} is not a day.`);
  }
});

withPostgres("a shared ledger", (server) => {
  test.for([
    ["B", "change = change - 500, balance = balance - 500"],
    ["B", "balance = NULL"],
    ["B", "day = '2026-09-05'"],
    ["A", "is_fee = true"],
    ["A", "side = -1"],
    ["D", "change = 7"],
    ["A", `raw = replace(raw, '"amountDebited":0.00', '"amountDebited":7.00')`],
  ] as const)("has an account that is not proved after a change of row %s: %s", async ([ref, sql]) => {
    const address = await server.newDatabase();
    const { partner } = await syncedDesk({ PARTNER_JOURNAL_URL: address, PARTNER_CONFIG_DIR: temporaryFolder() });
    await server.sql(address, `UPDATE partner.ledger_entries SET ${sql} WHERE reference = '${ref}'`);
    expect(await saidBy(partner)).toEqual(brokenAt(ref));
  });
});

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
