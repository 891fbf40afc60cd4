import { expect, test } from "vitest";
import type { Line } from "../../commands/month.ts";
import { october } from "../../commands/month.ts";

/** The class and reference of each row. */
async function classes(statement: readonly Line[], book: string) {
  const { stdout, exit } = await october(statement, `reference,amount,date\n${book}`, "--json --quiet");
  const { rows }: { rows: readonly { readonly class: string; readonly reference: string }[] } = JSON.parse(stdout);
  return { exit, rows: rows.map((row) => [row.class, row.reference]) };
}

test("entries with other references do not prove a row that names none of them", async () => {
  const taken: Line = ["FT-1", "2026-10-08", "-133000.00", "Cash taken at the counter"];
  expect(await classes([taken], "RENT-MWANZA,-100000,2026-10-08\nPOSHO-7,-33000,2026-10-08\n")).toEqual({
    exit: 9,
    rows: [["probable", "FT-1"]],
  });
  expect(await classes([taken], "RENT-MWANZA,-100000,2026-10-08\n,-33000,2026-10-08\n")).toEqual({
    exit: 9,
    rows: [["probable", "FT-1"]],
  });
});

test("entries of one day without references are matched with one row of their sum", async () => {
  const paid: Line = ["FT-1", "2026-10-08", "-133000.00", "Wages"];
  expect(await classes([paid], ",-100000,2026-10-08\n,-33000,2026-10-08\n")).toEqual({
    exit: 0,
    rows: [["matched", "FT-1"]],
  });
});

test("rows of one day are matched with their total in the book", async () => {
  const paid: readonly Line[] = [
    ["FT-1", "2026-10-08", "+100000.00", "MPESA"],
    ["FT-2", "2026-10-08", "+33000.00", "MPESA"],
  ];
  expect(await classes(paid, "TAKINGS-8,133000,2026-10-08\n")).toEqual({ exit: 0, rows: [["matched", "TAKINGS-8"]] });
});

test("an entry with the exact amount of one row belongs to it, not to a sum", async () => {
  const paid: readonly Line[] = [
    ["FT-1", "2026-10-08", "-133000.00", "Cash taken at the counter"],
    ["FT-2", "2026-10-09", "-100000.00", "Landlord"],
  ];
  expect(await classes(paid, "RENT-MWANZA,-100000,2026-10-08\nPOSHO-7,-33000,2026-10-08\n")).toEqual({
    exit: 9,
    rows: [
      ["only in statement", "FT-1"],
      ["only in book", "POSHO-7"],
      ["probable", "FT-2"],
    ],
  });
});

test.for([
  [100, "probable"],
  [101, "only in statement"],
] as const)("a payment net of its fee, whose amount the book has %d times, is %s", async ([count, found]) => {
  const paid: readonly Line[] = [
    ["FT-1", "2026-10-08", "+1000.00"],
    ["FT-1-PAYIN", "2026-10-08", "-20.00"],
  ];
  const others = Array.from({ length: count - 1 }, (_, at) => `TAKINGS-${at},980,2026-10-25\n`);
  const { rows } = await classes(paid, ["INV-1,980,2026-10-08\n", ...others].join(""));
  expect(rows.find(([, reference]) => reference === "FT-1")).toEqual([found, "FT-1"]);
});
