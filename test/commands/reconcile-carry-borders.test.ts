import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { carryDesk } from "./carry-desk.ts";
import type { Line } from "./month.ts";

// The next month reads the last days of a month again: what was matched in the earlier month stays matched there.

const columns = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

test("an entry of September's last days that matched an earlier row does not match October's row", async () => {
  const { reconcile } = carryDesk();
  const book = "RENT,-500.00,2026-09-30\n";
  const september: readonly Line[] = [["RENT", "2026-09-27", "-500.00"]];
  const first = await reconcile("2026-09", september, book);
  expect(first).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^matched,RENT/) });
  // The rent of October is not booked.
  const october: readonly Line[] = [...september, ["RENT", "2026-10-28", "-500.00"]];
  expect(await reconcile("2026-10", october, book)).toMatchObject({
    exit: 9,
    stdout: "probable,RENT,-500.00,-500.00,in the book RENT on 2026-09-30\n",
  });
  const booked = await reconcile("2026-10", october, `${book}RENT,-500.00,2026-10-28\n`);
  expect(booked).toMatchObject({ exit: 0, stdout: "matched,RENT,-500.00,-500.00,\n" });
});

test("a booked rent that is not yet paid is in transit, even if September's was paid on its last day", async () => {
  const { openIn, reconcile } = carryDesk();
  const september: readonly Line[] = [["RENT", "2026-09-30", "-500.00"]];
  expect(await reconcile("2026-09", september, "RENT,-500.00,2026-09-30\n")).toMatchObject({ exit: 0 });
  // A book with October alone.
  const second = await reconcile("2026-10", september, "RENT,-500.00,2026-10-31\n");
  expect(second).toMatchObject({ exit: 0, stdout: "in transit,RENT,,-500.00,not in the statement yet\n" });
  expect(openIn("2026-10")).toMatchObject([{ side: "book", amount: -500 }]);
  const third = await reconcile("2026-11", [...september, ["RENT", "2026-11-02", "-500.00"]], "");
  expect(third).toMatchObject({ exit: 0, stdout: expect.stringContaining("carried from 2026-10") });
});

test("a difference of the last days is carried unchanged from month to month", async () => {
  const { reconcile } = carryDesk();
  const september: readonly Line[] = [["Q1", "2026-09-29", "+20.00"]];
  const book = "Q1,15.00,2026-09-29\n";
  expect((await reconcile("2026-09", september, book)).exit).toBe(9);
  for (const month of ["2026-10", "2026-11"])
    expect(await reconcile(month, september, book)).toMatchObject({
      exit: 9,
      stdout: "only in statement,Q1,5.00,,carried from 2026-09\n",
    });
});

test("a window longer than a month does not change a carried difference", async () => {
  const { reconcile } = carryDesk();
  const september: readonly Line[] = [["Q1", "2026-09-04", "+20.00"]];
  // In November the window reaches the entry but no longer the row.
  const run = (month: string) => reconcile(month, september, "Q1,-1.00,2026-09-30\n", `--window 40d ${columns}`);
  expect((await run("2026-09")).exit).toBe(9);
  for (const month of ["2026-10", "2026-11"])
    expect((await run(month)).stdout).toBe("only in statement,Q1,21.00,,carried from 2026-09\n");
});

test("an entry booked later with a date in the last days still matches the next month's row", async () => {
  const { reconcile } = carryDesk();
  const september: readonly Line[] = [["SALE-1", "2026-09-29", "+10.00"]];
  expect((await reconcile("2026-09", september, "SALE-1,10.00,2026-09-29\n")).exit).toBe(0);
  const rows: readonly Line[] = [...september, ["SALE-2", "2026-10-01", "+30.00"]];
  const second = await reconcile("2026-10", rows, "SALE-1,10.00,2026-09-29\nSALE-2,30.00,2026-09-30\n");
  expect(second).toMatchObject({ exit: 0, stdout: "matched,SALE-2,30.00,30.00,in the book on 2026-09-30\n" });
});

test("a row that resembles only an earlier month's entry stays open and is carried", async () => {
  const { reconcile } = carryDesk();
  const book = "RENT,-500.00,2026-09-05\n";
  const rents: readonly Line[] = [
    ["RENT", "2026-09-05", "-500.00"],
    ["RENT", "2026-10-05", "-500.00"],
  ];
  await reconcile("2026-09", rents, book);
  const october = await reconcile("2026-10", rents, book, "--book-opening 999500 --json --quiet");
  expect(JSON.parse(october.stdout)).toMatchObject({ closing: 999_000, closingPerBook: 999_500, unexplained: 0 });
  const november = await reconcile("2026-11", rents, `${book}RENT,-500.00,2026-11-03\n`);
  expect(november).toMatchObject({
    exit: 0,
    stdout: "matched,RENT,-500.00,-500.00,in the book on 2026-11-03; carried from 2026-10\n",
  });
});

test("a fee that the book deducted a month early is matched when the bank takes it", async () => {
  const { reconcile } = carryDesk();
  const rows: readonly Line[] = [
    ["P1", "2026-09-30", "+1000.00"],
    ["P1-PAYIN", "2026-10-01", "-20.00"],
  ];
  const first = await reconcile("2026-09", rows, "P1,980.00,2026-09-30\n");
  expect(first).toMatchObject({ exit: 9, stdout: expect.stringMatching(/^net of fee,P1/) });
  const json = "--book-opening 1000980 --json --quiet";
  const second = await reconcile("2026-10", rows, "", json);
  expect(second.exit).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({
    unexplained: 0,
    rows: [{ class: "matched", reference: "P1-PAYIN", note: "in the book on 2026-09-30; carried from 2026-09" }],
  });
});

test("a duplicate payment is cleared by an entry booked in the next month", async () => {
  const { reconcile } = carryDesk();
  const september: readonly Line[] = [
    ["B", "2026-09-04", "+5.00"],
    ["B", "2026-09-04", "+5.00"],
  ];
  const book = "B,5.00,2026-09-04\nB,5.00,2026-10-01\n";
  const first = await reconcile("2026-09", september, book);
  expect(first).toMatchObject({ exit: 9, stdout: expect.stringMatching(/^duplicate,B/) });
  const second = await reconcile("2026-10", september, book, "--book-opening 1000005 --json --quiet");
  expect(JSON.parse(second.stdout).rows).toMatchObject([
    { class: "matched", note: expect.stringContaining("carried") },
  ]);
});

test.each([
  ['{"from":"soon","items":[]}', "the last days of a month begin on no day"],
  ['{"from":"2026-09-29","items":[{"side":"bank"}]}', "an item is neither of the statement nor of the book"],
  ["[]", "it has no last days of a month"],
])("a carry file whose last days are %s is refused", async (written, why) => {
  const { carry, reconcile } = carryDesk();
  writeFileSync(carry, `{"version":1,"account":"42","months":{"2026-09":[]},"reconciled":{"2026-09":${written}}}`);
  expect(await reconcile("2026-10", [], "")).toMatchObject({ exit: 2, stderr: expect.stringContaining(why) });
});
