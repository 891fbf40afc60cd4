import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A service may book a row with an earlier value date and sort its statements by value date. The ledger follows the
// balances in the order of the statement: days that do not follow are broken until a person accepts them.

const wallet = "9000112233";
const month: readonly Line[] = [
  { ref: "A", day: "2026-10-02" },
  { ref: "B", day: "2026-10-02" },
  { ref: "C", day: "2026-10-02" },
  { ref: "V", day: "2026-10-01" },
];
const next: Line = { ref: "D", day: "2026-10-03" };
const period = "--start-date 2026-10-01 --end-date 2026-10-02 --csv";

/** A desk with a ledger of that month, from a service that sorts by value date. */
async function desk() {
  const { onDay, write } = await ledgerDesk();
  const show = (lines: readonly Line[]) => write({ [wallet]: { lines, isByValueDate: true } });
  show(month);
  expect((await onDay("2026-10-02", "ledger sync --start-date 2026-10-01")).exit).toBe(0);
  return {
    onDay,
    show,
    accept: async (day: string, ref: string) =>
      expect((await onDay(day, `ledger accept ${wallet} --row ${ref} --evidence letter`)).exit).toBe(0),
    status: async (day: string) => {
      const { exit, stdout } = await onDay(day, "ledger status --json");
      return { exit, accounts: JSON.parse(stdout) as unknown };
    },
  };
}

test("a row booked last and shown first breaks the balances until both places are accepted", async () => {
  const { status, accept } = await desk();
  const broken = { rows: 4, closing: 300, live: 400, state: "broken" };
  expect(await status("2026-10-02")).toMatchObject({ exit: 9, accounts: [{ ...broken, breaksAt: "A" }] });
  await accept("2026-10-02", "A");
  expect(await status("2026-10-02")).toMatchObject({ exit: 9, accounts: [{ ...broken, breaksAt: "C" }] });
  await accept("2026-10-02", "C");
  expect(await status("2026-10-02")).toMatchObject({
    exit: 0,
    accounts: [{ ...broken, state: "proved", breaksAt: null }],
  });
});

test("ledger statement is the same as the service's own, in the order in which the service shows rows", async () => {
  const { onDay } = await desk();
  const [own, online] = [
    await onDay("2026-10-02", `ledger statement ${wallet} ${period}`),
    await onDay("2026-10-02", `wallet statement ${wallet} ${period}`),
  ];
  expect(own).toMatchObject({ exit: 0, asked: [], stdout: online.stdout });
  expect(own.stdout.split("\n").map((line) => line.split(",")[0])).toEqual(["tranRefNo", "V", "A", "B", "C", ""]);
});

test("a difference accepted at the end hides no missing row once the rows include it", async () => {
  const { onDay, show, status, accept } = await desk();
  await accept("2026-10-02", "A");
  await accept("2026-10-02", "C");
  show([...month, next]);
  expect((await onDay("2026-10-03", "ledger sync")).exit).toBe(0);
  expect(await status("2026-10-03")).toMatchObject({ exit: 9, accounts: [{ state: "broken", breaksAt: "D" }] });
  await accept("2026-10-03", "D");
  expect(await status("2026-10-03")).toMatchObject({
    exit: 0,
    accounts: [{ rows: 5, closing: 500, live: 500, state: "proved", breaksAt: null }],
  });
  // The same amount comes in again, and no statement shows it.
  show([...month, next, { ref: "M", day: "2026-10-03", isHidden: true }]);
  expect(await status("2026-10-03")).toMatchObject({
    exit: 9,
    accounts: [{ closing: 500, live: 600, state: "unsynced" }],
  });
  await onDay("2026-10-03", "ledger sync");
  expect(await status("2026-10-03")).toMatchObject({
    exit: 9,
    accounts: [{ closing: 500, live: 600, state: "broken", breaksAt: "D" }],
  });
  await accept("2026-10-03", "D");
  expect(await status("2026-10-03")).toMatchObject({
    exit: 0,
    accounts: [{ closing: 500, live: 600, state: "proved", breaksAt: null }],
  });
});
