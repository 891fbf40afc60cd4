import { expect, test } from "vitest";
import { bookFile, statementOf } from "../../commands/month.ts";
import { ask, ok } from "../../commands/served.ts";
import { months } from "./months/months.ts";
import type { Month } from "./months/sentences.ts";
import { monthOf, namePair } from "./months/sentences.ts";

/** The minimum of ten pairs found by a person that the program must find. */
const foundOfTen = 9;
const together = new Set(["matched", "net of fee", "probable", "in transit", "differing"]);

interface Told {
  readonly class: string;
  readonly reference: string;
  readonly statementRow: number | null;
  readonly bookLine: number | null;
  readonly parts:
    | readonly { readonly reference: string; readonly date: string; readonly bookLine: number | null }[]
    | null;
}

/** The program's result for a month. */
async function reconciled(month: Month) {
  const line = `reconcile --account 42 --month 2026-10 --book ${bookFile(month.book)} --json --quiet`;
  const { stdout } = await ask(line, ok(statementOf(month.statement)), { now: Date.UTC(2026, 10, 20, 9) });
  const { rows, unexplained }: { rows: readonly Told[]; unexplained: number } = JSON.parse(stdout);
  const inPeriod = month.statement.filter(([, day]) => day.startsWith("2026-10"));
  const pairs = rows
    .filter((row) => together.has(row.class) && isPair(row))
    .map((row) => {
      const isOfBook = row.parts?.some(({ bookLine }) => bookLine !== null) === true;
      const lines = isOfBook ? (row.parts ?? []).map(({ bookLine }) => bookLine ?? 0) : [row.bookLine ?? 0];
      // Two parts with the same reference and day cannot be distinguished.
      const used = new Set<number>();
      const numbers = (isOfBook ? null : row.parts)?.map(({ reference, date }) => {
        const at = inPeriod.findIndex(([ref, day], index) => ref === reference && day === date && !used.has(index));
        used.add(at);
        return at + 1;
      });
      return { class: row.class, name: namePair(numbers ?? [row.statementRow ?? 0], lines) };
    });
  return { pairs, unexplained };
}

/** A row of the bank after the period has no number; it is in transit with the book's entry. */
function isPair({ class: name, statementRow, bookLine, parts }: Told): boolean {
  return bookLine !== null && (statementRow !== null || parts !== null || name === "in transit");
}

test.each(Object.keys(months))("%s: no wrong pair is matched, and nothing is unexplained", async (name) => {
  const month = monthOf(name);
  const { pairs, unexplained } = await reconciled(month);
  expect(pairs.filter((pair) => pair.class === "matched" && !month.pairs.has(pair.name))).toEqual([]);
  expect(unexplained).toBe(0);
});

test("at least nine of ten pairs that a person finds are found", async () => {
  const missed: string[] = [];
  let count = 0;
  for (const name of Object.keys(months)) {
    const month = monthOf(name);
    const { pairs } = await reconciled(month);
    const found = new Set(pairs.map((pair) => pair.name));
    count += month.pairs.size;
    missed.push(...[...month.pairs].filter((pair) => !found.has(pair)).map((pair) => `${name}: ${pair}`));
  }
  expect(count).toBeGreaterThan(100);
  // If too many are missing, the list names them.
  expect(missed).toEqual(missed.slice(0, count - (count * foundOfTen) / 10));
});
