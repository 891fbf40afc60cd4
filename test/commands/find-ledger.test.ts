import { expect, test } from "vitest";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

const wallet = "9000112233";
const other = "9000112244";
const day = "2026-10-05";
const sinceOctober = "1 payment; the ledger begins on 2026-10-01.\n";

/** A desk whose ledger has these rows of one wallet. */
async function deskWith(lines: readonly Line[], others: readonly Line[] = []) {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines }, [other]: { lines: others } });
  await desk.onDay(day, "ledger sync --start-date 2026-10-01");
  const find = async (line: string) => {
    const { stdout } = await desk.onDay(day, `find ${line} --offline --json`);
    const payments: readonly { state: string; sentence: string; events: readonly Record<string, unknown>[] }[] =
      stdout === "" ? [] : JSON.parse(stdout);
    return payments.map(({ state, sentence, events }) => ({
      state,
      sentence,
      events: events.map(({ what, account, amount, reference }) => [what, account, amount, reference].join(" ")),
    }));
  };
  return { desk, find };
}

test("find shows a payment with its fee and its reversal, and without rows of other payments", async () => {
  const { find } = await deskWith([
    { ref: "INV-7", day: "2026-10-01", narration: "0712345678 school fees" },
    { ref: "INV-7-PAYIN", day: "2026-10-01", amount: -2, narration: "SERVICE FEE FOR REF:INV-7 TXNID:T1" },
    { ref: "INV-77", day: "2026-10-02", narration: "school fees" },
    { ref: "FT9", day: "2026-10-03", amount: -100, narration: "Reversal of INV-7" },
  ]);
  const payment = {
    state: "reversed",
    sentence:
      "TZS 100.00 came into 9000112233 on 2026-10-01, reference INV-7. Its fee was TZS 2.00. It was reversed on 2026-10-03.",
    events: ["row 9000112233 100 INV-7", "fee 9000112233 -2 INV-7-PAYIN", "taken back 9000112233 -100 FT9"],
  };
  for (const what of ["INV-7", "INV-7-PAYIN", "FT9", "T1", "+255712345678", "reversal"])
    expect(await find(`"${what}"`)).toEqual([payment]);
  expect((await find("INV-77")).map(({ events }) => events)).toEqual([["row 9000112233 100 INV-77"]]);
  expect(await find("'school fees'")).toHaveLength(2);
});

test.each([
  ["a part of it came back", [-200, 50], "In all, TZS 150.00 left 9000112233."],
  ["it came back in parts", [-200, 50, 150], "In all, its rows in 9000112233 add up to zero."],
  ["more of it came back", [-200, 250], "In all, TZS 50.00 came into 9000112233."],
  ["it left in parts", [-120, -80], "In all, TZS 200.00 left 9000112233."],
])("when %s, the sentence about a payment ends with the sum of its rows", async (_, amounts, said) => {
  const { find } = await deskWith(
    amounts.map((amount, index) => ({ ref: "WD-1001", day: `2026-10-0${index + 1}`, amount, narration: "rent" })),
  );
  const [payment, ...others] = await find("WD-1001");
  expect(payment?.sentence.endsWith(` ${said}`)).toBe(true);
  expect(others).toEqual([]);
});

test("both sides of a transfer are one payment, even if this journal did not order it", async () => {
  const { find } = await deskWith(
    [{ ref: "A1", day: "2026-10-01", amount: -50, narration: "Float [T-9]" }],
    [{ ref: "B1", day: "2026-10-01", amount: 50, narration: "Float [T-9]" }],
  );
  for (const what of ["T-9", "A1", "B1", "float", "50"]) {
    const found = await find(what);
    expect(found.map(({ events }) => events)).toEqual([["row 9000112233 -50 A1", "row 9000112244 50 B1"]]);
  }
});

test("payments of several customers for the same invoice are shown separately", async () => {
  const { find } = await deskWith([
    { ref: "P1", day: "2026-10-01", narration: "for INV-9" },
    { ref: "P2", day: "2026-10-02", narration: "for INV-9" },
    { ref: "P3", day: "2026-10-02", narration: "for INV-91" },
  ]);
  expect((await find("INV-9")).map(({ events }) => events)).toEqual([
    ["row 9000112233 100 P1"],
    ["row 9000112233 100 P2"],
  ]);
});

test("new rows are read first, unless offline; when that fails, stored rows are shown with exit 5", async () => {
  const { desk } = await deskWith([{ ref: "A", day: "2026-10-01" }]);
  const lines = [
    { ref: "A", day: "2026-10-01" },
    { ref: "NEW-1", day },
  ];
  desk.write({ [wallet]: { lines }, [other]: { lines: [] } });
  const before = await desk.onDay(day, "find NEW-1 --offline");
  expect(before).toMatchObject({ exit: 4, stdout: "", asked: [] });
  expect(before.stderr).toContain(
    'Nothing was found for "NEW-1" in the journal, the webhook inbox and the ledger (2 accounts, from 2026-10-01 up to 2026-10-05).',
  );
  expect(await desk.onDay(day, "find NEW-1")).toMatchObject({ exit: 0, stderr: sinceOctober });
  desk.write({ [wallet]: { lines, isDown: true }, [other]: { lines: [] } });
  const down = await desk.onDay(day, "find NEW-1");
  expect(down.exit).toBe(5);
  expect(down.stdout).toContain("reference NEW-1");
});

test("a payment before the ledger's first day is not found, and the hint says how to read it", async () => {
  const desk = await ledgerDesk();
  const lines = [
    { ref: "INV-30", day: "2026-09-30" },
    { ref: "INV-31", day: "2026-10-02" },
  ];
  desk.write({ [wallet]: { lines }, [other]: { lines: [] } });
  await desk.onDay(day, "ledger sync");
  const { exit, stderr } = await desk.onDay(day, "find INV-30");
  expect({ exit, stderr }).toEqual({
    exit: 4,
    stderr: `Error: Nothing was found for "INV-30" in the journal, the webhook inbox and the ledger (2 accounts, from 2026-10-01 up to 2026-10-05).
Hint: Look for another spelling, or for the reference in the statement; for earlier days: partner ledger sync --start-date 2026-09-01
`,
  });
  await desk.onDay(day, "ledger sync --start-date 2026-09-01");
  expect(await desk.onDay(day, "find INV-30")).toMatchObject({
    exit: 0,
    stderr: "1 payment; the ledger begins on 2026-09-01.\n",
  });
});

test("when accounts begin on different days, the latest beginning is named", async () => {
  const desk = await ledgerDesk();
  const lines = [
    { ref: "A", day: "2026-09-02" },
    { ref: "B", day: "2026-10-02" },
  ];
  desk.write({ [wallet]: { lines }, [other]: { lines: [] } });
  await desk.onDay(day, `ledger sync ${wallet} --start-date 2026-09-01`);
  await desk.onDay(day, `ledger sync ${other} --start-date 2026-10-03`);
  const { stdout, stderr } = await desk.onDay(day, "find 100 --offline --json");
  expect(JSON.parse(stdout)).toHaveLength(2);
  expect(stderr).toBe("2 payments; the ledger begins on 2026-10-03.\n");
  const none = await desk.onDay(day, "find C --offline");
  expect(none.stderr).toContain("the ledger (2 accounts, from 2026-10-03 up to 2026-10-05).");
  expect(none.stderr).toContain("partner ledger sync --start-date 2026-10-01");
});

test("accounts that were read on different days are said to share no day", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [] }, [other]: { lines: [] } });
  await desk.onDay("2026-10-03", `ledger sync ${wallet}`);
  await desk.onDay(day, `ledger sync ${other} --start-date ${day}`);
  const { stderr } = await desk.onDay(day, "find C --offline");
  expect(stderr).toContain("the ledger (2 accounts that share no day).");
});

test("a search that begins the ledger says only what it found and from which day on it looked", async () => {
  const desk = await ledgerDesk();
  desk.write({ [wallet]: { lines: [{ ref: "INV-7", day: "2026-10-01" }] } });
  const { exit, stderr } = await desk.onDay(day, "find INV-7 --json");
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: sinceOctober });
  const before = await desk.onDay(day, "ledger status --as-of 2026-10-01T08:00:00+03:00");
  expect(before.exit).toBe(9);
  expect(before.stdout + before.stderr).toContain(`Not proved: ${wallet} is unsynced.`);
});

test("rows of a different reference with the same beginning are never joined", async () => {
  const { find } = await deskWith([
    { ref: "SAL-4", day: "2026-10-01" },
    { ref: "SAL-40", day: "2026-10-01" },
    { ref: "X1", day: "2026-10-01", amount: -100, narration: "SAL-40 back" },
    { ref: "X2", day: "2026-10-01", amount: -100, narration: "SAL-4/2 back" },
  ]);
  expect((await find("SAL-4")).map(({ events }) => events)).toEqual([["row 9000112233 100 SAL-4"]]);
});
