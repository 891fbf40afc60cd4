import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const name = "Asha Juma";
/** A row without a value date yet, between two others. */
const lines: readonly Line[] = [
  { ref: "A", day: "2026-10-02" },
  { ref: "P", day: "2026-10-04", amount: 5, narration: name, more: { valueDate: "" } },
  { ref: "B", day: "2026-10-05", amount: 3 },
];
const late: Line = { ref: "L", day: "2026-10-03", amount: 2, narration: name, more: { valueDate: "" } };

/** Rows without a value date, one of them late, that are redacted when old and then read once more. */
async function redacts(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  const of = async (line: string) => (await partner("2028-01-11", line)).stdout;
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  write({ [wallet]: { lines } });
  await partner("2026-11-03", "ledger sync --start-date 2026-10-01");
  const [first, ...others] = lines;
  write({ [wallet]: { lines: [first ?? late, late, ...others] } });
  await partner("2026-11-04", "ledger sync --start-date 2026-10-01");
  const redact = "journal redact --older-than 400d --yes --json";
  const [, again] = [await partner("2028-01-10", redact), await partner("2028-01-10", redact)];
  await partner("2028-01-11", "ledger sync --start-date 2026-10-01");
  return {
    texts: [
      await of('ledger sql "SELECT raw, narration FROM rows" --json'),
      await of('ledger sql "SELECT old, new FROM changes" --json'),
      await of(`ledger statement ${wallet} --month 2026-10 --csv --as-of 2026-11-03T20:00:00Z`),
    ].join("\n"),
    left: JSON.parse(again.stdout).rows,
    status: await partner("2028-01-11", "ledger status --csv --columns rows,late,changed,state"),
  };
}

const withoutPeople = () => ({
  texts: expect.not.stringContaining(name),
  left: 0,
  status: { exit: 0, stdout: "rows,late,changed,state\n4,1,0,proved\n" },
});

test("journal redact removes names from rows without a value date, too, and a sync brings none back", async () => {
  expect(await redacts()).toMatchObject(withoutPeople());
});

/** The first row of a ledger, which gets its value date only after it was redacted. */
async function dated(environment: Record<string, string> = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-03", "journal migrate");
  const row: Line = { ref: "P", day: "2026-10-02", amount: 5, narration: name };
  const other: Line = { ref: "B", day: "2026-10-05", amount: 3, narration: name };
  write({ [wallet]: { lines: [{ ...row, more: { valueDate: "" } }, other] } });
  await partner("2026-11-03", "ledger sync --start-date 2026-10-01");
  await partner("2028-01-10", "journal redact --older-than 400d --yes");
  write({ [wallet]: { lines: [row, other] } });
  await partner("2028-01-11", "ledger sync --start-date 2026-10-01");
  return {
    status: await partner("2028-01-11", "ledger status --csv --columns rows,late,changed,state"),
    cash: await partner("2028-01-11", "report cash --month 2026-10 --csv --columns opening,in,closing,rows"),
    texts: (await partner("2028-01-11", 'ledger sql "SELECT raw FROM rows" --json')).stdout,
  };
}
const countedOnce = () => ({
  status: { exit: 0, stdout: "rows,late,changed,state\n2,0,1,proved\n" },
  cash: { exit: 0, stdout: "opening,in,closing,rows\n0.00,8.00,8.00,2\n" },
  texts: expect.not.stringContaining(name),
});

test("a redacted first row without a value date counts once when it gets one", async () => {
  expect(await dated()).toMatchObject(countedOnce());
});

withPostgres("a shared ledger", (server) => {
  test("has names removed from rows without a value date by journal redact, too", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await redacts(environment)).toMatchObject(withoutPeople());
  });

  test("counts a redacted row once when it gets its value date", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await dated(environment)).toMatchObject(countedOnce());
  });
});
