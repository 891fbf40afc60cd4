import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Line } from "./export-desk.ts";
import { exportDesk, header } from "./export-desk.ts";
import { mortalFiles } from "./mortal-files.ts";

// A run that is killed at any of its writes is completed by the next one, in all of its files.

const october: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "B", day: "2026-10-05" },
];
const all: readonly Line[] = [
  ...october,
  { ref: "N", day: "2026-11-01" },
  { ref: "L", day: "2026-10-31" },
  { ref: "O", day: "2026-11-02" },
];

function fileOf(...refs: readonly string[]): string {
  return header + refs.map((ref) => `${ref},rent,100.00\n`).join("");
}

/** The runs of each story; the last one is killed. */
const stories = {
  "a first run": [{ day: "2026-11-02", lines: all, flags: "--start-date 2026-10-01" }],
  "a later run": [
    { day: "2026-10-05", lines: october, flags: "--start-date 2026-10-01" },
    { day: "2026-11-02", lines: all, flags: "" },
  ],
  "a restart": [
    { day: "2026-10-05", lines: october.slice(1), flags: "--start-date 2026-10-01" },
    { day: "2026-11-02", lines: all, flags: "--restart" },
  ],
  "a run of rows that are newest first": [
    { day: "2026-10-05", lines: october, flags: "--start-date 2026-10-01" },
    { day: "2026-11-02", lines: { lines: all, order: [4, 3, 2, 1, 0] }, flags: "" },
  ],
} as const;

test.for(Object.entries(stories).map(([name, runs]) => ({ name, runs })))(
  "$name killed at any write is completed by the next run",
  async ({ runs }) => {
    for (let operation = 0, isKilled = true; isKilled; operation++) {
      const { onDay, folder, text } = await exportDesk();
      const save = `--save ${folder}/w-{month}.csv`;
      const last = runs.at(-1);
      for (const { day, lines, flags } of runs.slice(0, -1)) await onDay(day, lines, `${save} ${flags}`);
      const files = mortalFiles(operation);
      const killed = await onDay(last?.day ?? "", last?.lines ?? [], `${save} ${last?.flags}`, files);
      isKilled = files.isDead;
      expect(killed.exit === 0).toBe(!isKilled);
      const next = await onDay("2026-11-03", last?.lines ?? [], `${save} --start-date 2026-10-01`);
      expect({ operation, exit: next.exit, told: next.stderr }).toMatchObject({ operation, exit: 0 });
      const sorted = (name: string) => text(name).split("\n").toSorted().join("\n").trim();
      expect(sorted("w-2026-10.csv")).toBe(fileOf("A", "B", "L").split("\n").toSorted().join("\n").trim());
      expect(sorted("w-2026-11.csv")).toBe(fileOf("N", "O").split("\n").toSorted().join("\n").trim());
      expect(readdirSync(folder).filter((name) => name.endsWith(".csv"))).toHaveLength(2);
    }
  },
);

test("the next run writes what a killed run had not written, even if the service does not answer", async () => {
  for (let operation = 0, isHalf = false; !isHalf && operation < 100; operation++) {
    const { onDay, folder, text } = await exportDesk();
    const save = `--save ${folder}/w-{month}.csv`;
    await onDay("2026-10-05", october, `${save} --start-date 2026-10-01`);
    await onDay("2026-11-02", all, save, mortalFiles(operation));
    isHalf = existsSync(`${folder}/w-2026-11.csv`) && text("w-2026-10.csv") === fileOf("A", "B");
    if (!isHalf) continue;
    const ended = await onDay("2026-11-03", { lines: all, isDown: true }, `${save} --retries 0`);
    expect(ended.exit).toBe(5);
    expect(ended.stderr).toContain(`The last run was cut short; its rows are in "${folder}/w-2026-10.csv" now.`);
    expect(text("w-2026-10.csv")).toBe(fileOf("A", "B", "L"));
  }
  expect.assertions(3);
});
