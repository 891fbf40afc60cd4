import { readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Line } from "./month.ts";
import { bookFile, october, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const one: readonly Line[] = [["A", "2026-10-01", "+1234.50"]];
const matched = "matched,A,1234.50,1234.50,0.00,2026-10-01,,n,,1,2\n";
const columns = "--book-reference Ref --book-amount Amount --book-date Day";

const readable: readonly [string, string | Uint8Array, string][] = [
  ["other columns in another order", "Day,Memo,Amount,Ref\n2026-10-01,x,1234.50,A\n", columns],
  ["semicolons", "Day;Amount;Ref\n2026-10-01;1234.50;A\n", columns],
  ["tabs", "Day\tAmount\tRef\n2026-10-01\t1234.50\tA\n", columns],
  [
    "a byte order mark, CRLF and spaces around cells",
    "\u{feff}Day,Amount,Ref\r\n 2026-10-01 ,1234.50 , A\r\n",
    columns,
  ],
  ["spaces around the names of its columns", "date , Amount,reference \n2026-10-01,1234.50,A\n", ""],
  [
    "spaces around a name that is said without them",
    "Day , Amount,Ref \n2026-10-01,1234.50,A\n",
    "--book-reference ref --book-amount Amount --book-date Day",
  ],
  ["quotes, and no line end after the last row", 'Day,Amount,Ref\n2026-10-01,"1234.50","A"', columns],
  ["quotes, and a line end after the last row", 'Day,Amount,Ref\n2026-10-01,"1234.50","A"\n', columns],
  ["times of day", "Day,Amount,Ref\n2026-10-01 09:30:00,1234.50,A\n", columns],
  ["decimal commas that are said", 'Day;Amount;Ref\n2026-10-01;"1234,50";A\n', `${columns} --book-decimal comma`],
  [
    "days first, where that is said",
    "Day,Amount,Ref\n1/10/2026,1234.50,A\n",
    `${columns} --book-date-format DD/MM/YYYY`,
  ],
  [
    "months first, where that is said",
    "Day,Amount,Ref\n10/01/2026,1234.50,A\n",
    `${columns} --book-date-format MM/DD/YYYY`,
  ],
  ["days with dots", "Day,Amount,Ref\n01.10.2026,1234.50,A\n", `${columns} --book-date-format DD.MM.YYYY`],
  [
    "columns that nobody reads, without names or twice",
    "Day,,Amount,,Ref,Memo,Memo\n2026-10-01,,1234.50,,A,x,y\n",
    columns,
  ],
  ["CR in a column", "Day,Amount,Ref,Way\n2026-10-01,1234.50,A,cr\n", `${columns} --book-direction Way`],
  ["CREDIT in a column", "Day,Amount,Ref,Way\n2026-10-01,1234.50,A,Credit\n", `${columns} --book-direction Way`],
];

test.each(readable)("a book with %s is read", async (_, text, flags) => {
  const { stdout, exit, stderr } = await october(one, text, `${flags} --csv --no-header`);
  expect({ stdout, exit, stderr }).toMatchObject({ stdout: matched, exit: 0 });
});

test("the direction column decides between debit and credit", async () => {
  const book = "reference,amount,date,way\nA,10.00,2026-10-01,DR\nB,20,2026-10-02,DEBIT\nC,30.00,2026-10-03,CR\n";
  const statement: readonly Line[] = [
    ["A", "2026-10-01", "-10.00"],
    ["B", "2026-10-02", "-20.00"],
    ["C", "2026-10-03", "+30.00"],
  ];
  expect((await october(statement, book, "--book-direction way")).exit).toBe(0);
});

const refused: readonly [string, string | Uint8Array, string, RegExp][] = [
  ["without a column", "ref,amount,date\nA,1,2026-10-01\n", "", /"reference" is missing/],
  ["with a column twice", "reference,amount,date,amount\nA,1,2026-10-01,1\n", "", /"amount" occurs twice/],
  ["in UTF-16", Buffer.from("reference,amount,date\nA,1,2026-10-01\n", "utf16le"), "", /UTF-16/],
  ["that is a workbook", Buffer.from("PK\u0003\u0004 and so on"), "", /as a workbook it is damaged/],
  ["that is empty", "", "", /it is empty/],
  ["with a row that is too short", "reference,amount,date\nA,1\n", "", /line 2/],
];

test.each(refused)("a book %s is refused before any request", async (_, text, flags, said) => {
  const { exit, stdout, stderr, requests } = await october(one, text, flags);
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toMatch(said);
});

test("all invalid cells are named at once, with line and column", async () => {
  const rows = [
    'A,"1,000.00",2026-10-01',
    "B,1 000.00,2026-10-01",
    "C,1.5E+3,2026-10-01",
    'D,"12,50",2026-10-01',
    "E,,2026-10-01",
    "F,500.00-,2026-10-01",
    "G,1.00,31/10/2026",
    "H,1.00,2026-02-30",
    "2.55712E+11,1.00,2026-10-01",
    "I,TZS 5,",
  ];
  const { exit, stderr } = await october(one, `reference,amount,date\n${rows.join("\n")}\n`, "");
  expect(exit).toBe(2);
  expect(stderr.split("\n").filter((line) => line.startsWith("  "))).toEqual([
    "  line 2, amount: \"1,000.00\" has separators between its digits: if all are meant so, add --book-thousands ','",
    "  line 3, amount: \"1 000.00\" has separators between its digits: if all are meant so, add --book-thousands ' '",
    '  line 4, amount: "1.5E+3" is what a spreadsheet makes of a long number',
    '  line 5, amount: "12,50" has a decimal comma: add --book-decimal comma',
    '  line 6, amount: "" is empty',
    '  line 7, amount: "500.00-" isn\'t a valid amount',
    '  line 8, date: "31/10/2026" isn\'t a day in the form YYYY-MM-DD; --book-date-format DD/MM/YYYY would read it',
    '  line 9, date: "2026-02-30" isn\'t a day in the form YYYY-MM-DD',
    '  line 10, reference: "2.55712E+11" is what a spreadsheet makes of a long number',
    '  line 11, amount: "TZS 5" isn\'t a valid amount',
    '  line 11, date: "" is empty',
  ]);
  expect(stderr).toContain("has 11 cells that cannot be used.");
});

const advised: readonly [string, string, string, string][] = [
  ["a day", "A,1.00,1st of May", "", "Days are read as YYYY-MM-DD; --book-date-format names another form."],
  [
    "a day in a form that is said",
    "A,1.00,2026-10-01",
    "--book-date-format DD.MM.YYYY",
    "Days are read as DD.MM.YYYY; --book-date-format names another form.",
  ],
  [
    "an amount",
    "A,x,2026-10-01",
    "",
    "Amounts are digits with a point before decimals; --book-thousands names their separator.",
  ],
  [
    "an amount with a comma",
    "A,x,2026-10-01",
    "--book-decimal comma",
    "Amounts are digits with a comma before decimals; --book-thousands names their separator.",
  ],
  ["a reference", "2.55712E+11,1.00,2026-10-01", "", "Let the spreadsheet keep references as text."],
  [
    "an amount and a direction",
    "A,-1.00,2026-10-01,DR\nB,1.00,2026-10-01,out",
    "--book-direction way",
    "Amounts are digits with a point before decimals; --book-thousands names their separator, and no sign beside a direction. A direction is CR, DR, CREDIT or DEBIT.",
  ],
];

test.each(advised)("%s that is invalid is reported with a hint about valid cells", async (_, rows, flags, advice) => {
  const way = flags.includes("direction") ? ",way" : "";
  const { exit, stderr } = await october(one, `reference,amount,date${way}\n${rows}\n`, flags);
  expect(exit).toBe(2);
  expect(stderr.split("\n").at(-2)).toBe(`Hint: ${advice} If the flags are right, correct the cells in the file.`);
});

test.each([
  ["--book-amount x --book-date x", "amount and date", "x"],
  ["--book-reference date --book-direction date", "reference and date and direction", "date"],
])("one column cannot have two roles: %s", async (flags, named, column) => {
  const { exit, stdout, stderr, requests } = await october(one, "reference,amount,date,x\nA,1,2026-10-01,1\n", flags);
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toBe(
    `Period: 2026-10-01 to 2026-10-31\nError: Column "${column}" is named for ${named}, and it can be only one of them.
Hint: Say what its columns are called: --book-reference, --book-amount (or --book-debit and --book-credit) and --book-date, or once with partner profile set.
`,
  );
});

test("of 300 faults the first 50 are listed, and all are counted", async () => {
  const rows = Array.from({ length: 300 }, () => "A,x,2026-10-01\n").join("");
  const { stderr } = await october(one, `reference,amount,date\n${rows}`, "");
  expect(stderr).toContain("has 300 cells that cannot be used. The first 50 are:");
  expect(stderr.split("\n").filter((line) => line.startsWith("  "))).toHaveLength(50);
});

test("a sign beside a direction is refused, and so is an unknown direction", async () => {
  const book = "reference,amount,date,way\nA,-10.00,2026-10-01,DR\nB,20,2026-10-02,out\n";
  const { exit, stderr } = await october(one, book, "--book-direction way");
  expect(exit).toBe(2);
  expect(stderr).toContain('line 2, amount: "-10.00" has a sign, and the direction is "DR"');
  expect(stderr).toContain('line 3, way: "out" is not one of CR, DR, CREDIT, DEBIT');
});

test("a transfer is matched by the reference at the end of its description, even with brackets inside", async () => {
  const statement: readonly Line[] = [
    ["FT1", "2026-10-01", "-10.00", "Rent [of May] [T [1]]"],
    ["FT2", "2026-10-01", "-10.00", "Rent [T-2] or so"],
  ];
  const { stdout } = await october(
    statement,
    "reference,amount,date\nT [1],-10.00,2026-10-20\nT-2,-9.00,2026-10-20\n",
    "--csv",
  );
  expect(stdout).toContain(
    "matched,T [1],-10.00,-10.00,0.00,2026-10-01,in the statement FT1; in the book on 2026-10-20,Rent [of May] [T [1]],,1,2\n",
  );
  expect(stdout).toContain("only in statement,FT2,");
});

test("control characters of a book are printed escaped", async () => {
  const { stdout, stderr } = await october(one, "reference,amount,date\n\u001b[31mX,5,2026-10-01\n", "");
  expect(stdout).toContain(String.raw`\u001b[31mX`);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("--save never overwrites the book, even through links", async () => {
  const path = bookFile("reference,amount,date\nA,1234.50,2026-10-01\n");
  const link = `${path}.link.csv`;
  symlinkSync(path, link);
  for (const [book, save] of [
    [path, path],
    [path, link],
    [link, path],
  ]) {
    const { exit, stdout, stderr, requests } = await ask(
      `reconcile --account 42 --month 2026-10 --book ${book} --save ${save}`,
    );
    expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
    expect(stderr).toContain("--save names the book itself; nothing was written.");
  }
  expect(readFileSync(path, "utf8")).toContain("A,1234.50");
});

test("a flag about the book without --book is refused", async () => {
  const { exit, stdout, stderr } = await ask("reconcile --account 42 --month 2026-10 --book-amount Amount");
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("--book-amount has no effect without --book.");
});

test("a missing book is reported", async () => {
  const { exit, stderr } = await ask("reconcile --account 42 --month 2026-10 --book /nowhere/book.csv", ok("[]"));
  expect(exit).toBe(2);
  expect(stderr).toContain("/nowhere/book.csv cannot be read: there is no such file.");
});

test("a profile remembers the names of the book's columns, and flags override it", async () => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const add = "profile add shop --environment simulator --base-url http://127.0.0.1:9 --account-id a --secrets-from -";
  await run(words(add), { environment, stdin: '{"secretKey":"k2y-of-shop"}' });
  const set = "profile set shop book.reference=Ref book.amount=Amount book.date=Day book.dateFormat=DD/MM/YYYY";
  expect((await run(words(set), { environment })).exit).toBe(0);
  const shown = await run(words("profile show shop"), { environment });
  expect(shown.stdout).toMatch(/book\.dateFormat +DD\/MM\/YYYY +profile shop/);

  const book = "Ref,Amount,Day\nA,1234.50,01/10/2026\n";
  const flags = (more: string) => `reconcile --account 42 --month 2026-10 --book ${bookFile(book)} ${more} --csv`;
  const chosen = { environment: { ...environment, PARTNER_PROFILE: "shop" } };
  const remembered = await ask(flags(""), ok(statementOf(one)), chosen);
  expect({ ...remembered }).toMatchObject({ exit: 0, stdout: expect.stringContaining(matched) });
  const { stderr } = await ask(flags("--book-reference Other"), ok(statementOf(one)), chosen);
  expect(stderr).toContain('"Other" is missing');
  const wrong = await run(words("profile set shop book.dateFormat=DMY"), { environment });
  expect(wrong.stderr).toContain("book.dateFormat must be one of YYYY-MM-DD");
});

test("--window takes whole days, including 0, up to 366", async () => {
  const { requests } = await october(one, "reference,amount,date\nA,1234.5,2026-10-01\n", "--window 0d --csv");
  expect(requests[0]).toContain('"startDate":"2026-10-01","endDate":"2026-10-31"');
  const { exit, stderr } = await october(one, "reference,amount,date\n", "--window 36h");
  expect(exit).toBe(2);
  expect(stderr).toBe('Error: --window "36h" isn\'t a number of whole days.\nHint: Write it like --window 3d.\n');
  expect((await october(one, "reference,amount,date\n", "--window 367d")).stderr).toBe(
    'Error: --window "367d" is longer than 366d.\nHint: Write it like --window 3d.\n',
  );
});

test("a reference named by hundreds of rows does not keep another one from its payment", async () => {
  const rents = Array.from({ length: 501 }, (_, index): Line => [`S${index}`, "2026-10-04", "+5.00", "RENT of shop"]);
  const paid: Line = ["S-77", "2026-10-04", "+77.00", "for INV-1, RENT aside"];
  const book = "reference,amount,date\nRENT,9.00,2026-10-04\nINV-1,77.00,2026-10-04\n";
  const { stdout } = await october([...rents, paid], book, "--csv --no-header");
  expect(stdout.split("\n").filter((line) => line.startsWith("matched"))).toEqual([
    'matched,INV-1,77.00,77.00,0.00,2026-10-04,in the statement S-77,"for INV-1, RENT aside",,502,3',
  ]);
});
