import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RowStores } from "../../../src/statements/reconcile/matching/sides.ts";
import type { ResultRow } from "../../../src/statements/reconcile/result/result.ts";
import type { RowStore } from "../../../src/statements/reconcile/rows/row-store.ts";
import { Decimal } from "../../../src/values/money/decimal.ts";
import type { Item } from "./compared.ts";
import { decided, told } from "./compared.ts";

const windowDays = 2;

/** Few references, amounts and days, so that collisions are frequent. */
const items = (references: readonly string[], farDays: readonly number[]) =>
  fc.array(
    fc.record({
      reference: fc.constantFrom(...references),
      amount: fc.constantFrom("5", "5.00", "-5.00", "10", "8", "-2", "0.125", "-0.125", "123456789012345678.90", "0"),
      day: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constantFrom(...farDays)),
    }),
    { maxLength: 14 },
  );
const statements = items(["", "A", "B", "C", "A-PAYIN", "B-PAYOUT", "Z-PAYIN"], [0, 29, 30, 31, 32]);
const books = items(["", "A", "B", "D", "A-PAYIN"], [-40, 60, 29, 30, 31, 32]);
const runs = { numRuns: 200 };

test("every row of both sides in the period is in the result exactly once", () => {
  fc.assert(
    fc.property(statements, books, (statement, book) => {
      const { sides, result, findings } = decided(statement, book, windowDays);
      const named = findings
        .filter((finding) => finding.class === "ambiguous" && finding.row === undefined)
        .flatMap((finding) => result.candidatesOf(finding).named);
      const rows = findings.flatMap(({ row, rows }) => rows ?? row ?? []);
      const joined = indexes(sides.statement).filter((row) => sides.statement.verdictOf(row) === "joined");
      const told = [...rows, ...new Set(named), ...joined].filter(inPeriod(sides.statement)).toSorted((a, b) => a - b);
      expect(told).toEqual(indexes(sides.statement).filter(inPeriod(sides.statement)));
      const entries = findings.flatMap(({ entry, entries }) => entries ?? entry ?? []);
      expect(new Set(entries).size).toBe(entries.length);
      const inBook = entries.filter(inPeriod(sides.book)).toSorted((a, b) => a - b);
      expect(inBook).toEqual(indexes(sides.book).filter(inPeriod(sides.book)));
    }),
    runs,
  );
});

function isJoined({ statement }: RowStores, fee: number): boolean {
  return statement.verdictOf(fee) === "joined";
}

function inPeriod(side: RowStore): (row: number) => boolean {
  return (row) => side.isInPeriod(row);
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((a, b) => a.add(b), Decimal.zero);
}

function indexes(side: RowStore): number[] {
  return Array.from({ length: side.count }, (_, index) => index);
}

test("the class of every row is justified", () => {
  fc.assert(
    fc.property(statements, books, (statement, book) => {
      const { sides, findings } = decided(statement, book, windowDays);
      expect(findings.filter((finding) => !isTrue(finding, sides))).toEqual([]);
    }),
    runs,
  );
});

/** True if all rows and all entries have the same sum, with or without the fees deducted from the rows. */
function isWhole(rows: readonly number[], entries: readonly number[], sides: RowStores): boolean {
  const { statement, book, codes } = sides;
  const total = (numbers: readonly number[]) => numbers.reduce((a, b) => codes.sumOf(a, b), 0);
  const [stated, booked] = [
    total(rows.map((row) => statement.amountOf(row))),
    total(entries.map((one) => book.amountOf(one))),
  ];
  const fees = indexes(statement).filter(
    (fee) => isJoined(sides, fee) && rows.includes(statement.partnerOf(fee) ?? -1),
  );
  const net = codes.sumOf(stated, total(fees.map((fee) => statement.amountOf(fee))));
  return stated === booked || net === booked;
}

function isTrue({ class: name, row, entry, rows, entries }: ResultRow, sides: RowStores): boolean {
  const { statement, book, codes } = sides;
  const isNear = (one: number, other: number) =>
    statement.amountOf(one) === book.amountOf(other) &&
    Math.abs(statement.dayOf(one) - book.dayOf(other)) <= windowDays;
  const open = indexes(book).filter(
    (other) => book.partnerOf(other) === undefined && book.verdictOf(other) !== "duplicate",
  );
  if (row !== undefined && entry !== undefined) {
    const isSame = statement.keyOf(row) === book.keyOf(entry);
    const amount = statement.amountOf(row);
    // Fees with entries of their own in the book are not deducted.
    const fees = indexes(statement).filter(
      (fee) => isJoined(sides, fee) && statement.parentOf(fee) === statement.referenceOf(row),
    );
    const isNet = fees.reduce((net, fee) => codes.sumOf(net, statement.amountOf(fee)), amount) === book.amountOf(entry);
    // Entries with references of their own prove only a row of that reference.
    const isProof = (entries ?? []).every((one) => [0, statement.keyOf(row)].includes(book.keyOf(one)));
    if (rows !== undefined || entries !== undefined)
      return isWhole(rows ?? [row], entries ?? [entry], sides) && (isProof || name !== "matched");
    if (name === "probable" && isNet && amount !== book.amountOf(entry)) return true;
    if (name === "probable") return isNear(row, entry) && !open.some((other) => isNear(row, other));
    if (name === "net of fee") return isSame && isNet;
    if (name === "in transit") return book.isInPeriod(entry) !== statement.isInPeriod(row);
    const isOfParent = statement.isFee(row) && statement.parentOf(row) === book.keyOf(entry);
    return (isSame || isOfParent) && (amount === book.amountOf(entry)) === (name !== "differing");
  }
  if (name === "only in statement") return row !== undefined && !open.some((other) => isNear(row, other));
  if (name === "only in book") {
    const alone = indexes(statement).filter(
      (other) =>
        statement.partnerOf(other) === undefined &&
        !["duplicate", "orphan fee", "joined", "fee not in book"].includes(statement.verdictOf(other) ?? ""),
    );
    return entry !== undefined && !alone.some((other) => isNear(other, entry));
  }
  if (name === "in transit") return entry !== undefined && sides.span.isOfLastDays(book.dayOf(entry));
  return ["duplicate", "ambiguous", "orphan fee", "fee not in book"].includes(name);
}

test("the totals of all classes and the joined fees add up to the movements", async () => {
  await fc.assert(
    fc.asyncProperty(statements, books, async (statement, book) => {
      const inside = statement.filter(({ day }) => day >= 0 && day < 31);
      const { sides, findings } = decided(statement, book, windowDays);
      const { totals, sums } = await told(statement, book, windowDays);
      const moved = sums.credits.subtract(sums.debits).subtract(sums.fees);
      expect(moved.equals(sum(inside.map(({ amount }) => Decimal.parse(amount) ?? Decimal.zero)))).toBe(true);
      const joined = inside.filter((item) => sides.statement.verdictOf(statement.indexOf(item)) === "joined");
      const outside = findings
        .filter((finding) => finding.class !== "in transit")
        .flatMap(({ row, rows }) => rows ?? row ?? [])
        .filter((row) => !sides.statement.isInPeriod(row));
      const counted = sum([
        ...totals.map((total) => total.statement),
        ...joined.map(({ amount }) => Decimal.parse(amount) ?? Decimal.zero),
        ...outside.map((row) => sides.codes.amountOf(sides.statement.amountOf(row), 0).negate()),
      ]);
      expect(counted.toString()).toBe(counted.subtract(counted).add(moved).toString());
    }),
    runs,
  );
});

test("closing per statement and the open items add up to closing per book", async () => {
  await fc.assert(
    fc.asyncProperty(statements, books, async (rows, book) => {
      const statement = rows.toSorted((a, b) => a.day - b.day);
      const { sides, findings } = decided(statement, book, windowDays);
      // An item on one side before the period and on the other in it was open when the period began.
      const amountOf = (side: RowStore, row: number) => sides.codes.amountOf(side.amountOf(row), 0);
      const before = (side: RowStore) => (one: number) => sides.span.sideOf(side.dayOf(one)) < 0;
      const cleared = findings.map(({ row, entry, rows, entries }) => {
        if (row === undefined || entry === undefined) return Decimal.zero;
        const early = (entries ?? [entry]).filter(before(sides.book)).map((one) => amountOf(sides.book, one));
        const fees = indexes(sides.statement).filter((fee) => isJoined(sides, fee) && fee !== row);
        const own = fees.filter((fee) => (rows ?? [row]).includes(sides.statement.partnerOf(fee) ?? -1));
        const late = [...(rows ?? [row]), ...own]
          .filter(before(sides.statement))
          .map((one) => amountOf(sides.statement, one));
        return sum(early).subtract(sum(late));
      });
      // A fee in the period on a payment before it was already deducted in the book before the period.
      const taken = indexes(sides.statement)
        .filter((fee) => isJoined(sides, fee) && sides.statement.isInPeriod(fee))
        .filter((fee) => {
          const row = sides.statement.partnerOf(fee) ?? -1;
          const entry = sides.statement.partnerOf(row) ?? -1;
          return row >= 0 && entry >= 0 && before(sides.statement)(row) && before(sides.book)(entry);
        })
        .map((fee) => amountOf(sides.statement, fee));
      const { sums } = await told(statement, book, windowDays);
      const opening = (sums.opening ?? Decimal.zero).add(sum([...cleared, ...taken]));
      const { balance } = await told(statement, book, windowDays, { opening });
      const booked = book
        .filter(({ day }) => day >= 0 && day < 31)
        .map(({ amount }) => Decimal.parse(amount) ?? Decimal.zero);
      expect(balance.closingPerBook?.equals(opening.add(sum(booked)))).toBe(true);
      expect(balance.unexplained?.isZero).toBe(sums.closing === null ? undefined : true);
      const without = await told(statement, book, windowDays);
      expect(without.balance).toMatchObject({ closingPerBook: null });
      expect(without.balance.unexplained?.isZero).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("the order of the book does not matter", async () => {
  await fc.assert(
    fc.asyncProperty(statements, books, fc.infiniteStream(fc.nat()), async (statement, book, keys) => {
      const shuffled = book.map((item) => ({ item, key: keys.next().value ?? 0 })).toSorted((a, b) => a.key - b.key);
      const other = await told(
        statement,
        shuffled.map(({ item }) => item),
        windowDays,
      );
      expect(JSON.stringify(other.rows)).toBe(JSON.stringify((await told(statement, book, windowDays)).rows));
    }),
    runs,
  );
});

/** The classes of a statement row on day 10 and a book row without a common reference. */
async function classOf(day: number, window: number, amount = "5.00") {
  const statement: readonly Item[] = [{ reference: "S", amount: "5.00", day: 10 }];
  const { rows } = await told(statement, [{ reference: "B", amount, day }], window);
  return rows.map((row) => row["class"]);
}

test("rows of the same amount are paired up to the last day of the window", async () => {
  expect(await classOf(12, 2)).toEqual(["probable"]);
  expect(await classOf(8, 2)).toEqual(["probable"]);
  expect(await classOf(13, 2)).toEqual(["only in statement", "only in book"]);
  expect(await classOf(7, 2)).toEqual(["only in statement", "only in book"]);
  expect(await classOf(10, 0)).toEqual(["probable"]);
  expect(await classOf(11, 0)).toEqual(["only in statement", "only in book"]);
  expect(await classOf(10, 2, "-5.00")).toEqual(["only in statement", "only in book"]);
  expect(await classOf(10, 2, "5.001")).toEqual(["only in statement", "only in book"]);
});

test("a row repeated on both sides is matched once and a duplicate in both", async () => {
  const item: Item = { reference: "R", amount: "5.00", day: 3 };
  const { rows } = await told([item, item], [item, item], 2);
  expect(rows.map((row) => [row["class"], row["note"]])).toEqual([
    ["duplicate", "again in both, with the same reference and amount"],
    ["matched", ""],
  ]);
});

test("a monthly payment with the same reference is not a duplicate", async () => {
  const items: readonly Item[] = [
    { reference: "RENT", amount: "-500.00", day: -1 },
    { reference: "RENT", amount: "-500.00", day: 30 },
  ];
  const { rows, agrees } = await told(items, items, 2);
  expect(rows.map((row) => [row["class"], row["date"]])).toEqual([["matched", "2026-10-31"]]);
  expect(agrees).toBe(true);
});

test("a row repeated on the first day of the period is a duplicate of the day before", async () => {
  const { rows } = await told(
    [
      { reference: "R", amount: "5.00", day: -1 },
      { reference: "R", amount: "5.00", day: 0 },
    ],
    [{ reference: "R", amount: "5.00", day: -1 }],
    2,
  );
  expect(rows.map((row) => [row["class"], row["date"]])).toEqual([["duplicate", "2026-10-01"]]);
});

test("old entries of a book match by reference and amount, and are otherwise ignored", async () => {
  const { rows } = await told(
    [
      { reference: "INV-1", amount: "5.00", day: 3 },
      { reference: "RENT", amount: "-500.00", day: 4 },
      { reference: "DUES", amount: "-70.00", day: 5 },
    ],
    [
      { reference: "INV-1", amount: "5.00", day: -40 },
      { reference: "RENT", amount: "-500.00", day: -57 },
      { reference: "RENT", amount: "-500.00", day: -27 },
      { reference: "RENT", amount: "-500.00", day: 1 },
      { reference: "DUES", amount: "-65.00", day: -26 },
      { reference: "OLD", amount: "1.00", day: -60 },
      { reference: "TAX", amount: "2.00", day: -30 },
      { reference: "TAX", amount: "2.00", day: 2 },
    ],
    2,
  );
  expect(rows.map((row) => [row["class"], row["reference"], row["note"]])).toEqual([
    ["only in statement", "DUES", ""],
    ["only in book", "TAX", "28 days old on 2026-10-31"],
    ["matched", "INV-1", "in the book on 2026-08-22"],
    ["matched", "RENT", "in the book on 2026-10-02"],
  ]);
});

test("a fee that could be one of several entries is paired with none of them", () => {
  const statement = [
    { reference: "B-PAYOUT", amount: "5", day: 0 },
    { reference: "", amount: "5", day: 3 },
  ];
  const book = [0, 1, 1].map((day) => ({ reference: "", amount: "5", day }));
  const { findings } = decided(statement, book, windowDays);
  expect(findings.map(({ class: name }) => name)).toEqual(["only in book", "orphan fee", "ambiguous", "ambiguous"]);
});

test("two entries for one row of the statement are both ambiguous", async () => {
  const { rows } = await told(
    [{ reference: "S", amount: "5.00", day: 3 }],
    [
      { reference: "B2", amount: "5.00", day: 4 },
      { reference: "B1", amount: "5.00", day: 4 },
    ],
    2,
  );
  expect(rows.map((row) => [row["class"], row["reference"], row["note"]])).toEqual([
    ["ambiguous", "B1", "may be S on 2026-10-04 in the statement, as others may"],
    ["ambiguous", "B2", "may be S on 2026-10-04 in the statement, as others may"],
  ]);
});

test.for([
  ["a day before them", -1, [["matched", 1]]],
  ["the end of the month", 30, [["matched", 1]]],
  ["two months before", -57, [["only in statement", 2]]],
  ["the month after", 40, [["only in statement", 2]]],
] as const)(
  "two rows of one reference are parts of their sum in the book on %s only if it is near",
  async ([, day, counts]) => {
    // A reference of so many words is not searched in narrations.
    for (const reference of ["RENT", "A 1 B 2 C 3 D 4 E 5 F 6 G 7"]) {
      const parts = [
        { reference, amount: "3.00", day: 3 },
        { reference, amount: "2.00", day: 4 },
      ];
      const { totals } = await told(parts, [{ reference, amount: "5.00", day }], 2);
      expect(totals.filter(({ count }) => count > 0).map((total) => [total.class, total.count])).toEqual(counts);
    }
  },
);

test("candidates that do not fit into a note get rows of their own", async () => {
  const statement = Array.from({ length: 25 }, (_, index) => ({ reference: `S${index + 10}`, amount: "5.00", day: 3 }));
  const { rows, totals } = await told(statement, [{ reference: "B", amount: "5.00", day: 3 }], 2);
  expect(rows.map((row) => row["reference"])).toEqual(["B", ...statement.slice(3).map(({ reference }) => reference)]);
  expect(rows[0]?.["note"]).toBe(
    "may be any of 25 rows in the statement: S10 on 2026-10-04, S11 on 2026-10-04, S12 on 2026-10-04 and 22 more",
  );
  expect(rows[1]?.["note"]).toBe("may be B on 2026-10-04 in the book, as others may");
  expect(totals.find((total) => total.class === "ambiguous")?.statement.toString()).toBe("125.00");
});
