import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk, toThirdVersion } from "./ledger-desk.ts";

const wallet = "9000112233";
const rent: Line = { ref: "A", day: "2026-10-01" };
const fee: Line = { ref: "B", day: "2026-10-02", amount: -30 };
const next: readonly Line[] = [
  { ref: "C", day: "2026-10-06", amount: 5 },
  { ref: "D", day: "2026-10-06", amount: 10 },
];
const evening = "--as-of 2026-10-05T20:00:00Z";

/** A desk whose rows are 5 below the balance, accepted at the last row, and its status. */
async function desk() {
  const { onDay, write, environment } = await ledgerDesk();
  const show = (lines: readonly Line[], balance: number) => write({ [wallet]: { lines, balance } });
  const ok = async (day: string, line: string) => expect(await onDay(day, line)).toMatchObject({ exit: 0 });
  show([rent, fee], 75);
  await ok("2026-10-05", "ledger sync --start-date 2026-10-01");
  return {
    show,
    file: join(environment.PARTNER_STATE_DIR, "ledger.db"),
    sync: (day: string) => ok(day, "ledger sync"),
    accept: (day: string, row: string, evidence = "hold") =>
      ok(day, `ledger accept ${wallet} --row ${row} --evidence ${evidence}`),
    ask: async (day: string, line: string): Promise<unknown> => JSON.parse((await onDay(day, line)).stdout),
    status: async (day: string, flags = "") => {
      const { exit, stdout } = await onDay(day, `ledger status --json ${flags}`);
      return { exit, accounts: JSON.parse(stdout) as unknown };
    },
  };
}

test("a difference accepted at the end no longer counts once the rows reach the balance without it", async () => {
  const { show, sync, accept, status } = await desk();
  await accept("2026-10-05", "B");
  const held = { exit: 0, accounts: [{ closing: 70, live: 75, state: "proved" }] };
  expect(await status("2026-10-05")).toMatchObject(held);
  show([rent, fee, ...next], 85);
  await sync("2026-10-06");
  const reached = { exit: 0, accounts: [{ closing: 85, live: 85, state: "proved" }] };
  expect(await status("2026-10-06")).toMatchObject(reached);
  show([rent, fee, ...next], 90);
  expect(await status("2026-10-07")).toMatchObject({ exit: 9, accounts: [{ state: "unsynced" }] });
  await sync("2026-10-07");
  expect(await status("2026-10-07")).toMatchObject({
    exit: 9,
    accounts: [{ closing: 85, live: 90, state: "broken", breaksAt: "D" }],
  });
  expect(await status("2026-10-07", evening)).toMatchObject(held);
  expect(await status("2026-10-07", "--as-of 2026-10-06T20:00:00Z")).toMatchObject(reached);
  await accept("2026-10-07", "D");
  expect(await status("2026-10-07")).toMatchObject({ exit: 0, accounts: [{ closing: 85, live: 90, state: "proved" }] });
});

test("a difference accepted at the end counts for later rows while it is needed to reach the balance", async () => {
  const { show, sync, accept, status } = await desk();
  await accept("2026-10-05", "B");
  show([rent, fee, { ref: "C", day: "2026-10-06", amount: 10 }], 85);
  await sync("2026-10-06");
  expect(await status("2026-10-06")).toMatchObject({ exit: 0, accounts: [{ closing: 80, live: 85, state: "proved" }] });
});

test("accepting a row again keeps the earlier words and what they proved at the time", async () => {
  const { show, sync, accept, status, file } = await desk();
  await accept("2026-10-05", "B", "first");
  show([rent, fee], 78);
  await sync("2026-10-06");
  expect(await status("2026-10-06")).toMatchObject({ exit: 9 });
  await accept("2026-10-06", "B", "second");
  const jumping: Line = { ...fee, jump: 3 };
  show([rent, jumping], 73);
  await sync("2026-10-07");
  await accept("2026-10-07", "B", "third");
  show([rent, { ...jumping, jump: 4 }], 74);
  await sync("2026-10-08");
  await accept("2026-10-08", "B", "fourth");
  expect(await status("2026-10-08", evening)).toMatchObject(proved(70, 75));
  expect(await status("2026-10-08", "--as-of 2026-10-06T20:00:00Z")).toMatchObject(proved(70, 78));
  expect(await status("2026-10-08")).toMatchObject(proved(74, 74));
  expect(kept(file)).toEqual(["first", "second", "third", "fourth"]);
});

test("a word from an earlier version still counts, and lapses with the sync that no longer needs it", async () => {
  const { show, sync, accept, status, file } = await desk();
  await accept("2026-10-05", "B");
  change(file, toThirdVersion);
  expect(await status("2026-10-05")).toMatchObject({ exit: 0, accounts: [{ state: "proved" }] });
  show([rent, fee, ...next], 85);
  await sync("2026-10-06");
  show([rent, fee, ...next], 90);
  await sync("2026-10-07");
  expect(await status("2026-10-07")).toMatchObject({ exit: 9, accounts: [{ state: "broken", breaksAt: "D" }] });
  expect(await status("2026-10-07", evening)).toMatchObject({ exit: 0, accounts: [{ closing: 70, live: 75 }] });
  expect(kept(file)).toEqual(["hold"]);
});

test("a word from an earlier version hides no missing row, even before the next sync", async () => {
  const { show, sync, accept, status, file } = await desk();
  await accept("2026-10-05", "B");
  show([rent, fee, ...next], 85);
  await sync("2026-10-06");
  change(file, toThirdVersion);
  expect(await status("2026-10-06")).toMatchObject({ exit: 0, accounts: [{ closing: 85, live: 85, state: "proved" }] });
  show([rent, fee, ...next], 90);
  expect(await status("2026-10-07")).toMatchObject({
    exit: 9,
    accounts: [{ closing: 85, live: 90, state: "unsynced" }],
  });
});

test("all words on breaks can be listed with name and time, and with the time when they lapsed", async () => {
  const { show, sync, accept, ask } = await desk();
  await accept("2026-10-05", "B", "first");
  show([rent, { ...fee, jump: 3 }], 73);
  await sync("2026-10-06");
  await accept("2026-10-06", "B", "second");
  const lists = "SELECT * FROM acceptances WHERE account = '9000112233'";
  expect(await ask("2026-10-06", `ledger sql "${lists}" --json`)).toEqual([
    {
      account: wallet,
      reference: "B",
      day: "2026-10-02",
      side: "after",
      gap: "5.00",
      evidence: "first",
      accepted_by: "tester",
      accepted_at: "2026-10-05T09:00:00.000Z",
      lapsed_at: "2026-10-06T09:00:00.000Z",
    },
    {
      account: wallet,
      reference: "B",
      day: "2026-10-02",
      side: "before",
      gap: "3.00",
      evidence: "second",
      accepted_by: "tester",
      accepted_at: "2026-10-06T09:00:00.000Z",
      lapsed_at: null,
    },
  ]);
  const then = await ask("2026-10-06", `ledger sql "SELECT evidence, lapsed_at FROM acceptances" ${evening} --json`);
  expect(then).toEqual([{ evidence: "first", lapsed_at: null }]);
});

function proved(closing: number, live: number) {
  return { exit: 0, accounts: [{ closing, live, state: "proved" }] };
}

/** The evidence of all words, in the order in which they were given. */
function kept(file: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  try {
    const records = database.prepare("SELECT evidence FROM acceptances ORDER BY number").all();
    return records.map(({ evidence }) => evidence);
  } finally {
    database.close();
  }
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
