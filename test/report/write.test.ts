import { expect, test } from "vitest";
import type { Batches } from "../../src/report/report.ts";
import { writeReport } from "../../src/report/write.ts";
import { Failure } from "../../src/values/failure.ts";
import type { Field } from "../../src/values/field.ts";
import { memoryHost } from "../memory-host.ts";
import { containing } from "./containing.ts";
import { inBatches, plainOptions, render, rowsReport } from "./render.ts";
import { troubledFiles } from "./troubled-files.ts";

const fields: readonly Field[] = [
  { name: "id", kind: "id" },
  { name: "narration", kind: "text" },
];
const rows = [{ id: "1", narration: "one", extra: "e" }, { id: "2" }];
const formats = ["table", "json", "ndjson", "csv"] as const;

async function* breakingOff(): Batches {
  yield rows;
  throw new Failure("unavailable", "The service broke off.");
}

test.each(formats)("%s: rows that break off leave stdout empty", async (format) => {
  expect(await render(rowsReport(fields, breakingOff()), { format })).toMatchObject({
    stdout: "",
    stderr: "",
    error: { ending: "unavailable", message: "The service broke off." },
  });
});

test.each(formats)("%s: a failed check leaves stdout empty and prints its notes", async (format) => {
  const failure = new Failure("mismatch", "It does not add up.");
  const report = { ...rowsReport(fields, inBatches(rows, 1)), findings: () => ({ notes: ["2 rows\u0007"], failure }) };
  expect(await render(report, { format })).toEqual({ stdout: "", stderr: "2 rows\\u0007\n", error: failure });
  expect(await render(report, { format, quiet: true })).toMatchObject({ stdout: "", error: failure });
});

test("findings are read once after the last row, and printed after the result", async () => {
  const order: string[] = [];
  async function* watched(): Batches {
    yield rows;
    order.push("last row");
  }
  const host = memoryHost();
  const stdout = { ...host.stdout, write: async () => void order.push("stdout") };
  const stderr = { ...host.stderr, write: async () => void order.push("stderr") };
  const findings = () => {
    order.push("findings");
    return { notes: ["said"] };
  };
  const report = { ...rowsReport(fields, watched()), findings };
  await writeReport(report, { ...plainOptions, format: "csv" }, { ...host, stdout, stderr });
  expect(order).toEqual(["last row", "findings", "stdout", "stderr"]);
});

test("a record's findings can fail, too", async () => {
  const failure = new Failure("mismatch", "Below the floor.");
  const report = { shape: "record", columns: fields, record: {}, findings: () => ({ notes: [], failure }) } as const;
  expect(await render(report, { format: "json" })).toEqual({ stdout: "", stderr: "", error: failure });
});

test("writing stops without an error when the reader goes away", async () => {
  const host = memoryHost();
  let writes = 0;
  const stdout = {
    ...host.stdout,
    get closed() {
      return writes > 0;
    },
    write: async () => void writes++,
  };
  const many = Array.from({ length: 20_000 }, (_, index) => ({ id: `${index}`, narration: "x".repeat(50) }));
  await writeReport(rowsReport(fields, many), { ...plainOptions, format: "csv" }, { ...host, stdout });
  expect(writes).toBe(1);
});

test("a result larger than the memory limit is written completely", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `${index}`, narration: "x".repeat(1000) }));
  const { stdout } = await render(rowsReport(fields, inBatches(many, 100)), { format: "csv", header: false });
  expect(stdout).toBe(many.map(({ id, narration }) => `${id},${narration}\n`).join(""));
});

test.each(["ENOSPC", "EIO", "EDQUOT"])("a temporary folder that fails with %s is unavailable", async (code) => {
  const files = troubledFiles({ spool: code });
  expect(await render(rowsReport(fields, rows), { format: "csv", files })).toMatchObject({
    stdout: "",
    error: {
      ending: "unavailable",
      message: containing("temporary folder"),
      hint: containing("TMPDIR"),
    },
  });
});

test("a full disk behind stdout ends as unavailable and says that the output is incomplete", async () => {
  const host = memoryHost();
  const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  const outputs = { ...host, stdout: { ...host.stdout, write: () => Promise.reject(full) } };
  await expect(writeReport(rowsReport(fields, rows), plainOptions, outputs)).rejects.toMatchObject({
    ending: "unavailable",
    message: "The result could not be written to the standard output completely: the disk is full.",
  });
});

test("other errors are passed on unchanged", async () => {
  const bug = new TypeError("of our own making");
  async function* broken(): Batches {
    yield rows;
    throw bug;
  }
  expect((await render(rowsReport(fields, broken()))).error).toBe(bug);
  const host = memoryHost();
  const outputs = { ...host, stdout: { ...host.stdout, write: () => Promise.reject(bug) } };
  await expect(writeReport(rowsReport(fields, rows), plainOptions, outputs)).rejects.toBe(bug);
});

test("an unknown column is refused with the known names", async () => {
  for (const format of formats) {
    expect(await render(rowsReport(fields, inBatches(rows, 1)), { format, columns: ["id", "naration"] })).toMatchObject(
      {
        stdout: "",
        error: {
          ending: "usage",
          message: 'There is no column "naration" in this result.',
          hint: "Did you mean narration? Its columns are id, narration, extra.",
        },
      },
    );
  }
  expect(await render(rowsReport(fields, rows), { sort: [{ name: "x", descending: true }] })).toMatchObject({
    error: { ending: "usage", message: 'There is no column "x" in this result.' },
  });
});

test("an undocumented column is accepted if any row has it", async () => {
  const late = inBatches([{ id: "1" }, { id: "2", extra: "e" }], 1);
  expect(await render(rowsReport(fields, late), { format: "csv", columns: ["extra", "id"] })).toMatchObject({
    stdout: "extra,id\n,1\ne,2\n",
    error: undefined,
  });
});

test("the result of a money command is shown even if a column is misspelt", async () => {
  const report = { ...rowsReport(fields, rows), mustShow: true };
  expect(await render(report, { format: "csv", columns: ["id", "stat"] })).toEqual({
    stdout: "id,stat\n1,\n2,\n",
    stderr: 'There is no column "stat" in this result.\n',
    error: undefined,
  });
});
