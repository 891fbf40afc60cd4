import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A row without a value date belongs to no month, so it does not show where the rows of a month go.

const wallet = "9000112233";
const undated = (ref: string, day: string): Line => ({ ref, day, amount: -7, more: { valueDate: "" } });
const rows = {
  A: { ref: "A", day: "2026-09-01", amount: 1200 },
  M: { ref: "M", day: "2026-10-10", amount: 4 },
  B: { ref: "B", day: "2026-10-20", amount: -30 },
  C: { ref: "C", day: "2026-11-10", amount: 5 },
  D: { ref: "D", day: "2026-11-20", amount: 5 },
  late: { ref: "L", day: "2026-10-25", amount: 3 },
  early: { ref: "E", day: "2026-11-01", amount: 3 },
  first: undated("N", "2026-09-01"),
  middle: undated("N", "2026-10-24"),
  next: undated("N", "2026-11-05"),
  last: undated("N", "2026-11-10"),
  second: undated("O", "2026-11-05"),
};
const { A, M, B, C, D, late, early, first, middle, next, last, second } = rows;

interface Story {
  readonly before: readonly Line[];
  readonly from?: string;
  readonly after: readonly Line[];
  readonly sync: string;
}

const stories: readonly (readonly [string, Story])[] = [
  [
    "a late row of a month before it",
    { before: [A, B, C, last, D], after: [A, B, late, C, last, D], sync: "2026-09-01" },
  ],
  [
    "a late row of a month after it",
    { before: [A, first, B, C], after: [A, first, B, early, C, D], sync: "2026-11-01" },
  ],
  ["the next months, where it is the first row", { before: [first, A], after: [first, A, C, D], sync: "2026-09-01" }],
  ["the next months, where it is the only row", { before: [first], after: [first, C, D], sync: "2026-09-01" }],
  [
    "earlier months, where it is the first row",
    { before: [last, D], from: "2026-11-01", after: [A, B, last, D], sync: "2026-09-01" },
  ],
  ["a late row that the service shows before it", { before: [next, C], after: [early, next, C], sync: "2026-09-01" }],
  [
    "late rows on both sides, where its month has no other row",
    { before: [A, middle, C], after: [A, B, middle, late, C], sync: "2026-09-01" },
  ],
  [
    "a late row before it, where it is the last row and its month has no other",
    { before: [A, middle], after: [A, B, middle], sync: "2026-09-01" },
  ],
  [
    "late rows on both sides, where it is the first row and its month has no other",
    { before: [middle, C], after: [B, middle, late, C], sync: "2026-09-01" },
  ],
  [
    "the last row of the month before it",
    { before: [A, B, next, C], after: [A, B, late, next, C], sync: "2026-09-01" },
  ],
  [
    "the last row of the month before it, where it is the last row",
    { before: [A, B, next], after: [A, B, late, next], sync: "2026-09-01" },
  ],
  [
    "a row of the month before it that was booked after it, where it was the last row",
    { before: [A, B, next], after: [A, B, next, late], sync: "2026-10-01" },
  ],
  [
    "the first row of the month before it, where it is the last row",
    { before: [A, next], after: [A, B, next], sync: "2026-09-01" },
  ],
  [
    "a row behind the second of two, where the first is before other rows of its month",
    { before: [A, first, M, B, second], after: [A, first, M, B, second, late], sync: "2026-10-01" },
  ],
  ["earlier months", { before: [A, B, C, last, D], from: "2026-11-01", after: [A, B, C, last, D], sync: "2026-09-01" }],
];

/** The rows of a ledger after two readings, in its order, and the exit code of its status. */
async function readTwice({ before, from = "2026-09-01", after, sync }: Story, environment: Environment = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (day: string, line: string) => onDay(day, line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("2026-11-25", "journal migrate");
  write({ [wallet]: { lines: before } });
  expect(await partner("2026-11-25", `ledger sync --start-date ${from}`)).toMatchObject({ exit: 0, stderr: "" });
  write({ [wallet]: { lines: after } });
  expect(await partner("2026-12-25", `ledger sync --start-date ${sync}`)).toMatchObject({ exit: 0, stderr: "" });
  const first = from < sync ? from : sync;
  const shown = `ledger statement ${wallet} --start-date ${first} --columns tranRefNo --csv`;
  const { stdout } = await partner("2026-12-25", shown);
  const { exit } = await partner("2026-12-25", "ledger status");
  return { rows: stdout.trim().split("\n").slice(1), exit };
}

type Environment = Readonly<Record<string, string>>;

test.each(stories)("beside a row without a value date, a ledger finds the place of %s", async (_, story) => {
  expect(await readTwice(story)).toEqual({ rows: story.after.map(({ ref }) => ref), exit: 0 });
});

const firstUnread = { ...first, unread: "seven" };
const lastUnread = { ...last, unread: "seven" };

test.each([
  [
    "late rows of earlier months before it, where it is the first row",
    { before: [lastUnread, D], after: [A, B, lastUnread, D], sync: "2026-09-01" },
  ],
  [
    "a late row of a later month behind it, where rows are on both sides",
    { before: [A, firstUnread, C], after: [A, firstUnread, B, C], sync: "2026-09-01" },
  ],
] satisfies typeof stories)(
  "beside a row without a value date or a readable amount, a ledger finds the place of %s",
  async (_, story) => {
    expect(await readTwice(story)).toEqual({ rows: story.after.map(({ ref }) => ref), exit: 9 });
  },
);

test("a late row finds its place beside a row that was booked with an earlier value date", async () => {
  const backdated = { ref: "V", day: "2026-10-31", amount: 4 };
  const more = { ref: "L", day: "2026-11-15", amount: 3 };
  const after = [B, C, backdated, more, D];
  const story = { before: [B, C, backdated, D], from: "2026-10-01", after, sync: "2026-10-01" };
  expect(await readTwice(story)).toEqual({ rows: after.map(({ ref }) => ref), exit: 0 });
});

test("a row without a value date that one month shows is kept when the next month omits it", async () => {
  const { onDay, write } = await ledgerDesk();
  const opening = { ref: "A", day: "2026-08-14", amount: 4 };
  const hidden = { ref: "H", day: "2026-08-20", amount: -5 };
  const shown = { ...undated("U", "2026-09-18"), amount: 5 };
  write({ [wallet]: { lines: [opening, hidden, shown] } });
  await onDay("2026-10-06", "ledger sync --start-date 2026-08-01");
  write({ [wallet]: { lines: [opening, { ...hidden, isHidden: true }, shown] } });
  await onDay("2026-10-06", "ledger sync --start-date 2026-08-01");
  const { stdout } = await onDay("2026-10-06", "ledger status --csv --columns rows,state");
  expect(stdout).toBe("rows,state\n2,broken\n");
});

/** A month whose only row has no value date, before a month that shows that rows come newest first. */
async function readsNewestFirst(environment: Environment = {}) {
  const { onDay, write } = await ledgerDesk();
  const partner = (line: string) => onDay("2026-11-25", line, { environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await partner("journal migrate");
  write({ [wallet]: { lines: [first, B, late, C], isNewestFirst: true } });
  await partner("ledger sync --start-date 2026-09-01");
  const { stdout } = await partner("ledger status --csv --columns rows,state");
  return stdout;
}

test("a sync keeps a row without a value date when a later month turns out to be newest first", async () => {
  expect(await readsNewestFirst()).toBe("rows,state\n4,proved\n");
});

withPostgres("a shared ledger", (server) => {
  test.each(stories)("with a row without a value date finds the place of %s", async (_, story) => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await readTwice(story, environment)).toEqual({ rows: story.after.map(({ ref }) => ref), exit: 0 });
  });

  test("keeps a row without a value date when a later month turns out to be newest first", async () => {
    const environment = { PARTNER_JOURNAL_URL: await server.newDatabase(), PARTNER_CONFIG_DIR: temporaryFolder() };
    expect(await readsNewestFirst(environment)).toBe("rows,state\n4,proved\n");
  });
});
