import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Failure } from "../../src/values/failure.ts";
import type { SheetOptions } from "../../src/sheets/sheet.ts";
import type { SheetRow } from "../../src/sheets/sheet-row.ts";
import { openSheet } from "../../src/sheets/sheet.ts";
import { quotedLine } from "../../src/report/csv-quoting.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";

function file(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), "sheet.csv");
  writeFileSync(path, content);
  return path;
}

async function read(content: string | Uint8Array, options: SheetOptions = {}) {
  const sheet = await openSheet(memoryHost(), file(content), options);
  const rows: SheetRow[] = [];
  for await (const batch of sheet.rows) rows.push(...batch);
  return { header: sheet.header, delimiter: sheet.delimiter, rows };
}

/** The message for a person, without the file's place. */
async function told(content: string | Uint8Array, options: SheetOptions = {}): Promise<string> {
  const error = await read(content, options).catch((failure: Failure) => failure);
  if (!(error instanceof Error)) return "nothing";
  expect(error).toMatchObject({ ending: "usage" });
  return error.message.replaceAll(/\S*sheet\.csv/g, "sheet.csv");
}

test("a row knows its first line, also after cells of several lines", async () => {
  const { header, rows } = await read('reference,note\nA,"two\r\nlines"\nB,\n\n,\nC,"say ""yes"""\n');
  expect(header).toEqual(["reference", "note"]);
  expect(rows).toEqual([
    { line: 2, cells: ["A", "two\r\nlines"] },
    { line: 4, cells: ["B", ""] },
    { line: 7, cells: ["C", 'say "yes"'] },
  ]);
});

test.for([
  ["semicolons", "a;b;c\n1,5;2;3\n", ";", ["1,5", "2", "3"]],
  ["tabs", "a\tb\tc\n1,5\t2\t3\n", "\t", ["1,5", "2", "3"]],
  ["bars", "a|b|c\n1,5|2|3\n", "|", ["1,5", "2", "3"]],
  ["commas", '"a;x",b,c\n1;5,2,3\n', ",", ["1;5", "2", "3"]],
] as const)("a sheet with %s between its cells is read without --delimiter", async ([, text, delimiter, cells]) => {
  const read1 = await read(text);
  expect(read1.delimiter).toBe(delimiter);
  expect(read1.rows).toEqual([{ line: 2, cells }]);
});

test("a header with an uncertain delimiter is refused, and --delimiter decides", async () => {
  expect(await told("a,b;c\n")).toBe("The delimiter between the cells of sheet.csv cannot be read from its header.");
  expect((await read("a,b;c\n1,2\n", { delimiter: "," })).rows).toEqual([{ line: 2, cells: ["1", "2"] }]);
});

test("the header is found below any number of empty lines", async () => {
  const { header, rows } = await read(`${"\n".repeat(200_000)}a,b\n1,2\n`, { delimiter: "," });
  expect({ header, rows }).toEqual({ header: ["a", "b"], rows: [{ line: 200_002, cells: ["1", "2"] }] });
});

test("a byte order mark, CRLF and a last line without an end change nothing", async () => {
  const { header, rows } = await read("\uFEFFa,b\r\n1,2\r\n3,\uFEFF4");
  expect(header).toEqual(["a", "b"]);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ["1", "2"],
    ["3", "\uFEFF4"],
  ]);
});

test.for(["", "\n", "\r\n"])("the last row is read among quoted ones, too, when it ends with %j", async (end) => {
  const { rows } = await read(`a,b\n"1,5",2\n"3,5","4"${end}`, { delimiter: "," });
  expect(rows).toEqual([
    { line: 2, cells: ["1,5", "2"] },
    { line: 3, cells: ["3,5", "4"] },
  ]);
});

test("all faults of the header are reported at once", async () => {
  const columns = { known: ["reference", "amount", "narration"], required: ["reference", "amount"] };
  expect(await told("amont,,narration,narration, reference\n", columns)).toBe(
    'The header of sheet.csv is not valid: column 2 has no name; "narration" occurs twice; ' +
      '"amont" isn\'t a column ("amount" is one); " reference" isn\'t a column ("reference" is one); ' +
      '"reference" is missing; "amount" is missing.',
  );
  expect(await told(`${",".repeat(100_000)}a\n`)).toContain("it has 100001 columns; 200 are the most");
});

test.for([
  ["nothing", new Uint8Array(), "cannot be read: it is empty."],
  [
    "a workbook",
    Buffer.from("PK\u0003\u0004rest"),
    "cannot be read: as a workbook it is damaged: its archive cannot be read.",
  ],
  ["UTF-16 with its mark", Buffer.from("\uFEFFa,b\n1,2\n", "utf16le"), "it is UTF-16 text"],
  ["UTF-16 without its mark", Buffer.from("a,b\n1,2\n", "utf16le"), "it is UTF-16 text"],
  ["big-endian UTF-16", Buffer.from("a,b\n1,2\n", "utf16le").swap16(), "it is UTF-16 text"],
  ["lines of an old Macintosh", "a,b\r1,2\r", "its lines end as on old Macintoshes"],
  ["Latin letters of Windows", Buffer.from("a,b\n1,2\n3,Zo\u00eb\n", "latin1"), "sheet.csv, line 3: it isn't UTF-8"],
  ["a zero character", "a,b\n1,2\n3,\u00004\n", "sheet.csv, line 3: it has a NUL character in it."],
  ["a missing cell", "a,b\n1,2\n3\n", 'line 3: it has 1 cell where the header has 2; "b" is the first'],
  ["a cell too many", "a,b\n1,2\n3,4,5\n", "line 3: it has 3 cells where the header has 2"],
  ["a lone quote", 'a,b\n1,2\n3,5" pipe\n6,7\n', "line 3: a quote is inside a cell that is not quoted."],
  ["text after a quote", 'a,b\n1,2\n3,"5"x\n', "line 3: a quoted cell continues after its closing quote."],
  ["an open quote", 'a,b\n1,"x\ny"\n3,"4\n5,6\n', "line 4: a quote opens in this row and is never closed."],
  ["an endless quote", `a,b\n1,2\n3,"${"x\n".repeat(700_000)}`, "line 3: a quote opens in this row"],
  ["an endless line", `a,b\n1,2\n3,${"x".repeat(2_000_000)}`, "line 3: it is longer than 1 MiB."],
] as const)("%s is refused, with the line if there is one", async ([, content, words]) => {
  expect(await told(content)).toContain(words);
});

test("a path that isn't a readable file is refused with the reason", async () => {
  const folder = temporaryFolder();
  const places = [join(folder, "none.csv"), folder, "/dev/null"];
  const told = places.map((path) => openSheet(memoryHost(), path).catch((error: Failure) => error.message));
  expect(await Promise.all(told)).toEqual([
    expect.stringContaining("there is no such file"),
    expect.stringContaining("it is a folder"),
    expect.stringContaining("it is a pipe or a device"),
  ]);
});

test("a link to a pipe is not waited for", async () => {
  const folder = temporaryFolder();
  const [pipe, link] = [join(folder, "pipe"), join(folder, "link.csv")];
  execFileSync("mkfifo", [pipe]);
  symlinkSync(pipe, link);
  const failure = await openSheet(memoryHost(), link).catch((error: Failure) => error);
  expect(failure).toMatchObject({ ending: "usage", message: expect.stringContaining("it is a link to a pipe") });
});

test("a file that is too large is refused before a byte of it is read", async () => {
  const path = file("a,b\n");
  truncateSync(path, 2 * 1024 ** 3);
  const host = memoryHost();
  const files = { ...host.files, chunks: () => expect.unreachable("It was read.") };
  const failure = await openSheet({ ...host, files }, path).catch((error: Failure) => error);
  expect(failure).toMatchObject({ ending: "usage", message: expect.stringContaining("larger than 1 GiB") });
});

test("cells are read as they were written, in whatever pieces the file arrives", async () => {
  const pool = ["", "a", '"', ",", ";", "\n", "\r\n", "ë", "😀", "'", " ", "=1", '""', "x,y"];
  let seed = 7;
  const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 60; round++) {
    const cell = () => Array.from({ length: draw(4) }, () => pool[draw(pool.length)]).join("");
    const written = Array.from({ length: 30 }, () => [`r${draw(9)}`, cell(), cell()]);
    const lineEnd = draw(2) === 0 ? "\n" : "\r\n";
    const text = [["a", "b", "c"], ...written].map((cells) => quotedLine(cells, { delimiter: ",", lineEnd }) + lineEnd);
    const bytes = Buffer.from(text.join(""));
    const host = memoryHost();
    async function* chunks() {
      for (let at = 0; at < bytes.length;) {
        const next = at + 1 + draw(40);
        yield bytes.subarray(at, next);
        at = next;
      }
    }
    const sheet = await openSheet({ ...host, files: { ...host.files, chunks } }, file(bytes), { delimiter: "," });
    const rows: SheetRow[] = [];
    for await (const batch of sheet.rows) rows.push(...batch);
    expect(rows.map(({ cells }) => cells)).toEqual(written);
    const lines = text.map((line) => line.split("\n").length - 1);
    const starts = written.map((_, index) => 1 + lines.slice(0, index + 1).reduce((sum, count) => sum + count, 0));
    expect(rows.map(({ line }) => line)).toEqual(starts);
  }
});
