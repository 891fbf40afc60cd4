import { join } from "node:path";
import { expect, test } from "vitest";
import { withPostgres } from "../with-postgres.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A corrected label or another spelling of the host does not make another account: what the ledger knew still counts.

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "A", day: "2026-09-20", amount: 1000 },
  { ref: "B", day: "2026-10-10", amount: -100 },
  { ref: "C", day: "2026-11-05", amount: 30, jump: 5 },
];
const late: Line = { ref: "L", day: "2026-10-20", amount: -7 };
const reopened = `The closed month 2026-10 has changed: ${wallet} L came late.`;

/** Settings that name the account in another way; its service's address is given. */
type Name = (address: string) => Record<string, string>;
const live: Name = () => ({ PARTNER_ENVIRONMENT: "live" });

/** A ledger with a closed month and an accepted break, for an account that then gets another name. */
async function desk(name: Name, environment: Record<string, string> = {}) {
  const { onDay, write, folder, environment: own } = await ledgerDesk();
  const before = (line: string) => onDay("2026-11-10", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await before("journal migrate");
  write({ [wallet]: { lines } });
  await before("ledger sync --start-date 2026-09-01");
  await before(`ledger accept ${wallet} --row C --evidence "ticket 4711"`);
  const to = join(folder, "close");
  expect(await before(`close --month 2026-10 --to ${to}`)).toMatchObject({ exit: 0 });
  const partner = (line: string) =>
    onDay("2026-12-05", line, { environment: { ...environment, ...name(own.PARTNER_BASE_URL) } });
  return { partner, write, to };
}

async function lateRowOf(name: Name, environment: Record<string, string> = {}) {
  const { partner, write, to } = await desk(name, environment);
  const unchanged = [await partner("report cash --month 2026-10 --csv"), await partner(`find B --offline --json`)];
  write({ [wallet]: { lines: lines.toSpliced(2, 0, late) } });
  await partner("ledger sync --start-date 2026-09-01");
  const found = await partner('ledger sql "SELECT kind, reference FROM changes" --csv');
  const count = await partner('ledger sql "SELECT count(*) AS rows FROM rows" --csv');
  const changed = [await partner("ledger status"), await partner(`close --month 2026-11 --check`)];
  return { unchanged, changed, again: await partner(`close --month 2026-10 --to ${to}`), found, count };
}
const asKnown = () => ({
  unchanged: [
    { exit: 0, stdout: expect.stringContaining(`\n${wallet},1000.00,0.00,100.00,`) },
    { exit: 0, stdout: expect.stringContaining(`"reference": "B"`) },
  ],
  changed: [
    { exit: 9, stderr: expect.stringContaining(reopened) },
    { exit: 9, stderr: expect.stringContaining(reopened) },
  ],
  again: { exit: 9, stderr: expect.stringContaining("2026-10 was closed on 2026-11-10, and has changed since") },
  found: { exit: 0, stdout: "kind,reference\nlate,L\n" },
  count: { exit: 0, stdout: "rows\n4\n" },
});

test("under a corrected label, a late row in a closed month is noticed, and no row is stored twice", async () => {
  expect(await lateRowOf(live)).toMatchObject(asKnown());
});

test("a word on a break still counts under another spelling of the host", async () => {
  const { partner } = await desk((address) => ({ PARTNER_BASE_URL: `${address.replace("127.0.0.1", "localhost")}/` }));
  const status = await partner("ledger status");
  expect(status).toMatchObject({ exit: 0, stderr: expect.stringContaining("accepted this on 2026-11-10") });
});

withPostgres("a shared ledger", (server) => {
  test("knows one account by the labels of two hosts", async () => {
    const second = { PARTNER_ENVIRONMENT: "live", PARTNER_CONFIG_DIR: temporaryFolder() };
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await lateRowOf(() => second, environment)).toMatchObject(asKnown());
  });
});
