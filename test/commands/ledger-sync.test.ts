import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";
import { openTill } from "../movements/till.ts";
import { credit, serveStatements } from "../statements-served.ts";
import { ask, ok } from "./served.ts";

const wallet = "9000112233";
const rent: Line = { ref: "A", day: "2026-10-01" };
const fee: Line = { ref: "B", day: "2026-10-05", amount: -30 };
const days: readonly Line[] = [rent, fee];

test("a wallet is synced from the first day of this month, and its status is proved", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: days } });
  const synced = await desk.onDay("2026-10-05", "ledger sync");
  expect(synced).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "The ledger begins on 2026-10-01; for earlier days: partner ledger sync --start-date 2026-09-01\n",
    asked: [`${wallet} 2026-10-01 2026-10-05`],
  });
  const status = await desk.onDay("2026-10-05", "ledger status --json");
  expect(status).toMatchObject({ exit: 0, stderr: "" });
  expect(JSON.parse(status.stdout)).toEqual([
    {
      account: wallet,
      from: "2026-10-01",
      to: "2026-10-05",
      rows: 2,
      closing: 70,
      live: 70,
      late: 0,
      changed: 0,
      state: "proved",
      breaksAt: null,
    },
  ]);
});

test("several wallets that were never synced are reported in one sentence, with their own currencies", async ({
  partnerIn,
}) => {
  const terminal = { terminal: { stdout: true, stderr: true }, columns: 80, rows: 24, now };
  const partner = partnerIn({ ...terminal, environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const before = await partner`ledger status`;
  expect(before).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining("Not proved: all 8 accounts are unsynced.\nHint: Run: partner ledger sync\n"),
  });
  expect(before.stdout).toMatch(/9000445566 +[\d,.]+ +KES +unsynced\n/);
  const { stderr } = await partner`ledger sync`;
  expect(stderr.match(/begins on/g)).toHaveLength(1);
});

test("a first day in the future and an acceptance without a ledger exit with 2, and make no ledger", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: days } });
  const ahead = await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-06");
  expect(ahead).toMatchObject({ exit: 2, stdout: "", asked: [] });
  expect(ahead.stderr).toContain("--start-date 2026-10-06 is in the future.");
  const accepted = await desk.onDay("2026-10-05", `ledger accept ${wallet} --row A --evidence letter`);
  expect(accepted).toMatchObject({ exit: 2, stdout: "" });
  expect(existsSync(join(desk.folder, "state", "ledger.db"))).toBe(false);
  expect((await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-05")).exit).toBe(0);
});

test("later syncs continue three days before the last row, print nothing, and store what is new", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: days } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  desk.write({ [wallet]: { lines: [...days, { ref: "C", day: "2026-10-09" }] } });
  expect(await desk.onDay("2026-10-09", "ledger status --json")).toMatchObject({ exit: 9 });
  expect(await desk.onDay("2026-10-09", "ledger sync")).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "",
    asked: [`${wallet} 2026-10-02 2026-10-09`],
  });
  const status = await desk.onDay("2026-10-09", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 3, closing: 170, late: 0, changed: 0, state: "proved" }]);
});

test("a late row that shifts the balances after it counts as one late row", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [...days, { ref: "C", day: "2026-10-06" }, { ref: "D", day: "2026-10-06" }] } });
  await desk.onDay("2026-10-06", "ledger sync --start-date 2026-10-01");
  const late: Line = { ref: "L", day: "2026-10-04", amount: 7 };
  const lines = [rent, late, fee, { ref: "C", day: "2026-10-06" }, { ref: "D", day: "2026-10-06" }];
  desk.write({ [wallet]: { lines } });
  await desk.onDay("2026-10-08", "ledger sync");
  const status = await desk.onDay("2026-10-08", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 5, closing: 277, late: 1, changed: 0, state: "proved" }]);
});

test("a late row on the first day of a long ledger is one late row, even if that day had none", async () => {
  const desk = await ledgerDesk();
  const later: readonly Line[] = [
    { ref: "B", day: "2026-08-10" },
    { ref: "C", day: "2026-10-05" },
  ];
  desk.write({ [wallet]: { lines: later } });
  await desk.onDay("2026-10-31", "ledger sync --start-date 2026-07-31");
  desk.write({ [wallet]: { lines: [{ ref: "L", day: "2026-07-31", amount: 7 }, ...later] } });
  const synced = await desk.onDay("2026-11-01", "ledger sync --start-date 2026-07-31");
  expect(synced.asked[0]).toBe(`${wallet} 2026-07-31 2026-07-31`);
  const status = await desk.onDay("2026-11-01", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 3, late: 1, changed: 0, state: "proved" }]);
});

test("two late rows around a known one are two late rows, and the known row is unchanged", async () => {
  const desk = await ledgerDesk();
  const later: Line = { ref: "C", day: "2026-10-06" };
  desk.write({ [wallet]: { lines: [...days, later] } });
  await desk.onDay("2026-10-06", "ledger sync --start-date 2026-10-01");
  const late: readonly Line[] = ["L", "M"].map((ref) => ({ ref, day: "2026-10-05", amount: 7 }));
  desk.write({ [wallet]: { lines: [rent, ...late.slice(0, 1), fee, ...late.slice(1), later] } });
  await desk.onDay("2026-10-08", "ledger sync");
  const changes = await desk.onDay("2026-10-08", 'ledger sql "SELECT kind, reference FROM changes" --json');
  expect(JSON.parse(changes.stdout)).toEqual([
    { kind: "late", reference: "L" },
    { kind: "late", reference: "M" },
  ]);
});

test("a row later than the overlap is looked for further back", async () => {
  const desk = await ledgerDesk();
  const later = { ref: "C", day: "2026-10-20" };
  desk.write({ [wallet]: { lines: [...days, later] } });
  await desk.onDay("2026-10-20", "ledger sync --start-date 2026-10-01");
  desk.write({ [wallet]: { lines: [rent, { ref: "L", day: "2026-10-02" }, fee, later] } });
  const synced = await desk.onDay("2026-10-21", "ledger sync");
  expect(synced).toMatchObject({ exit: 0, stderr: "" });
  expect(synced.asked.at(-1)).toBe(`${wallet} 2026-10-02 2026-10-11`);
  const status = await desk.onDay("2026-10-21", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 4, late: 1, changed: 0, state: "proved" }]);
});

test("a gap in the balances is broken until its row appears", async () => {
  const desk = await ledgerDesk();
  const hidden: Line = { ref: "H", day: "2026-10-02", amount: 5, isHidden: true };
  desk.write({ [wallet]: { lines: [rent, hidden, fee] } });
  expect(await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  const broken = await desk.onDay("2026-10-05", "ledger status --json");
  expect(broken.exit).toBe(9);
  expect(JSON.parse(broken.stdout)).toMatchObject([{ state: "broken", breaksAt: "B" }]);
  desk.write({ [wallet]: { lines: [rent, { ...hidden, isHidden: false }, fee] } });
  await desk.onDay("2026-10-30", "ledger sync");
  const status = await desk.onDay("2026-10-30", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 3, late: 1, changed: 0, state: "proved" }]);
});

test("an account whose currency the service names only later stays proved, with the same amounts", async () => {
  const { write, onDay } = await ledgerDesk();
  const lines = [
    { ref: "A", day: "2026-10-01" },
    { ref: "B", day: "2026-10-02", amount: -30 },
  ];
  write({ [wallet]: { lines, currency: "" } });
  await onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  write({ [wallet]: { lines: [...lines, { ref: "C", day: "2026-10-06", amount: 5 }], currency: "UGX" } });
  expect(await onDay("2026-10-06", "ledger sync")).toMatchObject({ exit: 0 });
  expect(await onDay("2026-10-06", "ledger status")).toMatchObject({ exit: 0, stderr: "" });
  const days = await onDay("2026-10-06", 'ledger sql "SELECT day, closing FROM days" --csv');
  expect(days.stdout).toBe("day,closing\n2026-10-01,100\n2026-10-02,70\n2026-10-06,75\n");
});

test("rows that vanish or change are recorded as changes", async () => {
  const desk = await ledgerDesk();
  const more = { ref: "C", day: "2026-10-05" };
  desk.write({ [wallet]: { lines: [...days, more] } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  desk.write({ [wallet]: { lines: [rent, { ...more, narration: "deposit" }] } });
  await desk.onDay("2026-10-06", "ledger sync");
  const status = await desk.onDay("2026-10-06", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 2, closing: 200, late: 0, changed: 2, state: "proved" }]);
});

test("a row is recorded as changed when its balance disappears, and when it comes back", async () => {
  const service = await serveStatements();
  const till = openTill(service.environment);
  const changed: unknown[] = [];
  for (const balance of [5, null, 5]) {
    service.write(wallet, [credit("5", { balance })]);
    await till.run(`ledger sync ${wallet} --start-date 2026-03-31`);
    const { stdout } = await till.run("ledger status --json");
    const account = JSON.parse(stdout).find(({ rows }: { readonly rows: number | null }) => rows === 1);
    changed.push(account.changed);
  }
  expect(changed).toEqual([0, 1, 2]);
});

test("rows that the service later gives in another order are stored in that order", async () => {
  const desk = await ledgerDesk();
  const [one, other] = [
    { ref: "B", day: "2026-10-05", amount: -30 },
    { ref: "C", day: "2026-10-05", amount: 12 },
  ];
  desk.write({ [wallet]: { lines: [rent, one, other] } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  desk.write({ [wallet]: { lines: [rent, other, one] } });
  expect(await desk.onDay("2026-10-06", "ledger sync")).toMatchObject({ exit: 0, stderr: "" });
  const status = await desk.onDay("2026-10-06", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 3, closing: 82, late: 0, changed: 1, state: "proved" }]);
  const rows = await desk.onDay("2026-10-06", 'ledger sql "SELECT reference, balance FROM rows" --csv');
  expect(rows.stdout).toBe("reference,balance\nA,100.00\nC,112.00\nB,82.00\n");
});

test("rows that come newest first are stored in the order of booking", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: days, isNewestFirst: true } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  const status = await desk.onDay("2026-10-05", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 2, closing: 70, state: "proved" }]);
});

test("an account that fails is named, and the others are stored", async () => {
  const desk = await ledgerDesk();
  desk.write({ "1": { lines: days, isDown: true }, "2": { lines: days } });
  const synced = await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  expect(synced.exit).toBe(5);
  expect(synced.stderr).toContain("Not synced: 1 of 2 accounts (1)");
  const status = await desk.onDay("2026-10-05", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ state: "unsynced" }, { state: "proved" }]);
});

test("an empty wallet without a balance is proved, and one with a balance is read further back", async () => {
  const desk = await ledgerDesk();
  desk.write({ "1": { lines: [] }, "2": { lines: [{ ref: "A", day: "2026-03-01" }] } });
  expect(await desk.onDay("2026-10-05", "ledger sync --quiet")).toMatchObject({ exit: 0, stderr: "" });
  const status = await desk.onDay("2026-10-05", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([
    { account: "1", rows: 0, closing: null, live: 0, state: "proved" },
    { account: "2", rows: 1, closing: 100, state: "proved" },
  ]);
});

test("new rows find their places when the last rows of the month before have vanished", async () => {
  const desk = await ledgerDesk();
  const kept: Line = { ref: "R1", day: "2026-10-30" };
  const [gone, fresh]: Line[] = [
    { ref: "R2", day: "2026-10-31" },
    { ref: "N1", day: "2026-11-02", amount: 7 },
  ];
  desk.write({ [wallet]: { lines: [kept, gone ?? kept] } });
  await desk.onDay("2026-10-31", "ledger sync --start-date 2026-10-01");
  desk.write({ [wallet]: { lines: [kept, fresh ?? kept] } });
  const synced = await desk.onDay("2026-12-05", "ledger sync --start-date 2026-10-01");
  expect(synced).toMatchObject({ exit: 0, stderr: "" });
  const status = await desk.onDay("2026-12-05", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 2, closing: 107, changed: 1, state: "proved" }]);
});

test("status as of a time before the first sync proves nothing", async () => {
  const desk = await ledgerDesk();
  const before = "ledger status --json --as-of 2020-01-01T00:00:00Z";
  const empty = await desk.onDay("2026-10-05", before);
  expect([empty.exit, JSON.parse(empty.stdout)]).toEqual([9, []]);
  expect(empty.stderr).toContain("Not proved: the ledger held no account then.");
  desk.write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-01" }] } });
  await desk.onDay("2026-10-05", "ledger sync");
  const { exit, stdout, stderr } = await desk.onDay("2026-10-06", before);
  expect(exit).toBe(9);
  expect(JSON.parse(stdout)).toMatchObject([
    { account: "9000112233", from: null, to: null, rows: 0, closing: null, state: "unsynced", breaksAt: null },
  ]);
  expect(stderr).toContain("Not proved: 9000112233 is unsynced.");
  expect(stderr).toContain("No sync changes what was known then.");
});

test("status as of a time before an account was synced shows what was known then", async () => {
  const desk = await ledgerDesk();
  desk.write({ "9000112233": { lines: [{ ref: "A", day: "2026-10-01" }] } });
  await desk.onDay("2026-10-05", "ledger sync --start-date 2026-10-01");
  desk.write({
    "9000112233": { lines: [{ ref: "A", day: "2026-10-01" }] },
    "9000112244": { lines: [{ ref: "B", day: "2026-10-08" }] },
  });
  await desk.onDay("2026-10-09", "ledger sync --start-date 2026-10-01");
  const { exit, stdout } = await desk.onDay("2026-10-09", "ledger status --json --as-of 2026-10-06T00:00:00Z");
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ account: "9000112233", state: "proved" }]]);
});

test("a sync has no result, so --save is refused before anything is read", async ({ partner }) => {
  expect(await partner`ledger sync --save synced.csv`).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("--save has nothing to write: ledger sync prints no rows."),
  });
  expect((await partner`ledger status --json`).stdout).not.toContain('"from": "2026-03');
});

test("a sync of an account without wallets says so, without advising another sync", async () => {
  expect(await ask("ledger sync", ok("[]"))).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "The account has no wallets: there is nothing to read.\n",
  });
});
