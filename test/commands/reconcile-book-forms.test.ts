import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lacks } from "../statements/readers.ts";
import { row, xlsx } from "../sheets/xlsx-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./month.ts";
import { october, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const statement: readonly Line[] = [
  ["A", "2026-10-01", "+1234.50"],
  ["B", "2026-10-02", "-2000.00"],
];
const sides = "--book-debit Out --book-credit In";

/** The same two rows in another format, the flags for it, and the expected notes. */
const readable: readonly (readonly [string, string, string, string])[] = [
  ["two columns", "reference,Out,In,date\nA,,1234.50,2026-10-01\nB,2000,0.00,2026-10-02\n", sides, ""],
  [
    "thousands that are said",
    'reference,amount,date\nA,"1,234.50",2026-10-01\nB,-2000,2026-10-02\n',
    "--book-thousands ,",
    "",
  ],
  [
    "thousands that are said as a book has them",
    "reference,amount,date\nA,1\u2019234.50,2026-10-01\nB,-2000,2026-10-02\n",
    "--book-thousands \u2019",
    "",
  ],
  [
    "thousands in which all agree",
    'reference,amount,date\nA,"1,234.50",2026-10-01\nB,"-2,000.00",2026-10-02\n',
    "",
    "Thousands of the book are read as separated by ','.\n",
  ],
  [
    "thousands with hard spaces",
    "reference;amount;date\nA;1\u00a0234,50;2026-10-01\nB;-2\u202f000,00;2026-10-02\n",
    "--book-decimal comma",
    "Thousands of the book are read as separated by ' '.\n",
  ],
  [
    "thousands with points",
    "reference;amount;date\nA;1.234,50;2026-10-01\nB;-2.000;2026-10-02\n",
    "--book-decimal comma",
    "Thousands of the book are read as separated by '.'.\n",
  ],
  [
    "thousands with apostrophes",
    "reference,amount,date\nA,1'234.50,2026-10-01\nB,-2\u2019000,2026-10-02\n",
    "",
    `Thousands of the book are read as separated by "'".\n`,
  ],
  ["negatives in brackets", "reference,amount,date\nA,1234.50,2026-10-01\nB,(2000.00),2026-10-02\n", "", ""],
  [
    "days with the month's name",
    "reference,amount,date\nA,1234.50,01-Oct-26\nB,-2000,2-oct-26\n",
    "",
    "Days of the book are read as DD-MMM-YY.\n",
  ],
  [
    "days with the month's whole name",
    "reference,amount,date\nA,1234.50,1 October 2026\nB,-2000,02/Oct/2026\n",
    "",
    "Days of the book are read as DD-MMM-YYYY.\n",
  ],
  [
    "a day of the month before, in four letters",
    "reference,amount,date\nA,1234.50,30-Sept-2026\nB,-2000,2-Oct-2026\n",
    "",
    "Days of the book are read as DD-MMM-YYYY.\n",
  ],
  [
    "days with the month's name, where that is said",
    "reference,amount,date\nA,1234.50,01-Oct-26\nB,-2000,02-Oct-26\n",
    "--book-date-format DD-MMM-YY",
    "",
  ],
  [
    "times of day behind other days",
    "reference,amount,date\nA,1234.50,01/10/2026 09:30\nB,-2000,02/10/2026 14:00:05\n",
    "--book-date-format DD/MM/YYYY",
    "",
  ],
  [
    "titles above its header",
    "Cash book\n,October 2026; printed on the 3rd\n\nReference;Amount;Date\nA;1234.50;2026-10-01\nB;-2000;2026-10-02\n",
    "",
    "",
  ],
  [
    "a total below",
    "reference,amount,date\nA,1234.50,2026-10-01\nB,-2000,2026-10-02\nTotal,-765.50,\n",
    "",
    "Line 4 of the book is the total of its rows, and isn't counted as one.\n",
  ],
  [
    "a total of each side below",
    'Ledger\nreference,Out,In,date\nA,,"1,234.50",2026-10-01\nB,"2,000.00",,2026-10-02\n\n,"2,000.00","1,234.50",TOTAL:\n,,,\n',
    sides,
    "Thousands of the book are read as separated by ','.\nLine 6 of the book is the total of its rows, and isn't counted as one.\n",
  ],
  [
    "a total of amounts without sign",
    "reference,amount,way,date\nA,1234.50,CR,2026-10-01\nB,2000,DR,2026-10-02\nGrand total,3234.50,,\n",
    "--book-direction way",
    "Line 4 of the book is the total of its rows, and isn't counted as one.\n",
  ],
];

test.each(readable)("a book with %s is read", async (_, text, flags, said) => {
  const { exit, stdout, stderr } = await october(
    statement,
    text,
    `${flags} --csv --columns class,reference --no-header`,
  );
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "matched,A\nmatched,B\n" });
  expect(
    stderr
      .split("\n")
      .filter((line) => line.includes("book"))
      .join("\n"),
  ).toBe(said.trimEnd());
});

const faulty: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "thousands in which they do not agree",
    'reference,amount,date\nA,"1,234.50",2026-10-01\nB,-2000,2026-10-02\n',
    "",
    [`line 2, amount: "1,234.50" has separators between its digits: if all are meant so, add --book-thousands ','`],
  ],
  [
    "thousands other than those that are said",
    "reference,amount,date\nA,1'234.50,2026-10-01\n",
    "--book-thousands ,",
    [`line 2, amount: "1'234.50" has separators between its digits: if all are meant so, add --book-thousands "'"`],
  ],
  [
    "decimals after a comma",
    'reference,amount,date\nA,"1.234,50",2026-10-01\n',
    "",
    ['line 2, amount: "1.234,50" has a decimal comma: add --book-decimal comma'],
  ],
  [
    "amounts on both sides, or on none",
    "reference,Out,In,date\nA,5,1234.50,2026-10-01\nB,,,2026-10-02\n",
    sides,
    ["line 2, Out and In: both hold an amount", "line 3, Out and In: neither holds an amount"],
  ],
  [
    "a total that is none",
    "reference,amount,date\nA,1234.50,2026-10-01\nB,-2000,2026-10-02\nTotal,-765.00,\n",
    "",
    ['line 4: has no day, and isn\'t a total either: the rows above it add up to -765.50, and it says "-765.00"'],
  ],
  [
    "a total of the credits that is none",
    "reference,Out,In,date\nA,,1234.50,2026-10-01\nB,2000,,2026-10-02\n,2000,2000,\n",
    sides,
    ['line 4: has no day, and isn\'t a total either: the credits above it add up to 1234.50, and it says "2000"'],
  ],
  [
    "a row without a day above others",
    "reference,amount,date\n,1234.50,\nB,-2000,2026-10-02\n",
    "",
    ['line 2, date: "" is empty'],
  ],
  [
    "a last row without a day that has a reference",
    "reference,amount,date\nA,1234.50,2026-10-01\nB,1234.50,\n",
    "",
    ['line 3, date: "" is empty'],
  ],
  [
    "days that another form would read",
    "reference,amount,date\nA,1234.50,31/10/2026\nB,1.00,31-Okt-26\nC,1.00,30-Feb-26\n",
    "",
    [
      'line 2, date: "31/10/2026" isn\'t a day in the form YYYY-MM-DD; --book-date-format DD/MM/YYYY would read it',
      'line 3, date: "31-Okt-26" isn\'t a day in the form YYYY-MM-DD',
      'line 4, date: "30-Feb-26" isn\'t a day in the form YYYY-MM-DD',
    ],
  ],
  [
    "days that two forms would read",
    "reference,amount,date\nA,1234.50,10/05/2026\nB,1.00,10/13/2026\n",
    "",
    [
      'line 2, date: "10/05/2026" isn\'t a day in the form YYYY-MM-DD; --book-date-format DD/MM/YYYY would read 2026-05-10, and MM/DD/YYYY 2026-10-05',
      'line 3, date: "10/13/2026" isn\'t a day in the form YYYY-MM-DD; --book-date-format MM/DD/YYYY would read it',
    ],
  ],
  [
    "a row that is too short",
    "Ledger of October\nreference,amount,date\nA,1234.50\nB,x,2026-10-01\n",
    "",
    [
      'line 3: has 2 cells where the header has 3; "date" is the first that is missing',
      'line 4, amount: "x" isn\'t a valid amount',
    ],
  ],
];

test.each(faulty)("a book with %s is refused by line", async (_, text, flags, lines) => {
  const { exit, stdout, stderr, requests } = await october(statement, text, flags);
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []))).toEqual(lines);
});

test.each([
  ["--book-debit Out", "--book-debit and --book-credit go together."],
  [`${sides} --book-amount x`, "--book-amount has no meaning with --book-debit and --book-credit."],
  [`${sides} --book-direction x`, "--book-direction has no meaning with --book-debit and --book-credit."],
])("incomplete or contradictory amount columns are refused: %s", async (flags, words) => {
  const { exit, stderr } = await october(statement, "reference,Out,In,date\n", flags);
  expect(exit).toBe(2);
  expect(stderr).toContain(words);
});

test("an unknown separator of thousands is refused with the list of known ones", async () => {
  const { exit, stderr } = await october(statement, "reference,amount,date\n", "--book-thousands _");
  expect(exit).toBe(2);
  expect(stderr).toContain(
    `--book-thousands takes one of ',', '.', "'", ' '.\nHint: For example: --book-thousands ','\n`,
  );
});

/** The statement's rows in a workbook as a bookkeeper keeps it: a merged title, dates, formulas, a total below. */
const rows = [
  row(1, "Cash book of October"),
  row(3, "Ref", "Amount", "Day"),
  `<row r="4"><c r="A4" t="inlineStr"><is><t>A</t></is></c><c r="B4"><f>1000+234.5</f><v>1234.5</v></c><c r="C4" s="1"><v>46296</v></c></row>`,
  `<row r="5"><c r="A5" t="inlineStr"><is><t>B</t></is></c><c r="B5"><v>-2000</v></c><c r="C5" s="1"><v>46297</v></c></row>`,
];
const total = `<row r="6"><c r="A6" t="inlineStr"><is><t>Total</t></is></c><c r="B6"><f>SUM(B4:B5)</f><v>-765.5</v></c></row>`;
const columns = "--book-reference Ref --book-amount Amount --book-date Day";

async function reconcileWorkbook(sheetData: string, flags: string, after = "") {
  const path = join(temporaryFolder(), "book.xlsx");
  const sheets = { Cash: sheetData, Notes: row(1, "x") };
  writeFileSync(path, await xlsx({ sheets, after, forms: ["dd/mm/yyyy"] }));
  const line = `reconcile --account 42 --month 2026-10 --book ${path} ${columns} ${flags}`;
  return ask(line, ok(statementOf(statement)), { now: Date.UTC(2026, 10, 20, 9) });
}

test("a book in a workbook is read with its title, dates, formulas and total", async () => {
  const merged = '<mergeCells><mergeCell ref="A1:C1"/></mergeCells>';
  const { exit, stdout, stderr } = await reconcileWorkbook(rows.join("") + total, "--sheet Cash --csv", merged);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  expect(stdout).toContain("matched,A,1234.50,1234.5,");
  expect(stderr).toContain("Line 6 of the book is the total of its rows, and isn't counted as one.");
});

test("faults in a workbook are named by sheet and cell, before any request", async () => {
  const broken = `<row r="6"><c r="A6" t="inlineStr"><is><t>C</t></is></c><c r="B6" t="e"><v>#N/A</v></c></row>`;
  const after = '<mergeCells><mergeCell ref="A4:A5"/></mergeCells>';
  const { exit, stderr, requests } = await reconcileWorkbook(rows.join("") + broken, "--sheet Cash", after);
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain('  Cash!B6: is an error, "#N/A"\n  Cash!A4:A5: is merged\n');
  const unnamed = await reconcileWorkbook(rows.join(""), "");
  expect(unnamed).toMatchObject({ exit: 2, requests: [] });
  expect(unnamed.stderr).toContain('it has 2 sheets: "Cash", "Notes".');
});

test.for([
  ["ssconvert", ["book.csv", "book.xlsx"]],
  ["soffice", ["--headless", "-env:UserInstallation=file://FOLDER/profile", "--convert-to", "xlsx", "book.csv"]],
] as const)("a book that %s converted from CSV to xlsx is read like the CSV", async ([program, line], { skip }) => {
  const missing = lacks(program, "--version");
  if (missing !== undefined) skip(missing);
  const folder = temporaryFolder();
  writeFileSync(join(folder, "book.csv"), "reference,amount,date\nA,1234.50,2026-10-01\nB,-2000,2026-10-02\n");
  const env = { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C.UTF-8" };
  spawnSync(
    program,
    line.map((word) => word.replace("FOLDER", folder)),
    { cwd: folder, env },
  );
  const asked = `reconcile --account 42 --month 2026-10 --book ${join(folder, "book.xlsx")} --csv --columns class,reference`;
  const { exit, stdout } = await ask(asked, ok(statementOf(statement)), { now: Date.UTC(2026, 10, 20, 9) });
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "class,reference\nmatched,A\nmatched,B\n" });
});
