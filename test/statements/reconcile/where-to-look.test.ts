import { expect, test } from "vitest";
import type { Line } from "../../commands/month.ts";
import { october } from "../../commands/month.ts";

const sale: Line = ["A", "2026-10-01", "+100.00"];
const matched = "reference,amount,date\nA,100.00,2026-10-01\n";

const wrong: readonly [string, readonly Line[], string, string][] = [
  ["an opening", [sale], "--book-opening 1000001", "Check the balance in --book-opening or --book-closing"],
  ["a closing", [sale], "--book-closing 1000101", "Check the balance in --book-opening or --book-closing"],
  [
    "two balances",
    [sale],
    "--book-opening 1000000 --book-closing 1000101",
    "Check the balance in --book-opening or --book-closing",
  ],
];

test.each(wrong)("when every row is matched, the hint points at the balance: %s", async (_, rows, flags, place) => {
  const { exit, stderr } = await october(rows, matched, flags);
  expect(exit).toBe(9);
  expect(stderr).toContain(`Hint: ${place}; nothing was adjusted.\n`);
});

test("the hint points at the open rows, and also at the balance if both are wrong", async () => {
  const rows: readonly Line[] = [sale, ["B", "2026-10-02", "+5.00"]];
  expect((await october(rows, matched)).stderr).toContain(
    "Hint: Look into the rows that are not matched; nothing was adjusted.\n",
  );
  expect((await october(rows, matched, "--book-opening 1000000")).stderr).toContain(
    "Hint: Look into the rows that are not matched; nothing was adjusted.\n",
  );
  expect((await october(rows, matched, "--book-opening 1000001")).stderr).toContain(
    "Hint: Look into the rows that are not matched. Check the balance in --book-opening or --book-closing; nothing was adjusted.\n",
  );
});

test("each line of the balance has its sign, and the lines add up to the book's balance", async () => {
  const rows: readonly Line[] = [sale, ["FT-1", "2026-10-08", "-133000.00"]];
  const book = `${matched}A,100.00,2026-10-01\nTRUCK,-250000.00,2026-10-12\nCHQ-9,-900000.00,2026-10-31\n`;
  const { stdout } = await october(rows, book, "--book-opening 1000000");
  expect(stdout).toContain(
    [
      "closing per statement   867,100.00",
      "payments outstanding   -900,000.00",
      "only in statement       133,000.00",
      "only in book           -250,000.00",
      "duplicate                   100.00",
      "= closing per book     -149,800.00",
    ].join("\n"),
  );
});
