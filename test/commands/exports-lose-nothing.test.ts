import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Line } from "./export-desk.ts";
import { exportDesk, header } from "./export-desk.ts";

// A row that a service shows late is added in the end, or exit 9 says between which rows it is missing.

const first: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "B", day: "2026-10-05" },
];
const late: Line = { ref: "L", day: "2026-10-06" };
const c: Line = { ref: "C", day: "2026-10-06" };

/** A file's lines, with the desk's columns. */
function fileOf(...refs: readonly string[]): string {
  return header + refs.map((ref) => `${ref},rent,100.00\n`).join("");
}

/** The files in a folder and in the folders of its state, by name. */
function contents(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
}

function turnedUp(line: Line): Line {
  return { ...line, isLate: false };
}

async function exported() {
  const desk = await exportDesk();
  expect((await desk.onDay("2026-10-05", first, "--start-date 2026-10-01")).exit).toBe(0);
  return desk;
}

test.for(["2031-05-01", "2026-11-17", "2019-01-01", "2026-10-04"])(
  "a run whose clock says %s loses nothing, and the next one continues after the last row",
  async (wrong) => {
    const { onDay, text } = await exported();
    const ended = await onDay(wrong, { lines: [...first, c], ignoresPeriods: false });
    expect(ended.exit).toBe(0);
    const all = [...first, c, { ref: "D", day: "2026-10-08" }];
    expect((await onDay("2026-10-09", all)).exit).toBe(0);
    expect(text()).toBe(fileOf("A", "B", "C", "D"));
  },
);

test("a clock that was ahead for a day does not stop the full reading of the month at its end", async () => {
  const { onDay, text } = await exported();
  await onDay("2031-05-01", first);
  const pair: readonly Line[] = [
    { ref: "P", day: "2026-10-07", isLate: true },
    { ref: "M", day: "2026-10-07", credit: "-100", isLate: true },
  ];
  const rest = { ref: "E", day: "2026-10-30" };
  expect((await onDay("2026-10-30", [...first, ...pair, rest])).exit).toBe(0);
  const shown = pair.map(turnedUp);
  const ended = await onDay("2026-11-01", [...first, ...shown, rest]);
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-11-01"] });
  expect(text()).toBe(`${fileOf("A", "B", "E")}P,rent,100.00\nM,rent,0.00\n`);
});

test("a row missing before a new one leaves the file unchanged every day until it appears", async () => {
  const { onDay, text } = await exported();
  const missing = [...first, { ...late, isLate: true }, c];
  for (const day of ["2026-10-06", "2026-10-07", "2026-10-20"]) {
    const ended = await onDay(day, missing);
    expect(ended).toMatchObject({ exit: 9, stdout: "" });
    expect(ended.asked.at(-1)).toBe(`2026-10-01 ${day}`);
    expect(ended.stderr).toContain(`after: "B" of 2026-10-05, balance 200.00`);
    expect(ended.stderr).toContain(`before: "C" of 2026-10-06, which continues from 300.00`);
    expect(ended.stderr).toContain("missing: +100.00");
    expect(text()).toBe(fileOf("A", "B"));
  }
  expect((await onDay("2026-10-21", [...first, late, c])).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "L", "C"));
});

test("a row missing between two new ones is noticed, too", async () => {
  const { onDay, text } = await exported();
  const ended = await onDay("2026-10-07", [...first, c, { ...late, isLate: true }, { ref: "D", day: "2026-10-07" }]);
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain(`after: "C" of 2026-10-06, balance 300.00`);
  expect(ended.stderr).toContain(`before: "D" of 2026-10-07, which continues from 400.00`);
  expect(text()).toBe(fileOf("A", "B"));
});

test("a row later than the overlap is found further back, doubling the days each time", async () => {
  const { onDay, text } = await exportDesk();
  const days = Array.from({ length: 28 }, (_, index) => String(index + 1).padStart(2, "0"));
  const lines = days.map((day) => ({ ref: day, day: `2026-10-${day}` }));
  expect((await onDay("2026-10-28", lines, "--start-date 2026-10-01")).exit).toBe(0);
  // Booked now, with a value date long ago.
  const all = [...lines, { ref: "L", day: "2026-10-09" }, { ref: "N", day: "2026-10-29" }];
  const ended = await onDay("2026-10-29", all);
  expect(ended).toMatchObject({
    exit: 0,
    asked: ["25", "22", "16", "04"].map((day) => `2026-10-${day} 2026-10-29`),
  });
  expect(text()).toBe(fileOf(...days, "L", "N"));
});

test("a missing row with nothing after it is noticed by the service's current balance", async () => {
  const { onDay, text } = await exported();
  const ended = await onDay("2026-10-06", [...first, { ...late, isLate: true }]);
  expect(ended.exit).toBe(9);
  expect(ended.stderr).toContain(`after: "B" of 2026-10-05, balance 200.00`);
  expect(ended.stderr).toContain("before: the balance that the service gives now, 300.00");
  expect((await onDay("2026-10-07", [...first, late])).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "L"));
});

test("a run adds its rows even if the service gives no balance", async () => {
  const { onDay, text } = await exported();
  expect((await onDay("2026-10-06", { lines: [...first, c], balance: null })).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "C"));
});

test("a balance as far from the last row as in the first run is taken as the service's own", async () => {
  const { onDay, text } = await exportDesk();
  const ended = await onDay("2026-10-05", { lines: first, balance: 150 }, "--start-date 2026-10-01");
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toContain(
    `-50.00 between "B" of 2026-10-05, balance 200.00 and the balance that the service gives now, 150.00`,
  );
  expect((await onDay("2026-10-06", { lines: [...first, c], balance: 250 })).exit).toBe(0);
  expect((await onDay("2026-10-06", { lines: [...first, c], balance: 240 })).exit).toBe(9);
  expect(text()).toBe(fileOf("A", "B", "C"));
});

test("breaks of a first run are taken as the service's own: reported once, and closed when the row appears", async () => {
  const { onDay, text } = await exportDesk();
  const lines = [first[0], { ...late, day: "2026-10-02", isLate: true }, first[1]].flatMap((line) => line ?? []);
  const begun = await onDay("2026-10-05", lines, "--start-date 2026-10-01");
  expect(begun.exit).toBe(0);
  expect(begun.stderr).toContain(
    `+100.00 between "A" of 2026-10-01, balance 100.00 and "B" of 2026-10-05, which continues from 200.00`,
  );
  const again = await onDay("2026-10-06", [...lines, c], "--overlap 10d --strict");
  expect(again.exit).toBe(0);
  expect(again.stderr).not.toContain("between");
  expect(again.stderr).toContain("adds up except for known breaks");
  const shown = lines.map(turnedUp);
  expect((await onDay("2026-10-07", [...shown, c], "--overlap 10d")).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "C", "L"));
  const whole = await onDay("2026-10-07", [...shown, c], "--overlap 10d");
  expect(whole.stderr).toContain("closing 400.00, adds up\n");
});

test("a break of an earlier month is read again when a month ends", async () => {
  const { onDay, text } = await exportDesk();
  const lines: readonly Line[] = [
    { ...first[0], ref: "A", day: "2026-08-01" },
    { ref: "X", day: "2026-08-02", isLate: true },
    { ref: "B", day: "2026-08-05" },
  ];
  expect((await onDay("2026-08-05", lines, "--start-date 2026-08-01")).exit).toBe(0);
  const september = [...lines, { ref: "S", day: "2026-09-20" }];
  expect(await onDay("2026-09-20", september)).toMatchObject({ exit: 0, asked: ["2026-08-01 2026-09-20"] });
  const shown = september.map(turnedUp);
  expect(await onDay("2026-09-25", shown)).toMatchObject({ exit: 0, asked: ["2026-09-17 2026-09-25"] });
  expect(await onDay("2026-10-02", shown)).toMatchObject({ exit: 0, asked: ["2026-08-01 2026-10-02"] });
  expect(text()).toBe(fileOf("A", "B", "S", "X"));
  expect(await onDay("2026-11-02", shown)).toMatchObject({ exit: 0, asked: ["2026-09-17 2026-11-02"] });
});

test("two late rows that cancel out are found by the new month's first run and added to their month's file", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `--save ${folder}/w-{month}.csv`;
  const pair: readonly Line[] = [
    { ref: "P", day: "2026-10-01", isLate: true },
    { ref: "M", day: "2026-10-01", credit: "-100", isLate: true },
  ];
  const lines = [first[0], ...pair, first[1]].flatMap((line) => line ?? []);
  expect((await onDay("2026-10-05", lines, `${save} --start-date 2026-10-01`)).exit).toBe(0);
  const shown = lines.map(turnedUp);
  expect((await onDay("2026-10-31", shown, save)).exit).toBe(0);
  expect(text("w-2026-10.csv")).toBe(fileOf("A", "B"));
  const november = [...shown, { ref: "N", day: "2026-11-03" }];
  const ended = await onDay("2026-11-03", november, save);
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-11-03"] });
  expect(text("w-2026-10.csv")).toBe(`${fileOf("A", "B")}P,rent,100.00\nM,rent,0.00\n`);
  expect(text("w-2026-11.csv")).toBe(fileOf("N"));
  expect(await onDay("2026-11-04", november, save)).toMatchObject({ exit: 0, asked: ["2026-10-31 2026-11-04"] });
});

test("--overlap 30d reads thirty days, even if earlier runs read three", async () => {
  const { onDay, text } = await exportDesk();
  const days = ["01", "05", "12", "20"].map((day) => ({ ref: day, day: `2026-10-${day}` }));
  await onDay("2026-10-12", days.slice(0, 3), "--start-date 2026-10-01");
  await onDay("2026-10-20", days);
  const ended = await onDay("2026-10-21", [...days, { ref: "N", day: "2026-10-21" }], "--overlap 30d");
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-21"] });
  expect(text()).toBe(fileOf("01", "05", "12", "20", "N"));
});

test.for(["ACCOUNT", "--all"])("an account without rows gets no file until its first row (%s)", async (which) => {
  const { onDay, folder, text } = await exportDesk();
  const flags = which === "--all" ? `--all --save ${folder}/{account}.csv` : "";
  const name = which === "--all" ? "42.csv" : "w.csv";
  const ended = await onDay("2026-10-05", [], `${flags} --start-date 2026-10-01`);
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-05"] });
  expect(ended.stderr).toContain(`Nothing has moved: "${join(folder, name)}" is not written.`);
  expect(readdirSync(folder).filter((file) => file.endsWith(".csv"))).toEqual([]);
  expect(await onDay("2026-10-09", [c], flags)).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-09"] });
  expect(text(name)).toBe(fileOf("C"));
});

test("--restart without a date starts again from the first run's day and accepts the statement as it is", async () => {
  const { onDay, text } = await exported();
  const missing = [...first, { ...late, isLate: true }, c];
  expect((await onDay("2026-10-06", missing)).exit).toBe(9);
  const anew = await onDay("2026-10-06", missing, "--restart");
  expect(anew).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-06"] });
  expect(anew.stderr).toContain(`+100.00 between "B" of 2026-10-05, balance 200.00 and "C" of 2026-10-06`);
  expect(text()).toBe(fileOf("A", "B", "C"));
  expect((await onDay("2026-10-07", [...first, late, c])).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "C", "L"));
});

test("rows that come newest first, or in any order within one moment, make no gap", async () => {
  const { onDay, text } = await exported();
  const booked = ["D", "E", "F"].map((ref) => ({ ref, day: "2026-10-06" }));
  const shuffled = { lines: [...first, ...booked], order: [0, 1, 4, 2, 3] };
  expect((await onDay("2026-10-06", shuffled)).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "F", "D", "E"));
  const next = [...first, ...booked, { ref: "G", day: "2026-10-07" }];
  expect((await onDay("2026-10-07", { lines: next, order: [5, 4, 3, 2, 1, 0] })).exit).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "F", "D", "E", "G"));
});

test("rows that are booked in another order than they are sorted in make no gap", async () => {
  const { onDay, text } = await exported();
  const lines = [...first, { ref: "V", day: "2026-10-03" }, { ref: "W", day: "2026-10-06" }];
  expect((await onDay("2026-10-06", { lines, order: [0, 2, 1, 3] })).exit).toBe(0);
  expect(
    (await onDay("2026-10-07", { lines: [...lines, { ref: "X", day: "2026-10-07" }], order: [0, 2, 1, 3, 4] })).exit,
  ).toBe(0);
  expect(text()).toBe(fileOf("A", "B", "V", "W", "X"));
});

test("exit 9 changes none of the files, and nothing that is remembered", async () => {
  const { onDay, folder } = await exportDesk();
  const save = `--save ${folder}/w-{month}.csv`;
  await onDay("2026-10-31", first, `${save} --start-date 2026-10-01`);
  const before = contents(folder);
  expect(before).toContainEqual(["w-2026-10.csv", fileOf("A", "B")]);
  const ended = await onDay(
    "2026-11-02",
    [
      ...first,
      { ref: "O", day: "2026-10-31" },
      { ...late, day: "2026-11-01", isLate: true },
      { ref: "N", day: "2026-11-02" },
    ],
    save,
  );
  expect(ended.exit).toBe(9);
  expect(contents(folder)).toEqual(before);
});
