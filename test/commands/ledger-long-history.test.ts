import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTransport } from "../../src/host/http/http-transport.ts";
import type { Transport, TransportSettings } from "../../src/host/http/transport.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const program = join(import.meta.dirname, "../../bin/partner.js");
/** More rows than a sync inserts by itself: most of them go through a thread. */
const count = 5_000;
const narrations = [
  "rent",
  "Zoë Mwangá, malipo",
  'a "quoted" word \\ and a\nline',
  "नमस्ते 😀",
  "nothing \u0000 here",
  "half a \ud83d pair",
  "",
] as const;

function linesOf(more: Partial<Record<number, Partial<Line>>> = {}): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: index % 7 === 0 ? `R${index - 1}-PAYIN` : `R${index}`,
    day: `2026-10-${String(1 + Math.floor(index / 250)).padStart(2, "0")}`,
    // Cents of the largest amounts are beyond what a double holds exactly.
    amount: index % 11 === 0 ? -(index % 50) - 1 : index % 1000 === 999 ? 2e14 : 100,
    narration: narrations[index % narrations.length] ?? "",
    ...(index % 5 === 0 ? { more: { senderAccountName: `Payer ${index}`, senderAccountNo: `2557120${index}` } } : {}),
    ...more[index],
  }));
}

const sync = "ledger sync --start-date 2026-10-01";

test("a long history is stored byte for byte, proved, and searchable", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: linesOf() } });
  expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  for (const format of ["json", "csv"]) {
    const period = `${wallet} --start-date 2026-10-01 --end-date 2026-10-20 --output ${format}`;
    const kept = await desk.onDay("2026-10-20", `ledger statement ${period}`);
    const given = await desk.onDay("2026-10-20", `wallet statement ${period}`);
    const [one, other] = [kept, given].map(({ stdout }) => stdout.split(format === "csv" ? "\n" : "},"));
    expect(one?.find((line, at) => line !== other?.[at])).toBeUndefined();
    expect(kept.stdout === given.stdout && kept.stdout.length > count * 50).toBe(true);
  }
  const status = await desk.onDay("2026-10-20", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: count, late: 0, changed: 0, state: "proved" }]);
  for (const [what, rows] of [
    ["R4999", 1],
    ['"Payer 4985"', 1],
    ["R4808", 2],
  ] as const) {
    const found = await desk.onDay("2026-10-20", `find ${what} --offline --json`);
    expect(JSON.parse(found.stdout)).toMatchObject([{ events: Array.from({ length: rows }, () => ({})) }]);
  }
  const sums = await desk.onDay(
    "2026-10-20",
    'ledger sql "SELECT count(*) AS rows, sum(is_fee) AS fees, count(DISTINCT day) AS days, sum(amount_minor < 0) AS wrong FROM rows" --csv',
  );
  expect(sums.stdout).toBe("rows,fees,days,wrong\n5000,715,20,0\n");
});

test("a break in a long history is noticed, and the next sync changes nothing", async () => {
  const desk = await ledgerDesk();
  const lines = linesOf({ 4100: { jump: 3 }, 4101: { jump: -3 } });
  desk.write({ [wallet]: { lines } });
  const breaks = async () => JSON.parse((await desk.onDay("2026-10-20", "ledger status --json")).stdout);
  expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
  const broken = await breaks();
  expect(broken).toMatchObject([{ rows: count, state: "broken", breaksAt: "R4100" }]);
  expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
  expect(await breaks()).toEqual(broken);
});

test("a long history whose sync was killed is complete after the next sync", async () => {
  const desk = await ledgerDesk();
  const lines = linesOf();
  desk.write({ [wallet]: { lines, pausesAfter: 4_500 } });
  const child = spawn(process.execPath, [program, ...sync.split(" ")], {
    env: { ...process.env, ...desk.environment, PARTNER_CONFIG_DIR: join(desk.folder, "config") },
    stdio: "ignore",
  });
  await desk.paused;
  child.kill("SIGKILL");
  await once(child, "exit");
  desk.write({ [wallet]: { lines } });
  expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
  const status = await desk.onDay("2026-10-20", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: count, late: 0, changed: 0, state: "proved" }]);
});

test("a disk that fills up during a long history ends the sync with 3, and the next sync goes on", async ({ skip }) => {
  const disk = smallDisk(1_800);
  skip(disk === undefined, noSmallDisk);
  if (disk === undefined) return;
  const desk = await ledgerDesk();
  const environment = { PARTNER_STATE_DIR: join(disk.folder, "state") };
  mkdirSync(environment.PARTNER_STATE_DIR, { mode: 0o700 });
  desk.write({ [wallet]: { lines: linesOf() } });
  const full = await desk.onDay("2026-10-20", sync, { environment });
  expect(full).toMatchObject({ exit: 3, stdout: "" });
  expect(full.stderr).toContain("the disk is full");
  const first = await desk.onDay("2026-10-20", 'ledger sql "SELECT count(*) AS rows FROM rows" --json', {
    environment,
  });
  const [kept] = JSON.parse(first.stdout);
  expect(kept.rows).toBeGreaterThan(2_000);
  expect(kept.rows).toBeLessThan(count);
  disk.grow(10_000);
  expect(await desk.onDay("2026-10-20", sync, { environment })).toMatchObject({ exit: 0 });
  const status = await desk.onDay("2026-10-20", "ledger status --json", { environment });
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: count, state: "proved" }]);
});

test("days with more rows than one answer can hold are read in shorter periods", async () => {
  const desk = await ledgerDesk();
  const lines = linesOf();
  desk.write({ [wallet]: { lines } });
  // An eighth of the rows, and what surrounds them.
  const responseMaxBytes = 220_000;
  const host = {
    transport: async (settings: TransportSettings): Promise<Transport> => {
      const send = await createTransport(settings, {});
      return (request) => send({ ...request, limits: { ...request.limits, responseMaxBytes } });
    },
  };
  const first = await desk.onDay("2026-10-20", sync, { host });
  expect(first).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  expect(first.asked.length).toBeGreaterThan(8);
  const more = [...lines, { ref: "NEW", day: "2026-10-20" }];
  desk.write({ [wallet]: { lines: more } });
  expect(await desk.onDay("2026-10-20", sync, { host })).toMatchObject({ exit: 0 });
  const status = await desk.onDay("2026-10-20", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: count + 1, late: 0, changed: 0, state: "proved" }]);
});

test("a long history is stored even if no thread can be started", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: linesOf() } });
  const host = { thread: () => Promise.reject(new Error("no more threads")) };
  expect(await desk.onDay("2026-10-20", sync, { host })).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  const status = await desk.onDay("2026-10-20", "ledger status --json");
  expect(JSON.parse(status.stdout)).toMatchObject([{ rows: count, state: "proved" }]);
});

test.for([false, true])(
  "a second sync without new rows changes nothing in a long history, newest first: %s",
  async (isNewestFirst) => {
    const desk = await ledgerDesk();
    const lines = linesOf();
    desk.write({ [wallet]: { lines, isNewestFirst } });
    expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
    expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
    const changed = lines.map((line, index) => (index === 2_500 ? { ...line, narration: "another" } : line));
    const status = async () => JSON.parse((await desk.onDay("2026-10-20", "ledger status --json")).stdout);
    expect(await status()).toMatchObject([{ rows: count, late: 0, changed: 0, state: "proved" }]);
    desk.write({ [wallet]: { lines: changed, isNewestFirst } });
    expect(await desk.onDay("2026-10-20", sync)).toMatchObject({ exit: 0 });
    expect(await status()).toMatchObject([{ rows: count, late: 0, changed: 1, state: "proved" }]);
  },
);
