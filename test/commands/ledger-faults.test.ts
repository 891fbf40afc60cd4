import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const program = join(import.meta.dirname, "../../bin/partner.js");
const lines: readonly Line[] = Array.from({ length: 400 }, (_, index) => ({
  ref: `R${index}`,
  day: `2026-10-${String(1 + Math.floor(index / 20)).padStart(2, "0")}`,
}));

async function syncedDesk() {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines } });
  expect(await desk.onDay("2026-10-20", "ledger sync --start-date 2026-10-01")).toMatchObject({ exit: 0 });
  return { ...desk, file: join(desk.folder, "state", "ledger.db") };
}

/** Commands that open the ledger. */
const everyReader = [
  "ledger sync",
  "ledger status",
  `ledger statement ${wallet} --month 2026-10`,
  'ledger sql "SELECT 1"',
  "find R7 --offline",
  "report cash --month 2026-10",
  "close --month 2026-09",
];

test.for([
  ["damaged", (file: string) => writeFileSync(file, Buffer.alloc(200, "x"), { flag: "r+" })],
  ["cut off", (file: string) => truncateSync(file, 9_000)],
  ["another file", (file: string) => writeFileSync(file, "a text\n")],
  ["of another program", (file: string) => change(file, "PRAGMA application_id = 1")],
  ["newer", (file: string) => change(file, "PRAGMA user_version = 99")],
] as const)("a ledger that is %s is refused with a clear error, and left as it is", async ([, spoil]) => {
  const desk = await syncedDesk();
  spoil(desk.file);
  const before = readFileSync(desk.file);
  for (const line of everyReader) {
    const ended = await desk.onDay("2026-10-20", line);
    expect({ line, exit: ended.exit, stdout: ended.stdout }).toEqual({ line, exit: 3, stdout: "" });
    expect(ended.stderr).toMatch(/The ledger \S+ledger\.db is (?:damaged|newer than this partner)/);
  }
  expect(readFileSync(desk.file).equals(before)).toBe(true);
});

test.for([
  [
    "a row",
    "UPDATE entries SET raw = '{\"tranRefNo\":' WHERE reference = 'R7'",
    [`ledger statement ${wallet} --month 2026-10`],
  ],
  ["a row that is no object", "UPDATE entries SET raw = '7' WHERE reference = 'R7'", ["find R7 --offline"]],
  ["what the index says", "UPDATE terms SET postings = x'ffffffffffffffffff'", ["find R7 --offline"]],
  ["which rows the index is of", "UPDATE term_pieces SET numbers = x''", ["find R7 --offline"]],
] as const)("%s that is damaged is refused with a clear error", async ([, sql, readers]) => {
  const desk = await syncedDesk();
  change(desk.file, sql);
  for (const line of readers) {
    const { exit, stdout, stderr } = await desk.onDay("2026-10-20", line);
    expect({ line, exit, stdout }).toEqual({ line, exit: 3, stdout: "" });
    expect(stderr).toMatch(/The ledger \S+ledger\.db is damaged/);
  }
});

test("a change that the ledger refuses is not called damage, and nothing of it is stored", async () => {
  const desk = await syncedDesk();
  change(desk.file, "CREATE TRIGGER strange BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no more rows'); END");
  desk.write({ [wallet]: { lines: [...lines, { ref: "NEW", day: "2026-10-21" }] } });
  const ended = await desk.onDay("2026-10-21", "ledger sync");
  expect(ended).toMatchObject({ exit: 3, stdout: "" });
  expect(ended.stderr).toMatch(/The ledger \S+ledger\.db refuses a change: no more rows\.\n/);
  expect(ended.stderr).toContain("partner ledger status");
  expect(ended.stderr).not.toContain("backup");
  change(desk.file, "DROP TRIGGER strange");
  expect(await desk.onDay("2026-10-21", "ledger sync")).toMatchObject({ exit: 0 });
  const status = await desk.onDay("2026-10-21", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 401, state: "proved" }]);
});

test("another partner account in the same folder does not see or change the ledger", async () => {
  const desk = await syncedDesk();
  const as = (line: string) => desk.onDay("2026-10-20", line, { environment: { PARTNER_ACCOUNT_ID: "b" } });
  expect(await as(`ledger statement ${wallet} --month 2026-10`)).toMatchObject({ exit: 9, stdout: "" });
  expect((await as('ledger sql "SELECT * FROM rows" --csv')).stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(await as("find R7 --offline")).toMatchObject({ exit: 4, stdout: "" });
  expect(await as("report cash --month 2026-10")).toMatchObject({ exit: 9, stdout: "" });
  desk.write({ [wallet]: { lines: [{ ref: "OTHER", day: "2026-10-20" }] } });
  expect((await as("ledger sync --start-date 2026-10-01 --quiet")).exit).toBe(0);
  const kept = await desk.onDay("2026-10-20", `ledger statement ${wallet} --month 2026-10 --columns tranRefNo --csv`);
  expect(kept.stdout).not.toContain("OTHER");
  expect(kept.stdout.trimEnd().split("\n")).toHaveLength(401);
});

test("a full disk ends a sync with 3, and the next sync goes on without a loss", async ({ skip }) => {
  const disk = smallDisk(400);
  skip(disk === undefined, noSmallDisk);
  if (disk === undefined) return;
  const desk = await ledgerDesk();
  const environment = { PARTNER_STATE_DIR: join(disk.folder, "state") };
  mkdirSync(environment.PARTNER_STATE_DIR, { mode: 0o700 });
  desk.write({ [wallet]: { lines: lines.slice(0, 20) } });
  const sync = () => desk.onDay("2026-10-20", "ledger sync --start-date 2026-10-01", { environment });
  expect(await sync()).toMatchObject({ exit: 0 });
  desk.write({ [wallet]: { lines } });
  disk.fill();
  const full = await sync();
  expect(full).toMatchObject({ exit: 3, stdout: "" });
  expect(full.stderr).toContain("the disk is full");
  disk.empty();
  disk.grow(2_000);
  expect(await sync()).toMatchObject({ exit: 0 });
  const status = await desk.onDay("2026-10-20", "ledger status --json", { environment });
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 400, state: "proved" }]);
});

test("after a sync was killed while rows arrived, two syncs at the same time both succeed", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines, pausesAfter: 200 } });
  const started = () =>
    spawn(process.execPath, [program, "ledger", "sync", "--start-date", "2026-10-01"], {
      env: { ...process.env, ...desk.environment, PARTNER_CONFIG_DIR: join(desk.folder, "config") },
      stdio: "ignore",
    });
  const killed = started();
  await desk.paused;
  killed.kill("SIGKILL");
  await once(killed, "exit");
  desk.write({ [wallet]: { lines } });
  const both = [started(), started()].map(async (child) => (await once(child, "exit"))[0]);
  expect(await Promise.all(both)).toEqual([0, 0]);
  const status = await desk.onDay("2026-10-20", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: 400, closing: 40_000, changed: 0, state: "proved" }]);
});

test("the ledger has no secrets in it, and reading commands create no file", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines } });
  await desk.onDay("2026-10-20", "ledger status");
  expect(existsSync(join(desk.folder, "state"))).toBe(false);
  await desk.onDay("2026-10-20", "ledger sync --start-date 2026-10-01");
  const files = readdirSync(join(desk.folder, "state")).map((name) => readFileSync(join(desk.folder, "state", name)));
  for (const bytes of files) expect(bytes.includes("secret-key")).toBe(false);
});

test("an account that the service no longer has keeps its rows, and is not proved", async () => {
  const desk = await syncedDesk();
  desk.write({ "1": { lines: [] } });
  const synced = await desk.onDay("2026-10-21", "ledger sync --quiet");
  expect(synced.exit).toBe(5);
  expect(synced.stderr).toContain(`Not synced: 1 of 2 accounts (${wallet})`);
  const status = await desk.onDay("2026-10-21", "ledger status --json");
  expect(status.exit).toBe(9);
  expect(JSON.parse(status.stdout)).toMatchObject([
    { account: "1", state: "proved" },
    { account: wallet, rows: 400, live: null, state: "unsynced" },
  ]);
});

test("a sync with a later --start-date leaves no gap after the days read before", async () => {
  const desk = await syncedDesk();
  const synced = await desk.onDay("2026-12-05", "ledger sync --start-date 2026-12-01");
  expect(synced).toMatchObject({ exit: 0 });
  expect(synced.asked[0]).toBe(`${wallet} 2026-10-01 2026-10-31`);
});

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
