import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// An amount that is not a number proves nothing, even with a balance beside it.

const wallet = "9000112233";
const rent: Line = { ref: "A", day: "2026-10-02", amount: 1000 };
const salary: Line = { ref: "B", day: "2026-10-05", amount: -100 };
const water: Line = { ref: "C", day: "2026-10-09", amount: -30 };

async function desk(lines: readonly Line[], environment: Record<string, string> = {}) {
  const made = await ledgerDesk();
  made.write({ [wallet]: { lines } });
  const partner = async (line: string) => {
    const { exit, stdout, stderr } = await made.onDay("2026-11-12", line, { environment });
    return { exit, stdout, stderr };
  };
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  expect(await partner("ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  return partner;
}
type Partner = Awaited<ReturnType<typeof desk>>;

/** Status now and as of that time, and how the month's report and close end. */
async function verdictsOf(partner: Partner) {
  const [now, before] = [
    await partner("ledger status --csv --no-header --columns state,breaksAt"),
    await partner("ledger status --csv --no-header --columns state,breaksAt --as-of 2026-11-12T20:00:00Z"),
  ];
  const report = await partner("report cash --month 2026-10 --csv");
  const closed = await partner("close --month 2026-10 --check");
  const row = /the balance does not follow at row (\S+)/.exec(closed.stderr)?.[1];
  return { exits: [now, before, report, closed].map(({ exit }) => exit), now: now.stdout, before: before.stdout, row };
}

function brokenAt(row: string) {
  return { exits: [9, 9, 9, 9], now: `broken,${row}\n`, before: `broken,${row}\n`, row };
}

/** What changes once the difference is accepted: the words that name it, and the figures of the month. */
async function acceptedAt(row: string, partner: Partner) {
  await partner(`ledger accept ${wallet} --row ${row} --evidence "ticket 4711"`);
  const { exits, now } = await verdictsOf(partner);
  const report = await partner("report cash --month 2026-10 --csv --no-header --columns opening,in,out,closing");
  const words = /: (.*) at row/.exec(report.stderr)?.[1];
  return { exits: exits.filter((_, index) => index !== 1), now, cash: report.stdout, words };
}

async function firstUnread(environment?: Record<string, string>) {
  const partner = await desk([{ ...rent, unread: "1 000.00" }, salary], environment);
  return [await verdictsOf(partner), await acceptedAt("A", partner)];
}
const firstNamed = [
  brokenAt("A"),
  { exits: [0, 0, 0], now: "proved,\n", cash: "1000.00,0.00,100.00,900.00\n", words: "nothing proves the balance" },
];

async function laterUnread(environment?: Record<string, string>) {
  const partner = await desk([rent, { ...salary, unread: "1 00.00" }, water], environment);
  return [await verdictsOf(partner), await acceptedAt("B", partner)];
}
const laterNamed = [
  brokenAt("B"),
  { exits: [0, 0, 0], now: "proved,\n", cash: "0.00,1000.00,30.00,870.00\n", words: "the balance jumps by -100.00" },
];

test("an account whose first row has an amount that is not a number is not proved until it is accepted", async () => {
  expect(await firstUnread()).toEqual(firstNamed);
});

test("a row whose amount is not a number is accepted with the change of balance, and its month closes", async () => {
  expect(await laterUnread()).toEqual(laterNamed);
});

test("an amount that is not a number keeps an account from being proved, even if the balance did not move", async () => {
  const partner = await desk([rent, { ref: "B", day: "2026-10-05", amount: 100, unread: "?", jump: -100 }, water]);
  expect(await verdictsOf(partner)).toEqual(brokenAt("B"));
});

test("a row whose amount is not a number still counts once earlier days are read", async () => {
  const partner = await desk([{ ...rent, day: "2026-09-20" }, { ...salary, unread: "x" }, water]);
  expect(await verdictsOf(partner)).toEqual(brokenAt("B"));
  expect(await partner("ledger sync --start-date 2026-09-01")).toMatchObject({ exit: 0 });
  expect(await verdictsOf(partner)).toMatchObject({ exits: [9, 9, 9, 9], now: "broken,B\n" });
});

withPostgres("a shared ledger", (server) => {
  test.for([
    ["first", firstUnread, firstNamed],
    ["later", laterUnread, laterNamed],
  ] as const)("gives the same answers about a %s row whose amount is not a number", async ([, unread, named]) => {
    const address = await server.newDatabase();
    expect(await unread({ PARTNER_JOURNAL_URL: address, PARTNER_CONFIG_DIR: temporaryFolder() })).toEqual(named);
  });
});

test("an account whose balance differs from its rows by half a cent is not proved", async () => {
  const partner = await desk([rent, { ...water, amount: -5.1, unread: "5.105" }]);
  expect(await verdictsOf(partner)).toEqual(brokenAt("C"));
});
