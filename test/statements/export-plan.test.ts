import { expect, test } from "vitest";
import { Prng } from "../../src/simulator/prng.ts";
import type { ExportPlan } from "../../src/statements/exports/export-plan.ts";
import { planExport } from "../../src/statements/exports/export-plan.ts";
import type { ExportedBefore } from "../../src/statements/exports/least-broken.ts";
import type { ReadRow } from "../../src/statements/exports/packed-rows.ts";
import { Decimal } from "../../src/values/money/decimal.ts";

// The decisions of an export, by seeds: rows of a random bank, some known, some hidden, in any order.

const seeds = 2000;
const scale = 2;
const amountMax = 1_000_000;

const amount = (units: number) => new Decimal(units, scale);

/** Rows of different amounts, each with a balance that follows from the row before. */
function booked(draw: Prng, count: number): ReadRow[] {
  let balance = draw.integer(0, amountMax);
  let day = 1;
  return Array.from({ length: count }, (_, index) => {
    const change = draw.integer(1, amountMax) * (draw.integer(0, 1) === 0 ? 1 : -1);
    balance += change;
    day = Math.min(28, day + draw.integer(0, 2));
    const date = `2026-10-${String(day).padStart(2, "0")}`;
    return {
      day: date,
      at: `${date} 08:00:00`,
      reference: `R${index}`,
      line: `R${index}\n`,
      balance: amount(balance),
      change: amount(change),
    };
  });
}

function known(rows: readonly ReadRow[]): ExportedBefore {
  return { rows, balanceNow: undefined, openings: [], isFirst: rows.length === 0, startDate: "2026-10-01" };
}

function plan(
  before: readonly ReadRow[],
  shown: readonly ReadRow[],
  from: string,
  all: readonly ReadRow[],
  more: Partial<ExportedBefore> = {},
): ExportPlan {
  const rows = shown.filter(({ day }) => day >= from);
  const balancesNow = all.slice(-1).flatMap(({ balance }) => balance ?? []);
  return planExport({ ...known(before), ...more }, { rows, startDate: from, endDate: "2026-10-31", balancesNow });
}

/** The account's balance before the first of these rows. */
function openingsOf([first]: readonly ReadRow[]): readonly Decimal[] {
  return first?.balance && first.change ? [first.balance.subtract(first.change)] : [];
}

function each(check: (draw: Prng, all: readonly ReadRow[]) => void): void {
  for (let seed = 1; seed <= seeds; seed++) {
    const draw = Prng.of(seed, "plan");
    const all = booked(draw, draw.integer(3, 14));
    try {
      check(draw, all);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}

const references = (rows: readonly { readonly reference: string }[]) => rows.map(({ reference }) => reference);

test("new rows are appended, wherever the reading starts and in either direction", () => {
  each((draw, all) => {
    const count = draw.integer(1, all.length);
    const before = all.slice(0, count);
    const from = before.at(-draw.integer(1, count))?.day ?? "";
    const shown = draw.integer(0, 1) === 0 ? all : all.toReversed();
    const decided = plan(before, shown, from, all);
    expect(decided).toMatchObject({ kind: "append", breaks: [] });
    const added = decided.kind === "append" ? decided.newRows : [];
    expect(references(added).toSorted()).toEqual(references(all.slice(count)).toSorted());
    expect(decided.kind === "append" ? references(decided.rows) : []).toEqual(references(all));
  });
});

test("a hidden row after the last exported one is missed, and its neighbours are named", () => {
  each((draw, all) => {
    const count = draw.integer(1, all.length - 1);
    const hidden = draw.integer(count, all.length - 1);
    const shown = all.filter((_, index) => index !== hidden);
    const decided = plan(all.slice(0, count), shown, all[count - 1]?.day ?? "", all);
    expect(decided.kind).toBe("open");
    const [gap] = decided.kind === "open" ? decided.gaps : [];
    expect(gap?.after?.row.reference).toBe(`R${hidden - 1}`);
    expect(gap?.before?.row.reference).toBe(hidden === all.length - 1 ? undefined : `R${hidden + 1}`);
    expect(gap?.found.subtract(gap.left)).toEqual(all[hidden]?.change);
  });
});

test("gaps of a first run are remembered, and a row that turns up later closes its gap", () => {
  each((draw, all) => {
    const hidden = draw.integer(1, all.length - 2);
    const shown = all.filter((_, index) => index !== hidden);
    const first = plan([], shown, "2026-10-01", all);
    expect(first).toMatchObject({ kind: "append", breaks: [{ after: { row: { reference: `R${hidden - 1}` } } }] });
    const remembered =
      first.kind === "append" ? shown.filter(({ reference }) => references(first.rows).includes(reference)) : [];
    expect(plan(remembered, shown, "2026-10-01", all)).toMatchObject({ kind: "append", newRows: [], breaks: [] });
    const closed = plan(remembered, all, "2026-10-01", all);
    expect(closed.kind === "append" ? references(closed.rows) : []).toEqual(references(all));
  });
});

test("late rows that close a gap are stored there once, in whatever order they come", () => {
  each((draw, all) => {
    const first = draw.integer(1, all.length - 2);
    const late = all.slice(first, draw.integer(first + 1, all.length - 1));
    const before = all.filter((row) => !late.includes(row));
    const shown = [...before, ...shuffled(draw, late)];
    const decided = plan(before, shown, "2026-10-01", all, { isFirst: false });
    expect(decided.kind === "append" ? references(decided.rows) : decided).toEqual(references(all));
    expect(decided).toMatchObject({ newRows: { length: late.length }, isUnbroken: true });
  });
});

test("late rows before the first one do not hide a missing row after the last one", () => {
  each((draw, all) => {
    const count = all.length;
    const begin = draw.integer(1, count - 2);
    const hidden = draw.integer(begin + 1, count - 1);
    const before = all.slice(begin, hidden);
    const late = shuffled(draw, [...all.slice(0, begin), ...all.slice(hidden + 1)]);
    const decided = plan(before, [...late, ...before], "2026-10-01", all, { isFirst: false });
    const gaps = decided.kind === "open" ? decided.gaps : [];
    expect(gaps.map(({ left, found }) => found.subtract(left))).toEqual([all[hidden]?.change]);
    expect(gaps[0]?.after?.row.reference).toBe(`R${hidden - 1}`);
  });
});

test("an exported row that is missing from a new reading is reported as changed", () => {
  each((draw, all) => {
    const gone = draw.integer(0, all.length - 2);
    const shown = all.filter((_, index) => index !== gone);
    const decided = plan(all.slice(0, -1), shown, "2026-10-01", all);
    expect(decided).toMatchObject({ kind: "changed", missing: [{ reference: `R${gone}` }] });
  });
});

/** The same rows in random order. */
function shuffled(draw: Prng, rows: readonly ReadRow[]): ReadRow[] {
  const placed = rows.map((row) => ({ row, place: draw.integer(0, 1_000_000) }));
  return placed.toSorted((one, other) => one.place - other.place).map(({ row }) => row);
}

test("new rows may come in any order", () => {
  each((draw, all) => {
    const count = draw.integer(0, all.length);
    const shown = [...all.slice(0, count), ...shuffled(draw, all.slice(count))];
    for (const openings of [[], openingsOf(all)]) {
      const decided = plan(all.slice(0, count), shown, "2026-10-01", all, { isFirst: false, openings });
      expect(decided.kind === "append" ? references(decided.rows) : decided).toEqual(references(all));
    }
  });
});

test("a first run finds the booking order of rows that come in any order", () => {
  each((draw, all) => {
    const decided = plan([], shuffled(draw, all), "2026-10-01", all);
    expect(decided).toMatchObject({ kind: "append", breaks: [], isUnbroken: true });
    expect(decided.kind === "append" ? references(decided.rows) : decided).toEqual(references(all));
  });
});

test("a hidden row is missed in exactly one place, in any order and even at the start", () => {
  each((draw, all) => {
    const count = draw.integer(0, all.length - 1);
    const hidden = draw.integer(count, all.length - 1);
    const shown = all.filter((_, index) => index !== hidden);
    const read = [...shown.slice(0, count), ...shuffled(draw, shown.slice(count))];
    const decided = plan(all.slice(0, count), read, "2026-10-01", all, { isFirst: false, openings: openingsOf(all) });
    const gaps = decided.kind === "open" ? decided.gaps : [];
    expect(gaps.map(({ left, found }) => found.subtract(left))).toEqual([all[hidden]?.change]);
    expect(gaps[0]?.after?.row.reference).toBe(all[hidden - 1]?.reference);
    expect(gaps[0]?.before?.row.reference).toBe(all[hidden + 1]?.reference);
  });
});
