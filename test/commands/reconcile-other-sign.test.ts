import { expect, test } from "vitest";
import type { Line } from "./month.ts";
import { october } from "./month.ts";

// A book may count incoming money as negative, or swap its two columns.

const statement: readonly Line[] = [
  ["A", "2026-10-01", "+1234.50"],
  ["B", "2026-10-02", "-2000.00"],
];
const sides = "--book-debit Out --book-credit In";

test("a book whose two columns are swapped gets a hint", async () => {
  const book = "reference,Out,In,date\nA,1234.50,,2026-10-01\nB,,2000,2026-10-02\n";
  const wrong = await october(statement, book, sides);
  expect(wrong.exit).toBe(9);
  expect(wrong.stderr).toContain("Hint: every amount of the book fits with the other sign only. Credit is money in:");
  const right = await october(statement, book, "--book-debit In --book-credit Out");
  expect(right.exit).toBe(0);
  expect(right.stderr).not.toContain("other sign");
});

test.each([
  ["", "A,-1234.50,2026-10-01,\nB,2000.00,2026-10-02,\n", "Above zero is money in: change the signs"],
  ["", "V-1,-1234.50,2026-10-01,\nV-2,2000.00,2026-10-02,\n", "Above zero is money in: change the signs"],
  ["--book-direction way", "A,1234.50,2026-10-01,DR\nB,2000.00,2026-10-02,CR\n", "CR is money in: swap CR and DR"],
])("a book whose signs are all reversed gets a hint: %s %j", async (flags, rows, way) => {
  const { exit, stderr } = await october(statement, `reference,amount,date,way\n${rows}`, flags);
  expect(exit).toBe(9);
  expect(stderr).toContain(`Hint: every amount of the book fits with the other sign only. ${way}`);
});

test("a book with right or mixed signs gets no hint about signs", async () => {
  for (const rows of ["A,1234.50,2026-10-01\nB,2000.00,2026-10-02\n", "A,1234.50,2026-10-01\nB,-2000.00,2026-10-02\n"])
    expect((await october(statement, `reference,amount,date\n${rows}`)).stderr).not.toContain("other sign");
});

test("reversed signs are recognised even if a payment and its reversal fit either way", async () => {
  const reversed: readonly Line[] = [...statement, ["R", "2026-10-03", "-500.00"], ["R", "2026-10-04", "+500.00"]];
  const rows = "A,-1234.50,2026-10-01\nB,2000.00,2026-10-02\nR,500.00,2026-10-03\nR,-500.00,2026-10-04\n";
  for (const book of [rows, rows.replaceAll(/^./gm, "V-$&")]) {
    const { exit, stderr } = await october(reversed, `reference,amount,date\n${book}`);
    expect(exit).toBe(9);
    expect(stderr).toContain("Hint: every amount of the book fits with the other sign only.");
  }
});

test("a payment and its reversal alone give no hint about signs", async () => {
  const reversed: readonly Line[] = [
    ["R", "2026-10-03", "-500.00"],
    ["R", "2026-10-04", "+500.00"],
  ];
  const { stderr } = await october(reversed, "reference,amount,date\nR,500.00,2026-10-03\nR,-500.00,2026-10-04\n");
  expect(stderr).not.toContain("other sign");
});
