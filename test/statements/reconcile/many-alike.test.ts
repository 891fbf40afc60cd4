import { expect, test } from "vitest";
import type { Item } from "./compared.ts";
import { told } from "./compared.ts";

/** So many that comparing each with each would take minutes. */
const many = 20_000;

test("20,000 identical rows are ambiguous", async () => {
  const statement = Array.from({ length: many }, (_, index): Item => ({
    reference: `S${index}`,
    amount: "5.00",
    day: 3,
  }));
  const book = statement.map((): Item => ({ reference: "MPESA", amount: "5.00", day: 4 }));
  const { totals, balance } = await told(statement, book, 2);
  expect(totals.filter(({ count }) => count > 0).map((total) => [total.class, total.count])).toEqual([
    ["ambiguous", many - 3 + 1],
    ["duplicate", many - 1],
  ]);
  expect(balance.unexplained?.isZero).toBe(true);
});

test("20,000 rows of one amount outside the window name the nearest entry of the other side", async () => {
  const statement = Array.from({ length: many }, (_, index): Item => ({
    reference: `S${index}`,
    amount: "5.00",
    day: 3,
  }));
  const book = statement.map((_, index): Item => ({ reference: `B${index}`, amount: "5.00", day: 12 }));
  const { rows } = await told(statement, book, 2);
  expect(rows).toHaveLength(2 * many);
  expect(rows[0]?.["note"]).toBe("the book has the same amount B0 on 2026-10-13");
});

test("a reference named by 501 rows is ignored, but their other references still match", async () => {
  const invoices = ["INV-77", "INV-78"];
  const statement = [
    ...Array.from({ length: 501 }, (_, index): Item => ({
      reference: `S${index}`,
      amount: `${index + 1}.00`,
      day: 3,
      narration: "RENT",
    })),
    ...invoices.map((name, index): Item => ({
      reference: `FT${index}`,
      amount: "-77.77",
      day: 3,
      narration: `RENT and ${name}`,
    })),
  ];
  const book: Item[] = [
    { reference: "RENT", amount: "-9999.00", day: 3 },
    ...invoices.map((reference): Item => ({ reference, amount: "-77.77", day: 3 })),
  ];
  const { totals } = await told(statement, book, 2);
  expect(totals.find((total) => total.class === "matched")?.count).toBe(2);
});
