import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { Batches } from "../../src/report/report.ts";
import { checkSave, formatEndings, formatOfEnding } from "../../src/report/save.ts";
import { writeReport } from "../../src/report/write.ts";
import { Failure } from "../../src/values/failure.ts";
import type { Field } from "../../src/values/field.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { containing } from "./containing.ts";
import { plainOptions, render, rowsReport } from "./render.ts";
import { troubledFiles } from "./troubled-files.ts";

const fields: readonly Field[] = [{ name: "id", kind: "id" }];
const report = rowsReport(fields, [{ id: "1" }, { id: "2" }]);
const csv = "id\n1\n2\n";

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function oldFile(): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, "old.csv");
  writeFileSync(path, "old\n");
  return { folder, path };
}

test("--save writes the file and nothing to stdout; notes stay on stderr", async () => {
  const path = join(temporaryFolder(), "new.csv");
  const noted = { ...report, findings: () => ({ notes: ["2 rows"] }) };
  expect(await render(noted, { format: "csv", save: path })).toEqual({
    stdout: "",
    stderr: "2 rows\n",
    error: undefined,
  });
  expect(readFileSync(path, "utf8")).toBe(csv);
  expect(modeOf(path)).toBe(0o666 & ~process.umask());
});

test("a saved table is formatted as off a terminal, even when stdout is one", async () => {
  const path = join(temporaryFolder(), "table.txt");
  const wide = rowsReport([{ name: "text", kind: "text" }], [{ text: "x".repeat(50) }]);
  expect(await render(wide, { save: path, terminal: 20, colour: true })).toMatchObject({ stdout: "" });
  expect(readFileSync(path, "utf8")).toBe(`text\n${"x".repeat(50)}\n`);
});

test.each([0o600, 0o644, 0o666, 0o440])("an existing file keeps its permissions, also behind a link", async (mode) => {
  const { folder, path } = oldFile();
  const link = join(folder, "link.csv");
  symlinkSync(path, link);
  for (const save of [path, link]) {
    chmodSync(path, mode);
    await render(report, { format: "csv", save });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(modeOf(path)).toBe(mode);
    expect(readFileSync(path, "utf8")).toBe(csv);
  }
});

test.skipIf(process.platform === "win32")("a device or a pipe is written to and never replaced", async () => {
  expect(await render(report, { format: "csv", save: "/dev/null" })).toMatchObject({ error: undefined });
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  await checkSave(pipe, nodeFiles());
  const [read] = await Promise.all([readFile(pipe, "utf8"), render(report, { format: "csv", save: pipe })]);
  expect(read).toBe(csv);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test("a pipe without a reader ends as unavailable", async () => {
  for (const [code, message] of [
    ["ENXIO", "no program reads from it"],
    ["EPIPE", "the program that read from it has ended"],
  ] as const) {
    expect(await render(report, { format: "csv", save: "pipe", files: troubledFiles({ draft: code }) })).toMatchObject({
      error: { ending: "unavailable", message: `--save pipe could not be written: ${message}.` },
    });
  }
});

test.skipIf(process.platform === "win32")("a signal ends the wait for a pipe's reader", async () => {
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const host = { ...memoryHost(), signal: AbortSignal.abort("SIGTERM") };
  const outputs = { ...host, files: nodeFiles(host.signal) };
  await expect(writeReport(report, { ...plainOptions, save: pipe }, outputs)).rejects.toMatchObject({
    ending: "interrupted",
    exit: 143,
  });
});

async function* breakingOff(): Batches {
  yield [{ id: "1" }];
  throw new Failure("unavailable", "The service broke off.");
}

test("rows that break off and a failed check leave the old file and no other", async () => {
  const { folder, path } = oldFile();
  const failure = new Failure("mismatch", "It does not add up.");
  const failing = [
    rowsReport(fields, breakingOff()),
    { ...report, findings: () => ({ notes: [], failure }) },
    { ...report, rows: [{ id: "1" }], findings: () => ({ notes: [], failure }) },
  ];
  for (const one of failing) {
    expect((await render(one, { format: "csv", save: path })).error).toBeInstanceOf(Failure);
    expect(readFileSync(path, "utf8")).toBe("old\n");
    expect(readdirSync(folder)).toEqual(["old.csv"]);
  }
});

test.each(["ENOSPC", "EIO", "EDQUOT", "EBUSY"])("a disk error %s leaves the old file and is reported", async (code) => {
  const { folder, path } = oldFile();
  for (const trouble of [{ write: code }, { commit: code }]) {
    expect(await render(report, { format: "csv", save: path, files: troubledFiles(trouble) })).toMatchObject({
      stdout: "",
      error: {
        ending: "unavailable",
        message: containing(path),
        hint: containing("The file that was there is unchanged."),
      },
    });
    expect(readFileSync(path, "utf8")).toBe("old\n");
    expect(readdirSync(folder)).toEqual(["old.csv"]);
  }
});

test.each(["EBUSY", "EPERM"])("a file open in Excel (%s) gets the hint to close it there", async (code) => {
  const { path } = oldFile();
  const { error } = await render(report, { format: "csv", save: path, files: troubledFiles({ commit: code }) });
  expect(error).toMatchObject({ hint: containing("If a program such as Excel has it open, close it there.") });
  expect(readFileSync(path, "utf8")).toBe("old\n");
});

test("a path that cannot be written is refused as --save, before any work", async () => {
  const { folder, path } = oldFile();
  const wrong = [folder, join(folder, "missing", "file.csv"), join(path, "below-a-file.csv")];
  for (const save of wrong) {
    const named = { ending: "usage", message: containing(`--save ${save} cannot be written: `) };
    expect(await render(report, { format: "csv", save })).toMatchObject({ stdout: "", error: named });
    await expect(checkSave(save, nodeFiles())).rejects.toMatchObject(named);
  }
  expect(readdirSync(folder)).toEqual(["old.csv"]);
});

test.each(["EACCES", "EROFS", "EPERM"])("checkSave reports a folder that fails with %s", async (code) => {
  await expect(checkSave("out.csv", troubledFiles({ draft: code }))).rejects.toMatchObject({ ending: "usage" });
  await expect(checkSave("out.csv", troubledFiles({ facts: code }))).rejects.toMatchObject({ ending: "usage" });
});

test("checkSave changes nothing", async () => {
  const { folder, path } = oldFile();
  const link = join(folder, "link.csv");
  symlinkSync(path, link);
  for (const save of [path, link, join(folder, "new.csv"), "/dev/null"]) await checkSave(save, nodeFiles());
  expect(readdirSync(folder).toSorted()).toEqual(["link.csv", "old.csv"]);
  expect(readFileSync(path, "utf8")).toBe("old\n");
});

test.each([
  ["a.csv", "csv"],
  ["A.CSV", "csv"],
  ["/x.y/statement.json", "json"],
  ["s.ndjson", "ndjson"],
  ["s.jsonl", "ndjson"],
  ["s.txt", "table"],
])("--save %s chooses %s", (path, format) => {
  expect(formatOfEnding(path, formatEndings)).toBe(format);
});

test.each(["statement", "s.pdf", ".csv", "s.constructor", "/dev/stdout"])(
  "--save %s without a known extension asks for --output",
  (path) => {
    expect(() => formatOfEnding(path, formatEndings)).toThrow(Failure);
  },
);

test("a command can add file extensions of its own", () => {
  expect(formatOfEnding("book.xlsx", { ...formatEndings, ".xlsx": "xlsx" as const })).toBe("xlsx");
});
