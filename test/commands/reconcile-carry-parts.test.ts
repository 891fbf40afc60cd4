import { expect, test } from "vitest";
import { carryDesk } from "./carry-desk.ts";
import type { Line } from "./month.ts";

// A payment made in parts, months apart.

test("a payment made in three parts, months apart, is cleared by the last part", async () => {
  const { reconcile, openIn } = carryDesk();
  const bank: readonly Line[] = [
    ["INV-7", "2026-09-10", "-300.00"],
    ["INV-7", "2026-11-12", "-500.00"],
    ["INV-7", "2026-12-01", "-200.00"],
  ];
  const book = "INV-7,-1000.00,2026-09-09\n";
  expect(await reconcile("2026-09", bank, book)).toMatchObject({
    exit: 9,
    stdout: "differing,INV-7,-300.00,-1000.00,\n",
  });
  expect(await reconcile("2026-10", bank, book)).toMatchObject({
    exit: 9,
    stdout: "only in statement,INV-7,700.00,,carried from 2026-09\n",
  });
  expect(await reconcile("2026-11", bank, book)).toMatchObject({
    exit: 9,
    stdout: expect.stringMatching(/^differing,INV-7,-500\.00,-700\.00,.*carried from 2026-09"?\n$/),
  });
  const december = await reconcile("2026-12", bank, book, "--book-opening 999000 --json --quiet");
  expect(december.exit).toBe(0);
  expect(JSON.parse(december.stdout)).toMatchObject({
    closing: 999_000,
    closingPerBook: 999_000,
    unexplained: 0,
    rows: [{ class: "matched", statementAmount: -200, bookAmount: -200 }],
  });
  expect(openIn("2026-12")).toEqual([]);
});

test("two parts in one month and a third months later are also cleared", async () => {
  const { reconcile, openIn } = carryDesk();
  const bank: readonly Line[] = [
    ["INV-9", "2026-09-10", "+100.00"],
    ["INV-9", "2026-09-20", "+200.00"],
    ["INV-9", "2026-10-12", "+700.00"],
  ];
  for (const month of ["2026-09", "2026-10"]) await reconcile(month, bank, "INV-9,1000.00,2026-09-01\n");
  expect(await reconcile("2026-11", bank, "INV-9,1000.00,2026-09-01\n")).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("matched,INV-9,700.00,700.00"),
  });
  expect(openIn("2026-11")).toEqual([]);
});

test("both stay open when the bank pays the rest and the book also corrects it", async () => {
  const { reconcile } = carryDesk();
  const bank: readonly Line[] = [
    ["INV-8", "2026-09-10", "-300.00"],
    ["INV-8", "2026-10-12", "-700.00"],
  ];
  const book = "INV-8,-1000.00,2026-09-09\nINV-8,700.00,2026-10-20\n";
  await reconcile("2026-09", bank, book);
  const october = await reconcile("2026-10", bank, book, "--book-opening 999000 --json --quiet");
  expect(october.exit).toBe(9);
  expect(JSON.parse(october.stdout)).toMatchObject({ closing: 999_000, closingPerBook: 999_700, unexplained: 0 });
});
