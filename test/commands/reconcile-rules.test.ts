import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./month.ts";
import { bookFile, october, statementOf } from "./month.ts";
import { rulesFile } from "./rules-file.ts";
import { ask, ok } from "./served.ts";

const month: readonly Line[] = [
  ["INV-1", "2026-10-05", "+1000.00", "Payment INV-1"],
  ["INV-1-PAYIN", "2026-10-05", "-20.00", "SERVICE FEE FOR REF:INV-1 TXNID:a"],
  ["INV-2", "2026-10-06", "+500.00", "Payment INV-2"],
  ["INV-2-PAYIN", "2026-10-06", "-10.00", "SERVICE FEE FOR REF:INV-2 TXNID:b"],
  ["FT1", "2026-10-07", "-300.00", "Sweep to treasury"],
  ["FT2", "2026-10-08", "-45.50", "Monthly charges October"],
];

const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

test("rules allow fees by a monthly total, sweeps, and rows booked net of their fee", async () => {
  const book = `reference,amount,date,description
INV-1,1000.00,2026-10-05,
INV-2,490.00,2026-10-06,
BC-10,-65.50,2026-10-31,Bank charges October
`;
  const rules = rulesFile([
    [
      { in: "statement", narration: "SWEEP to" },
      { ignore: true, label: "treasury" },
    ],
    [{ in: "statement", narration: "/monthly charges?/", side: "debit" }, { fee: true }],
    [{ in: "book", narration: "bank charges" }, { fee: true }],
    [{ in: "statement", amount: { from: "400", to: 600 } }, { netOfFee: true }],
  ]);
  const without = await october(month, book, shown);
  expect(without.exit).toBe(9);
  const { exit, stdout, stderr } = await october(month, book, `--rules ${rules} ${shown}`);
  expect(stdout).toBe(
    [
      "net of fee,INV-2,500.00,490.00,fee 10.00",
      "ignored,FT1,-300.00,,rule 1: treasury",
      "matched,INV-1,1000.00,1000.00,fee 20.00",
      'matched,BC-10,-65.50,-65.50,"2 rows in the statement: INV-1-PAYIN on 2026-10-05, FT2 on 2026-10-08"',
      "",
    ].join("\n"),
  );
  expect({ exit, stderr: stderr.split("\n")[1] }).toEqual({
    exit: 0,
    stderr: "2 matched, 1 net of fee, 1 ignored, adds up",
  });
});

test("a total of fees that is wrong by one shilling settles none of them", async () => {
  const rules = rulesFile([[{ in: "book", narration: "bank charges" }, { fee: true }]]);
  const book = "reference,amount,date,description\nBC-10,-31.00,2026-10-31,Bank charges\n";
  const { exit, stdout } = await october(month.slice(0, 4), book, `--rules ${rules} ${shown}`);
  expect(exit).toBe(9);
  expect(stdout).toContain("fee not in book,INV-1-PAYIN,-20.00,,fee of INV-1\n");
  expect(stdout).toContain("in transit,BC-10,,-31.00,not in the statement yet\n");
});

test("a range of amounts includes both of its ends", async () => {
  const rules = rulesFile([[{ amount: { from: "45.50", to: 300 } }, { ignore: true }]]);
  const more: readonly Line[] = [
    ["FT3", "2026-10-09", "-45.49", "Stamps"],
    ["FT4", "2026-10-10", "-300.01", "Toner"],
  ];
  const { stdout } = await october(
    [...month.slice(4), ...more],
    "reference,amount,date\n",
    `--rules ${rules} ${shown}`,
  );
  expect(stdout.match(/^ignored,\w+/gm)).toEqual(["ignored,FT1", "ignored,FT2"]);
});

test("rules.json beside the profiles is used by default", async () => {
  const folder = temporaryFolder();
  rulesFile([[{}, { ignore: true }]], join(folder, "rules.json"));
  const path = bookFile("reference,amount,date\n");
  const { exit, stdout } = await ask(
    `reconcile --account 42 --month 2026-10 --book ${path} ${shown}`,
    ok(statementOf([["A", "2026-10-01", "+5.00"]])),
    { environment: { PARTNER_CONFIG_DIR: folder } },
  );
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "ignored,A,5.00,,rule 1\n" });
});

test("the first rule that applies decides", async () => {
  const rules = rulesFile([
    [{ reference: "FT1" }, { label: "looked at by hand" }],
    [{ side: "debit" }, { ignore: true }],
  ]);
  const { stdout } = await october(month.slice(4), "reference,amount,date\n", `--rules ${rules} ${shown}`);
  expect(stdout).toBe("only in statement,FT1,-300.00,,looked at by hand\nignored,FT2,-45.50,,rule 2\n");
});

const faulty: readonly [string, string, string, RegExp][] = [
  [
    "a member that is unknown",
    '{"rules":[{"when":{"narrative":"x"},"then":{}}]}',
    "line 1, column 32",
    /"narrative" is unknown/,
  ],
  [
    "a pattern that refers back",
    '{"rules":[{"when":{"narration":"/(a)\\\\1/"},"then":{}}]}',
    "line 1, column 38",
    /refers back/,
  ],
  [
    "a pattern that looks ahead",
    '{"rules":[\n{"when":{"narration":"/a(?=b)/"},"then":{}}]}',
    "line 2, column 26",
    /looks ahead/,
  ],
  [
    "a pattern with a reversed range",
    '{"rules":[\n{"when":{"narration":"/a[z-b]/"},"then":{}}]}',
    "line 2, column 25",
    /a range that ends before it begins/,
  ],
  [
    "a pattern without its end",
    '{"rules":[{"when":{"narration":"/abc"},"then":{}}]}',
    "line 1, column 32",
    /a pattern ends with one/,
  ],
  ["an amount with a sign", '{"rules":[{"when":{"amount":-5},"then":{}}]}', "line 1, column 29", /"side": "debit"/],
  [
    "an amount that ends before it begins",
    '{"rules":[{"when":{"amount":{"from":5,"to":4}},"then":{}}]}',
    "line 1, column 29",
    /ends before it begins/,
  ],
  [
    "a side that is none",
    '{"rules":[{"when":{"side":"left"},"then":{}}]}',
    "line 1, column 27",
    /none of credit, debit/,
  ],
  ["a rule without a condition", '{"rules":[{"then":{"fee":true}}]}', "line 1, column 11", /"when" is missing/],
  ["a rule that says nothing", '{"rules":[\n{"when":{"fee":true}}]}', "line 2, column 1", /"then" is missing/],
  ["a condition that is none", '{"rules":[{"when":5,"then":{}}]}', "line 1, column 19", /is not an object/],
  ["a rule that is none", '{"rules":[5]}', "line 1, column 11", /is not an object\nHint/],
  ["no rules", "{}", "line 1, column 1", /not a list of rules/],
  ["no JSON", '{"rules":[}', "line 1, column 11", /Not the JSON/],
];

test.each(faulty)("a file of rules with %s is refused by line and column", async (_, text, where, said) => {
  const save = join(temporaryFolder(), "result.csv");
  const { exit, stdout, stderr, requests } = await october(
    month,
    "reference,amount,date\n",
    `--rules ${rulesFile(text)} --save ${save}`,
  );
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toContain(`${where}: `);
  expect(stderr).toMatch(said);
});

test("a pattern with nested repetition does not hang", async () => {
  const rules = rulesFile([[{ narration: "/(a+)+(a|aa)*$/" }, { ignore: true }]]);
  const statement: readonly Line[] = [["A", "2026-10-01", "+5.00", `${"a".repeat(5000)}!`]];
  const { stdout } = await october(
    statement,
    "reference,amount,date\n",
    `--rules ${rules} --csv --columns class --no-header`,
  );
  expect(stdout).toBe("only in statement\n");
});

test("rules check shows the rows of each rule and the rows without one", async () => {
  const rules = rulesFile([
    [{ narration: "sweep" }, { ignore: true, label: "treasury", account: "Assets:Treasury" }],
    [{ narration: "never" }, { fee: true }],
  ]);
  const { exit, stdout, stderr } = await ask(
    `rules check --rules ${rules} --account 42 --month 2026-10 --csv --columns rule,label,does,reference,amount`,
    ok(statementOf(month.slice(3))),
    { now: Date.UTC(2026, 10, 20, 9) },
  );
  expect(exit).toBe(0);
  expect(stdout).toBe(
    'rule,label,does,reference,amount\n,,,INV-2-PAYIN,-10.00\n1,treasury,"ignore, Assets:Treasury",FT1,-300.00\n,,,FT2,-45.50\n',
  );
  expect(stderr).toBe(
    "Period: 2026-10-01 to 2026-10-31\nRule 1 (treasury): 1 row.\nRule 2: 0 rows.\nNo rule: 2 rows.\n",
  );
});

test("rules check also shows the book's rows of the month", async () => {
  const rules = rulesFile([
    [{ in: "book", narration: "accrual" }, { ignore: true }],
    [{ in: "statement", narration: "sweep" }, { ignore: true }],
  ]);
  const book = bookFile(
    "ref,paid,day,narration\nA-1,100.00,2026-10-05,Accrual rent\nA-2,-5.00,2026-10-06,sweep\nA-3,1.00,2026-11-01,Accrual\n",
  );
  const shown = "--csv --columns rule,reference,amount,date,in,bookLine --no-header";
  const form = `--book ${book} --book-reference ref --book-amount paid --book-date day`;
  const asked = ok(statementOf(month.slice(3)));
  const { exit, stdout, stderr } = await ask(
    `rules check --rules ${rules} --account 42 --month 2026-10 ${form} ${shown}`,
    asked,
    { now: Date.UTC(2026, 10, 20, 9) },
  );
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: [
      ",INV-2-PAYIN,-10.00,2026-10-06,statement,",
      "2,FT1,-300.00,2026-10-07,statement,",
      ",FT2,-45.50,2026-10-08,statement,",
      "1,A-1,100.00,2026-10-05,book,2",
      ",A-2,-5.00,2026-10-06,book,3",
      "",
    ].join("\n"),
  });
  expect(stderr).toBe("Period: 2026-10-01 to 2026-10-31\nRule 1: 1 row.\nRule 2: 1 row.\nNo rule: 3 rows.\n");
});

test.each([
  ["a book without an account", "--book b.csv", "--book needs --account"],
  ["a column without a book", "--book-date day", "--book-date has no effect without --book."],
])("rules check with %s is refused before any request", async (_, flags, why) => {
  const { exit, stderr, requests } = await ask(`rules check ${flags}`, []);
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain(why);
});

test("rules check without rules says where to put them", async () => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const { exit, stderr, requests } = await ask("rules check", [], { environment });
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain("There are no rules: no rules.json beside the profiles, and no --rules.");
});

test("each row of a long month is shown with its own narration", async () => {
  const long = Array.from({ length: 2_100 }, (_, index): Line => [
    `FT${index}`,
    "2026-10-09",
    "-1.00",
    `Toner of desk ${index}`,
  ]);
  const columns = "--csv --columns reference,narration --no-header";
  const { stdout } = await october(long, "reference,amount,date\n", columns);
  const told = long.map(([reference, , , narration]) => `${reference},${narration}`);
  expect(stdout.trimEnd().split("\n").toSorted()).toEqual(told.toSorted());
});
