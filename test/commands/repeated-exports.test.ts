import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { Line } from "./export-desk.ts";
import { exportDesk, header, killedAt } from "./export-desk.ts";

const first: readonly Line[] = [
  { ref: "A", day: "2026-10-01" },
  { ref: "B", day: "2026-10-05" },
];

test("the first export requires a start date", async () => {
  const { onDay, file } = await exportDesk();
  const ended = await onDay("2026-10-05", first);
  expect(ended.exit).toBe(2);
  expect(ended.stderr).toContain("--start-date 2026-10-01");
  expect(existsSync(file)).toBe(false);
});

test("later runs append only new rows and leave the existing bytes unchanged", async () => {
  const { onDay, text } = await exportDesk();
  expect(await onDay("2026-10-05", first, "--start-date 2026-10-01")).toMatchObject({
    exit: 0,
    stdout: "",
    asked: ["2026-10-01 2026-10-05"],
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
  const late = { ref: "L", day: "2026-10-04" };
  const ended = await onDay("2026-10-06", [...first, late, { ref: "C", day: "2026-10-06" }], "--start-date 2026-10-01");
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-02 2026-10-06"] });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nL,rent,100.00\nC,rent,100.00\n`);
  expect(ended.stderr).toContain("2 new rows appended to");
});

test("a run without new rows does not touch the file, and the next run continues from the last row", async () => {
  const { onDay, file, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const { ino, mtimeMs } = statSync(file);
  expect(await onDay("2026-10-09", first)).toMatchObject({ exit: 0, asked: ["2026-10-02 2026-10-09"] });
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  expect(await onDay("2026-10-12", [...first, { ref: "C", day: "2026-10-12" }])).toMatchObject({
    exit: 0,
    asked: ["2026-10-02 2026-10-12"],
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("identical rows appear in the file as often as in the statement", async () => {
  const { onDay, text } = await exportDesk();
  const twins = [1, 2].map(() => ({ ref: "", day: "2026-10-05" }));
  await onDay("2026-10-05", twins, "--start-date 2026-10-05");
  await onDay("2026-10-06", [...twins, { ref: "", day: "2026-10-05" }]);
  expect(text()).toBe(`${header}${",rent,100.00\n".repeat(3)}`);
});

test.for([
  ["another narration", [{ ref: "B", day: "2026-10-05", narration: "deposit" }], "B,deposit,100.00"],
  ["another amount", [{ ref: "B", day: "2026-10-05", credit: "7" }], "B,rent,7.00"],
  ["its end", [], "(the service no longer has it)"],
] as const)(
  "an exported row that has %s is reported with both versions, and the file stays unchanged",
  async ([, statement, shown]) => {
    const { onDay, text } = await exportDesk();
    await onDay("2026-10-05", first, "--start-date 2026-10-01");
    const before = text();
    const ended = await onDay("2026-10-06", [...statement, { ref: "C", day: "2026-10-06" }]);
    expect(ended.exit).toBe(9);
    expect(ended.stderr).toContain("B,rent,100.00");
    expect(ended.stderr).toContain(shown);
    expect(text()).toBe(before);
  },
);

test("an edited or deleted file is reported, and only --restart starts it again", async () => {
  const { onDay, file, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  writeFileSync(file, `${text()}note,,\n`);
  const edited = await onDay("2026-10-06", first);
  expect(edited).toMatchObject({ exit: 9, asked: [] });
  expect(edited.stderr).toContain("it was edited since");
  expect(text()).toContain("note");
  rmSync(file);
  const deleted = await onDay("2026-10-06", first);
  expect(deleted.exit).toBe(9);
  expect(deleted.stderr).toContain("it was deleted or moved");
  expect(existsSync(file)).toBe(false);
  expect(await onDay("2026-10-06", first, "--restart")).toMatchObject({ exit: 0, asked: ["2026-10-01 2026-10-06"] });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
});

test("a deleted file is also missed when its path is written differently", async () => {
  const { onDay, folder, file } = await exportDesk();
  await onDay("2026-10-05", first, `--start-date 2026-10-01 --save ${relative(process.cwd(), file)}`);
  rmSync(file);
  const ended = await onDay("2026-10-06", first, `--save ${folder}/./w.csv`);
  expect(ended).toMatchObject({ exit: 9, asked: [] });
  expect(ended.stderr).toContain("it was deleted or moved");
});

test("an existing file that the export did not write is not overwritten", async () => {
  const { onDay, file, text } = await exportDesk();
  writeFileSync(file, "mine\n");
  expect((await onDay("2026-10-05", first, "--start-date 2026-10-01")).exit).toBe(9);
  expect(text()).toBe("mine\n");
});

test("a moved file is continued in its new place", async () => {
  const { onDay, folder, file, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  renameSync(file, join(folder, "v.csv"));
  expect((await onDay("2026-10-06", [...first, { ref: "C", day: "2026-10-06" }], `--save ${folder}/v.csv`)).exit).toBe(
    0,
  );
  expect(text("v.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("a file named after the month starts with that month, without rows of the last file", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `--save ${folder}/w-{account}-{month}.csv`;
  const end = { ref: "E", day: "2026-10-31" };
  await onDay("2026-10-31", [...first, end], `${save} --start-date 2026-10-01`);
  await onDay("2026-11-01", [...first, end, { ref: "N", day: "2026-11-01" }], save);
  expect(text("w-42-2026-10.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\nE,rent,100.00\n`);
  expect(text("w-42-2026-11.csv")).toBe(`${header}N,rent,100.00\n`);
});

test("with an --end-date before the last exported row, late rows are added to the file of their month", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `--save ${folder}/w-{month}.csv`;
  await onDay("2026-10-31", first, `${save} --start-date 2026-10-01`);
  const november = { ref: "N", day: "2026-11-01" };
  await onDay("2026-11-01", [...first, november], save);
  const ended = await onDay(
    "2026-11-01",
    [...first, november, { ref: "L", day: "2026-10-31" }],
    `${save} --end-date 2026-10-31`,
  );
  expect(ended).toMatchObject({ exit: 0, asked: ["2026-10-29 2026-11-01", "2026-10-01 2026-11-01"] });
  expect(text("w-2026-10.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\nL,rent,100.00\n`);
  expect(text("w-2026-11.csv")).toBe(`${header}N,rent,100.00\n`);
});

test("a finished month's file may be moved away, but a late row for it ends with 9", async () => {
  const { onDay, folder, text } = await exportDesk();
  const save = `--save ${folder}/w-{month}.csv`;
  await onDay("2026-10-31", first, `${save} --start-date 2026-10-01`);
  rmSync(join(folder, "w-2026-10.csv"));
  const november = [...first, { ref: "N", day: "2026-11-01" }];
  expect((await onDay("2026-11-01", november, save)).exit).toBe(0);
  const late = [...november, { ref: "L", day: "2026-10-31" }, { ref: "M", day: "2026-11-02" }];
  const ended = await onDay("2026-11-02", late, save);
  expect(ended).toMatchObject({ exit: 9, stdout: "" });
  expect(ended.stderr).toContain(
    `"${folder}/w-2026-10.csv" is not as the last run left it: it was deleted or moved. 1 row of this run belongs there.`,
  );
  expect(existsSync(join(folder, "w-2026-10.csv"))).toBe(false);
  expect(text("w-2026-11.csv")).toBe(`${header}N,rent,100.00\n`);
});

test("a first export whose end is before its start is refused with the latest possible start", async () => {
  const { onDay } = await exportDesk();
  const ended = await onDay("2026-11-20", first, "--start-date 2026-11-02 --end-date 2026-10-31");
  expect(ended).toMatchObject({ exit: 2, asked: [] });
  expect(ended.stderr).toBe(
    "Error: --start-date 2026-11-02 is after 2026-10-31.\nHint: Start with 2026-10-31 or an earlier day.\n",
  );
});

test("without new rows no second file is created, and the existing one is named", async () => {
  const { folder, file, onDay } = await exportDesk();
  const rows = [{ ref: "A", day: "2026-10-05" }];
  expect((await onDay("2026-10-05", rows, "--start-date 2026-10-01")).exit).toBe(0);
  const same = await onDay("2026-10-06", rows);
  expect(same.stderr).toContain(`Nothing new since the last run: "${file}" stays as it is.\n`);
  // The end of a long name distinguishes it from the others.
  for (const name of ["other.csv", `${"other-".repeat(20)}2026.csv`]) {
    const other = await onDay("2026-10-06", rows, `--save ${folder}/${name}`);
    expect(other.exit).toBe(0);
    expect(other.stderr).toContain(
      `Nothing new since the last run, which wrote "${file}": "${folder}/${name}" is not written.\n`,
    );
    expect(existsSync(join(folder, name))).toBe(false);
  }
});

test("a folder can be named after the month", async () => {
  const { onDay, folder, text } = await exportDesk();
  mkdirSync(join(folder, "2026-10"));
  expect((await onDay("2026-10-05", first, `--start-date 2026-10-01 --save ${folder}/{month}/w.csv`)).exit).toBe(0);
  expect(text("2026-10/w.csv")).toBe(`${header}A,rent,100.00\nB,rent,100.00\n`);
});

test.for(["before", "after"] as const)(
  "after a run killed just %s the file is renamed, the next run completes the file",
  async (when) => {
    const { onDay, file, text } = await exportDesk();
    const all = [...first, { ref: "C", day: "2026-10-06" }];
    expect((await onDay("2026-10-05", first, "--start-date 2026-10-01", killedAt(file, when))).exit).toBe(5);
    expect((await onDay("2026-10-05", first, "--start-date 2026-10-01")).exit).toBe(0);
    expect((await onDay("2026-10-06", all, "", killedAt(file, when))).exit).toBe(5);
    expect((await onDay("2026-10-06", all)).exit).toBe(0);
    expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
  },
);

test("a run killed with a shorter --overlap does not duplicate rows later", async () => {
  const { onDay, file, text } = await exportDesk();
  const days = ["02", "03", "04", "05"].map((day) => ({ ref: day, day: `2026-10-${day}` }));
  await onDay("2026-10-05", days, "--start-date 2026-10-01");
  const all = [...days, { ref: "C", day: "2026-10-06" }];
  expect((await onDay("2026-10-06", all, "--overlap 1d", killedAt(file, "before"))).exit).toBe(5);
  expect((await onDay("2026-10-06", all)).exit).toBe(0);
  expect(text()).toBe(`${header}${["02", "03", "04", "05", "C"].map((ref) => `${ref},rent,100.00\n`).join("")}`);
});

test("with an --end-date before the last exported row, the statement is still read up to that row", async () => {
  const { onDay, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const all = [...first, { ref: "C", day: "2026-10-06" }];
  expect(await onDay("2026-10-06", all, "--end-date 2026-10-04")).toMatchObject({
    exit: 0,
    asked: ["2026-10-02 2026-10-05"],
  });
  expect((await onDay("2026-10-06", all)).exit).toBe(0);
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("after an --end-date in the future, the next run continues from the day of the export", async () => {
  const { onDay, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01 --end-date 2026-10-31");
  expect(await onDay("2026-10-20", [...first, { ref: "C", day: "2026-10-18" }])).toMatchObject({
    exit: 0,
    asked: ["2026-10-02 2026-10-20"],
  });
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("rows before the first day of the export are left out, with a note", async () => {
  const { onDay, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const lines = [{ ref: "S", day: "2026-09-30" }, ...first, { ref: "C", day: "2026-10-06" }];
  const shifted = lines.map((line, index) => (index === 0 ? { ...line, credit: "100", jump: -100 } : line));
  const ended = await onDay("2026-10-06", { lines: shifted, ignoresPeriods: true });
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toContain("1 row came and was left out: the export begins with 2026-10-01.");
  expect(text()).toBe(`${header}A,rent,100.00\nB,rent,100.00\nC,rent,100.00\n`);
});

test("--since-last refuses a folder and a pipe, even with --restart", async () => {
  const { onDay, folder } = await exportDesk();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [folder, pipe])
    for (const more of ["", "--restart"]) {
      const ended = await onDay("2026-10-05", first, `--save ${path} --csv ${more} --start-date 2026-10-01`);
      expect(ended).toMatchObject({ exit: 2, asked: [] });
      expect(ended.stderr).toContain("isn't a file, and --since-last continues one");
    }
  expect([statSync(folder).isDirectory(), statSync(pipe).isFIFO()]).toEqual([true, true]);
});

test.for(["EROFS", "EACCES", "ENOSPC"])(
  "a state folder that fails with %s is reported as such, not as another run",
  async (code) => {
    const { onDay, file } = await exportDesk();
    const lock: Files["lock"] = () => Promise.reject(Object.assign(new Error(code), { code }));
    const ended = await onDay("2026-10-05", first, "--start-date 2026-10-01", { ...nodeFiles(), lock });
    expect(ended).toMatchObject({ exit: 3, asked: [] });
    expect(ended.stderr).toContain("PARTNER_STATE_DIR");
    expect(existsSync(file)).toBe(false);
  },
);

test("export state with lost rows is reported as damaged, and no row is duplicated", async () => {
  const { onDay, text, folder } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const name = readdirSync(join(folder, "state", "exports")).find((each) => each.endsWith(".ndjson")) ?? "";
  const memory = join(folder, "state", "exports", name);
  const before = text();
  const whole = readFileSync(memory, "utf8");
  for (const left of [whole.slice(0, whole.indexOf("\n") + 1), whole.replace("B,rent", "B,Rent")]) {
    writeFileSync(memory, left);
    const ended = await onDay("2026-10-06", first);
    expect(ended).toMatchObject({ exit: 3, asked: [] });
    expect(ended.stderr).toContain("What is remembered of this export is damaged");
  }
  expect(text()).toBe(before);
});

test("a full disk in the state folder leaves the exported file unchanged", async () => {
  const { onDay, text } = await exportDesk();
  await onDay("2026-10-05", first, "--start-date 2026-10-01");
  const before = text();
  const files = nodeFiles();
  const draft: Files["draft"] = (path, mode) =>
    path.endsWith(".ndjson")
      ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
      : files.draft(path, mode);
  const ended = await onDay("2026-10-06", [...first, { ref: "C", day: "2026-10-06" }], "", {
    ...files,
    draft,
  });
  expect(ended.exit).toBe(3);
  expect(ended.stderr).toContain("the disk is full");
  expect(text()).toBe(before);
});

test("a full disk while writing the list of accounts leaves no partial file", async () => {
  const { onDay, folder } = await exportDesk();
  const files = nodeFiles();
  const draft: Files["draft"] = async (path, mode) => {
    const real = await files.draft(path, mode);
    if (!path.endsWith("accounts")) return real;
    return {
      write: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
      commit: () => real.commit(),
      abandon: () => real.abandon(),
    };
  };
  const ended = await onDay("2026-10-05", first, "--start-date 2026-10-01", { ...files, draft });
  expect(ended).toMatchObject({ exit: 3, asked: [] });
  expect(ended.stderr).toContain("the disk is full");
  expect(readdirSync(join(folder, "state", "exports"))).toEqual([]);
});

test.for([
  ["--output xlsx", "--columns cannot be used with xlsx"],
  ["--output json", "a file of json does not take"],
  ["--sort narration", "--sort cannot be used"],
  ["--month 2026-10", "works out its period by itself"],
  ["--overlap 1h", "a number of whole days"],
])("%s is refused with --since-last", async ([flags = "", message]) => {
  const { onDay, file } = await exportDesk();
  const ended = await onDay("2026-10-05", first, `--start-date 2026-10-01 ${flags}`);
  expect(ended).toMatchObject({ exit: 2, asked: [] });
  expect(ended.stderr).toContain(message);
  expect(existsSync(file)).toBe(false);
});

const row = (ref: string, valueDate: string, balance: number) =>
  `{"tranRefNo":"${ref}","valueDate":"${valueDate}","narration":"rent","debitOrCredit":"CR","amountCredited":100.00,"amountDebited":0,"balance":${balance}.00}`;
const books = (of: readonly string[]) => ({ lines: [], balance: null, statement: `[${of.join(",")}]` });

test("a row with a time zone that an earlier version stored under another day is not exported again", async () => {
  const { onDay, folder, text } = await exportDesk();
  const rows = [row("A", "2026-10-05 10:00:00", 100), row("Z", "2026-10-05T22:30:00Z", 200)];
  expect(await onDay("2026-10-06", books(rows), "--start-date 2026-10-01")).toMatchObject({ exit: 0 });
  const before = text();
  const name = readdirSync(join(folder, "state", "exports")).find((each) => each.endsWith(".ndjson")) ?? "";
  const memory = join(folder, "state", "exports", name);
  const [head = "", ...remembered] = readFileSync(memory, "utf8").split("\n");
  const former = remembered.join("\n").replace('["2026-10-06","Z"', '["2026-10-05","Z"');
  expect(former).not.toBe(remembered.join("\n"));
  const rowsSha256 = createHash("sha256").update(former).digest("hex");
  writeFileSync(memory, `${JSON.stringify({ ...JSON.parse(head), rowsSha256 })}\n${former}`);
  expect(await onDay("2026-10-07", books([...rows, row("C", "2026-10-07 10:00:00", 300)]))).toMatchObject({ exit: 0 });
  expect(text()).toBe(`${before}C,rent,100.00\n`);
});
