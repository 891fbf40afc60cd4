import { expect, test } from "vitest";
import { carryDesk } from "./carry-desk.ts";
import type { Line } from "./month.ts";

// The bank books rows into a month that was already reconciled.

const sales: readonly Line[] = [
  ["SALE-9", "2026-09-05", "+5.00"],
  ["SALE-10", "2026-10-05", "+7.00"],
  ["SALE-11", "2026-11-05", "+9.00"],
];
const book = "SALE-9,5.00,2026-09-05\nSALE-10,7.00,2026-10-05\nSALE-11,9.00,2026-11-05\n";

/** All rows, with a debit that the bank later booked into September. */
function withLate(day: string): readonly Line[] {
  return [...sales, ["LATE", day, "-500.00"] as const].toSorted(([, one], [, other]) => (one < other ? -1 : 1));
}

test("a row that the bank adds to a reconciled September stays open until September is reconciled again", async () => {
  const { reconcile, openIn } = carryDesk();
  expect(await reconcile("2026-09", sales, book)).toMatchObject({ exit: 0 });
  const bank = withLate("2026-09-10");
  const october = await reconcile("2026-10", bank, book);
  expect(october).toMatchObject({
    exit: 9,
    stdout:
      "only in statement,,-500.00,,came after 2026-09 was reconciled: reconcile it again\nmatched,SALE-10,7.00,7.00,\n",
  });
  const balance = "--book-opening 1000012 --json --quiet";
  const november = await reconcile("2026-11", bank, book, balance);
  expect(november.exit).toBe(9);
  expect(JSON.parse(november.stdout)).toMatchObject({
    closing: 999_521,
    closingPerBook: 1_000_021,
    unexplained: 0,
    rows: [{ class: "only in statement", statementAmount: -500, note: "carried from 2026-09" }, {}],
  });
  for (const month of ["2026-09", "2026-10", "2026-11"]) await reconcile(month, bank, book);
  expect(openIn("2026-11")).toMatchObject([{ reference: "LATE", amount: -500, since: "2026-09" }]);
});

test("a late row in September's last days is shown by its reference, and an entry in October clears it", async () => {
  const { reconcile, openIn } = carryDesk();
  await reconcile("2026-09", sales, book);
  const bank = withLate("2026-09-30");
  expect(await reconcile("2026-10", bank, book)).toMatchObject({
    exit: 9,
    stdout: expect.stringMatching(
      /^only in statement,LATE,-500\.00,,came after 2026-09 was reconciled: reconcile it again\nmatched,SALE-10/,
    ),
  });
  const json = "--book-opening 1000005 --json --quiet";
  const booked = await reconcile("2026-10", bank, `${book}LATE,-500.00,2026-10-20\n`, json);
  expect(booked.exit).toBe(0);
  expect(JSON.parse(booked.stdout)).toMatchObject({ closing: 999_512, closingPerBook: 999_512, unexplained: 0 });
  expect(openIn("2026-10")).toEqual([]);
});

test("the month after one reconciled too early reports the rows that were missing", async () => {
  const { reconcile } = carryDesk();
  await reconcile("2026-09", sales, book);
  const bank: readonly Line[] = [...sales.slice(0, 2), ["RENT", "2026-10-21", "-500.00"], ...sales.slice(2)];
  expect(await reconcile("2026-10", sales.slice(0, 2), book)).toMatchObject({ exit: 0 });
  expect(await reconcile("2026-11", bank, book)).toMatchObject({
    exit: 9,
    stdout: expect.stringContaining("only in statement,,-500.00,,came after 2026-10 was reconciled"),
  });
});
