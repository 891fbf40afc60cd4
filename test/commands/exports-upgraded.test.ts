import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Line } from "./export-desk.ts";
import { exportDesk, header } from "./export-desk.ts";

// An export made by 0.1.0 continues where it stopped, without repeated rows, and with the rows that it had lost.

const lines: readonly Line[] = ["01", "05", "12", "20"].map((day) => ({ ref: day, day: `2026-10-${day}` }));

function lineOf({ ref, narration = "rent" }: Line): string {
  return `${ref},${narration},100.00\n`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface Left {
  /** Rows that 0.1.0 remembered, and whether its latest run had added them. */
  readonly remembered: readonly (readonly [line: Line, isNew: boolean])[];
  readonly lastDay: string;
  readonly keptFrom: string;
  /** What the file contains. */
  readonly file: string;
  /** Its name; default: `w.csv`. */
  readonly name?: string;
  /** What the file contained before a run that was killed. */
  readonly was?: string | null;
  readonly flags?: string;
}

/** A folder as 0.1.0 left it: a file, and what was remembered about it. */
async function leftBy({ remembered, lastDay, keptFrom, file, name = "w.csv", was, flags = "" }: Left) {
  const desk = await exportDesk();
  // The record is still in the same place: a first run shows where.
  await desk.onDay("2026-10-01", [], `--start-date 2026-10-01 ${flags}`);
  const folder = join(desk.folder, "state", "exports");
  const memory = join(folder, readdirSync(folder).find((each) => each.endsWith(".ndjson")) ?? "");
  const rows = remembered
    .map(([line, isNew]) => `${JSON.stringify([line.day, line.ref, lineOf(line), isNew])}\n`)
    .join("");
  const path = join(desk.folder, name);
  const now = { path, sha256: sha256(file), lastDay, keptFrom };
  const before =
    was === undefined ? {} : { before: was === null ? null : { path, sha256: sha256(was), lastDay, keptFrom } };
  writeFileSync(memory, `${JSON.stringify({ version: 1, now, ...before, rowsSha256: sha256(rows) })}\n${rows}`);
  const stands = was === undefined ? file : was;
  if (stands !== null) writeFileSync(path, stands);
  return desk;
}

const whole = header + lines.map(lineOf).join("");
const next: Line = { ref: "N", day: "2026-10-21" };

test("an export of 0.1.0 continues after its last row", async () => {
  const { onDay, text } = await leftBy({
    remembered: lines.slice(-2).map((line) => [line, true]),
    lastDay: "2026-10-20",
    keptFrom: "2026-10-12",
    file: whole,
  });
  const ended = await onDay("2026-10-21", [...lines, next]);
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-17 2026-10-21"] });
  expect(text()).toBe(whole + lineOf(next));
  expect(await onDay("2026-10-22", [...lines, next])).toMatchObject({ exit: 0, asked: ["2026-10-18 2026-10-22"] });
  expect(text()).toBe(whole + lineOf(next));
});

test("days that 0.1.0 lost to a clock that was ahead are read with the first run's --start-date", async () => {
  const { onDay, text } = await leftBy({
    remembered: [],
    lastDay: "2031-01-01",
    keptFrom: "2030-12-29",
    file: header + lines.slice(0, 2).map(lineOf).join(""),
  });
  const without = await onDay("2026-10-21", [...lines, next]);
  expect(without).toMatchObject({ exit: 2, asked: [] });
  expect(without.stderr).toContain("Add the --start-date of the first run.");
  const ended = await onDay("2026-10-21", [...lines, next], "--start-date 2026-10-01");
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-21"] });
  expect(text()).toBe(whole + lineOf(next));
});

test("--overlap 30d finds a row that 0.1.0 lost, and repeats no row that only the file has", async () => {
  const late: Line = { ref: "L", day: "2026-10-06", narration: 'rent, "late"' };
  const quoted: Line = { ref: "Q", day: "2026-10-07", narration: "two\\nlines" };
  const booked = [...lines.slice(0, 2), late, quoted, ...lines.slice(2)];
  const file = `${header}01,rent,100.00\n05,rent,100.00\nQ,"two\nlines",100.00\n12,rent,100.00\n20,rent,100.00\n`;
  const [last] = lines.slice(-1);
  const { onDay, text } = await leftBy({
    remembered: last === undefined ? [] : [[last, true]],
    lastDay: "2026-10-20",
    keptFrom: "2026-10-17",
    file,
  });
  const shown = booked.map((line) => (line === late ? { ...line, narration: "rent, late" } : line));
  const ended = await onDay("2026-10-21", shown, "--overlap 30d --start-date 2026-10-01");
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-21"] });
  expect(text()).toBe(`${file}L,"rent, late",100.00\n`);
});

test("files of earlier months are recognized and get their late rows", async () => {
  const [one, two] = [
    { ref: "S", day: "2026-09-30" },
    { ref: "O", day: "2026-10-02" },
  ];
  const desk = await leftBy({
    remembered: [[two, true]],
    lastDay: "2026-10-02",
    keptFrom: "2026-10-01",
    file: header + lineOf(two),
    name: "w-2026-10.csv",
  });
  writeFileSync(join(desk.folder, "w-2026-09.csv"), header + lineOf(one));
  const late = { ref: "L", day: "2026-09-30" };
  const ended = await desk.onDay(
    "2026-10-03",
    [one, late, two],
    `--save ${desk.folder}/w-{month}.csv --start-date 2026-09-30 --overlap 3d`,
  );
  expect(ended.exit).toBe(0);
  expect(desk.text("w-2026-09.csv")).toBe(header + lineOf(one) + lineOf(late));
  expect(desk.text("w-2026-10.csv")).toBe(header + lineOf(two));
});

test.for([
  ["before its file was there", null],
  ["before its file was replaced", header + lines.slice(0, 2).map(lineOf).join("")],
  ["after its file was replaced", undefined],
] as const)("a run of 0.1.0 that was killed %s is completed", async ([, was]) => {
  const kept = new Set(lines.slice(0, was === null ? 0 : 2));
  const { onDay, text } = await leftBy({
    remembered: lines.map((line) => [line, !kept.has(line)]),
    lastDay: "2026-10-20",
    keptFrom: "2026-10-01",
    file: whole,
    ...(was === undefined ? {} : { was }),
  });
  expect((await onDay("2026-10-21", [...lines, next], "--start-date 2026-10-01")).exit).toBe(0);
  expect(text()).toBe(whole + lineOf(next));
});

test("an edited file of 0.1.0 is reported, and nothing is read", async () => {
  const { onDay, file, text } = await leftBy({
    remembered: [],
    lastDay: "2026-10-20",
    keptFrom: "2026-10-17",
    file: whole,
  });
  writeFileSync(file, `${text()}note,,\n`);
  const ended = await onDay("2026-10-21", [...lines, next]);
  expect(ended).toMatchObject({ exit: 9, asked: [] });
  expect(ended.stderr).toContain("it was edited since");
});

test("--restart needs --start-date, because 0.1.0 did not remember it", async () => {
  const { onDay, text } = await leftBy({ remembered: [], lastDay: "2026-10-20", keptFrom: "2026-10-17", file: whole });
  expect((await onDay("2026-10-21", lines, "--restart")).exit).toBe(2);
  expect((await onDay("2026-10-21", [...lines, next], "--restart --start-date 2026-10-01")).exit).toBe(0);
  expect(text()).toBe(whole + lineOf(next));
});
