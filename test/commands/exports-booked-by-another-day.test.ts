import { expect, test } from "vitest";
import type { Line } from "./export-desk.ts";
import { exportDesk, header } from "./export-desk.ts";

// A service may book a row with an earlier value date and sort its statements by value date: rows are then not in the
// order in which money moved. The balances show that order, and a row that is really missing is still noticed.

const begin = "--start-date 2026-10-01";

/** Rows of 100, booked in this order, each with its value date. */
function booked(...days: readonly (readonly [ref: string, day: string])[]): Line[] {
  return days.map(([ref, day]) => ({ ref, day: `2026-10-${day}` }));
}

/** The books of a service that sorts by value date. */
function byValueDate(lines: readonly Line[], balance?: number) {
  const order = [...lines.keys()].toSorted((one, other) =>
    (lines[one]?.day ?? "").localeCompare(lines[other]?.day ?? ""),
  );
  return { lines, order, ...(balance === undefined ? {} : { balance }) };
}

function hidden(lines: readonly Line[], ref: string): Line[] {
  return lines.map((line) => (line.ref === ref ? { ...line, isLate: true } : line));
}

function fileOf(...refs: readonly string[]): string {
  return header + refs.map((ref) => `${ref},rent,100.00\n`).join("");
}

const month = booked(["A", "02"], ["B", "02"], ["C", "02"], ["V", "01"]);

test("after a run without rows, a row that was booked last and is shown first makes no gap", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-01", [], begin)).exit).toBe(0);
  const ended = await onDay("2026-10-02", byValueDate(month), "--strict");
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  expect(ended.stderr).toContain("closing 400.00, adds up\n");
  expect(text()).toBe(fileOf("V", "A", "B", "C"));
  const next = [...month, ...booked(["W", "01"], ["D", "03"])];
  expect((await onDay("2026-10-03", byValueDate(next))).exit).toBe(0);
  expect(text()).toBe(fileOf("V", "A", "B", "C", "W", "D"));
});

test("a first run remembers no break when the balances follow in another order", async () => {
  const { onDay, text } = await exportDesk();
  const begun = await onDay("2026-10-02", byValueDate(month), `${begin} --strict`);
  expect(begun.exit).toBe(0);
  expect(begun.stderr).not.toContain("do not follow");
  expect(begun.stderr).toContain("4 rows, +400.00 −0.00, closing 400.00, adds up\n");
  const next = [...month, ...booked(["M", "01"], ["W", "01"])];
  expect((await onDay("2026-10-03", byValueDate(hidden(next, "M")))).exit).toBe(9);
  expect(text()).toBe(fileOf("V", "A", "B", "C"));
  expect((await onDay("2026-10-04", byValueDate(next))).exit).toBe(0);
  expect(text()).toBe(fileOf("V", "A", "B", "C", "M", "W"));
});

test("a first run takes the smallest possible number of breaks as the service's own", async () => {
  const { onDay, text } = await exportDesk();
  const lines = [...month, ...booked(["M", "03"], ["D", "03"], ["W", "02"])];
  const begun = await onDay("2026-10-03", byValueDate(hidden(lines, "M")), begin);
  expect(begun.exit).toBe(0);
  expect(begun.stderr).toContain(
    `later runs take that as known:\n  +100.00 between "V" of 2026-10-01, balance 400.00 and "D" of 2026-10-03, which continues from 500.00\n`,
  );
  expect(begun.stderr.split(" between ").length).toBe(2);
  const next = [...lines, ...booked(["X", "02"])];
  expect((await onDay("2026-10-04", byValueDate(hidden(next, "M")))).exit).toBe(0);
  expect((await onDay("2026-10-05", byValueDate(next))).exit).toBe(0);
  expect(text()).toBe(fileOf("V", "A", "B", "C", "W", "D", "X", "M"));
});

test("a first run with very many breaks names ten of them and counts the rest", async () => {
  for (const [count, more] of [
    [10, ""],
    [11, "  and 1 more\n"],
  ] as const) {
    const { onDay } = await exportDesk();
    const lines = Array.from({ length: count + 1 }, (_, at) => ({
      ref: `R${at}`,
      day: "2026-10-01",
      jump: at === 0 ? 0 : 50,
    }));
    const { stderr } = await onDay("2026-10-03", lines, begin);
    expect(stderr.split(" between ")).toHaveLength(11);
    expect(/^ {2}and .*\n/m.exec(stderr)?.[0] ?? "").toBe(more);
  }
});

test("a missing row is reported in one place, even if the rows are in another order", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-01", [], begin)).exit).toBe(0);
  const ended = await onDay("2026-10-02", byValueDate(hidden(month, "B")));
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain("Rows of 42 are missing in 1 place;");
  expect(ended.stderr).toContain('after: "A" of 2026-10-02, balance 100.00');
  expect(ended.stderr).toContain('before: "C" of 2026-10-02, which continues from 200.00');
  expect((await onDay("2026-10-03", byValueDate(month))).exit).toBe(0);
  expect(text()).toBe(fileOf("V", "A", "B", "C"));
});

test("a row missing before the first one is noticed, because the run without rows knew the balance", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-01", [], begin)).exit).toBe(0);
  for (const day of ["02", "03", "20"]) {
    const ended = await onDay(`2026-10-${day}`, byValueDate(hidden(month, "A")));
    expect(ended).toMatchObject({ exit: 9, stdout: "" });
    expect(ended.stderr).toContain("after: the balance that the service gave without rows, 0.00");
    expect(ended.stderr).toContain('before: "B" of 2026-10-02, which continues from 100.00');
    expect(ended.stderr).toContain("missing: +100.00");
  }
  expect((await onDay("2026-10-21", byValueDate(month))).exit).toBe(0);
  expect(text()).toBe(fileOf("V", "A", "B", "C"));
});

test("a balance that moves while no row is shown means that a row is missing", async () => {
  const { onDay, text } = await exportDesk();
  expect((await onDay("2026-10-01", { lines: [], balance: 50 }, begin)).exit).toBe(0);
  expect((await onDay("2026-10-02", { lines: [], balance: 50 })).exit).toBe(0);
  const ended = await onDay("2026-10-03", { lines: [], balance: 150 });
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain("after: the balance that the service gave without rows, 50.00");
  expect(ended.stderr).toContain("before: the balance that the service gives now, 150.00");
  // Since the first run, the service's balance has been 50 more than its rows say.
  expect((await onDay("2026-10-04", { lines: booked(["A", "03"]), balance: 150 })).exit).toBe(0);
  expect((await onDay("2026-10-05", { lines: booked(["A", "03"]), balance: 160 })).exit).toBe(9);
  expect(text()).toBe(fileOf("A"));
});

test.for(["2019-01-01", "2031-05-01"])(
  "a run whose clock says %s after a run without rows loses nothing and reports no gap",
  async (wrong) => {
    const { onDay, text } = await exportDesk();
    expect((await onDay("2026-10-01", [], begin)).exit).toBe(0);
    const lines = booked(["A", "02"], ["B", "02"]);
    expect((await onDay(wrong, lines)).exit).toBe(0);
    expect((await onDay("2026-10-04", [...lines, ...booked(["D", "04"])])).exit).toBe(0);
    expect(text()).toBe(fileOf("A", "B", "D"));
  },
);

test("rows that were booked before a run without rows and shown only after it make no gap", async () => {
  const { onDay, text } = await exportDesk();
  const lines = booked(["A", "01"], ["B", "01"], ["C", "02"]);
  expect((await onDay("2026-10-01", hidden(hidden(lines.slice(0, 2), "A"), "B"), begin)).exit).toBe(0);
  expect((await onDay("2026-10-02", lines)).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "C"));
});

test("a row booked later and sorted into a break of the first run makes no gap", async () => {
  const { onDay, text } = await exportDesk();
  const lines = booked(["A", "01"], ["M", "02"], ["B", "05"]);
  expect((await onDay("2026-10-05", byValueDate(hidden(lines, "M")), begin)).exit).toBe(0);
  const next = [...lines, ...booked(["X", "03"])];
  expect((await onDay("2026-10-06", byValueDate(hidden(next, "M")), "--overlap 10d")).exit).toBe(0);
  expect((await onDay("2026-10-07", byValueDate(next), "--overlap 10d")).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "X", "M"));
});

test("new rows that return to an earlier balance are all added, in whatever order they are shown", async () => {
  const { onDay, text } = await exportDesk();
  const known = booked(["A", "01"]);
  expect((await onDay("2026-10-01", known, begin)).exit).toBe(0);
  const lines: Line[] = [
    ...known,
    { ref: "P", day: "2026-10-03" },
    { ref: "M", day: "2026-10-04", credit: "-100" },
    { ref: "Q", day: "2026-10-02", credit: "300" },
  ];
  expect((await onDay("2026-10-04", byValueDate(lines))).exit).toBe(0);
  expect(text()).toBe(`${fileOf("A")}Q,rent,300.00\nP,rent,100.00\nM,rent,0.00\n`);
});
