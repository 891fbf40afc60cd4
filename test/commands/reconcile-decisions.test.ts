import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./month.ts";
import { october } from "./month.ts";
import { rulesFile } from "./rules-file.ts";

const month: readonly Line[] = [
  ["TWIN-A", "2026-10-06", "+88.00", "Juma"],
  ["TWIN-B", "2026-10-07", "+88.00", "Asha"],
  ["FT3", "2026-10-09", "-9.99", "Card"],
  ["FT4", "2026-10-12", "+300.00", "School fees"],
];
const book =
  "reference,amount,date\nINV-8,88.00,2026-10-07\nINV-9,88.00,2026-10-06\nK-1,100.00,2026-10-20\nK-2,200.00,2026-10-21\n";
const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

function file(text: string): string {
  const path = join(temporaryFolder(), "decisions.csv");
  writeFileSync(path, text);
  return path;
}

test.each(["xlsx", "ODS", "json"])(
  "--exceptions refuses a file name that ends in %s, since it writes CSV",
  async (ending) => {
    const path = join(temporaryFolder(), `exceptions.${ending}`);
    const { exit, stdout, stderr, requests } = await october(month, book, `--exceptions ${path}`);
    expect({ exit, stdout, requests, isThere: existsSync(path) }).toEqual({
      exit: 2,
      stdout: "",
      requests: [],
      isThere: false,
    });
    expect(stderr).toContain(
      `--exceptions writes CSV, and "${path}" says to be something else; nothing was written.\n`,
    );
  },
);

test("--exceptions writes open rows with empty decisions, and --decisions reads them filled in", async () => {
  const path = join(temporaryFolder(), "exceptions.csv");
  const open = await october(month, book, `--exceptions ${path} ${shown}`);
  expect(open.exit).toBe(9);
  const written = readFileSync(path, "utf8").split("\n");
  expect(written[0]).toBe(
    "statementRow,bookLine,decision,by,note,class,reference,statementAmount,bookAmount,difference,date,narration,counterparty,why",
  );
  expect(written.filter((line) => line.includes(",ambiguous,")).map((line) => line.slice(0, 40))).toEqual([
    ",3,,,,ambiguous,INV-9,,88.00,-88.00,2026",
    ",2,,,,ambiguous,INV-8,,88.00,-88.00,2026",
    "1,,,,,ambiguous,TWIN-A,88.00,,88.00,2026",
    "2,,,,,ambiguous,TWIN-B,88.00,,88.00,2026",
  ]);
  const decided = file(
    "statementRow,bookLine,decision,by,note\n1,3,match,asha,by the till roll\n2,2,match,asha,\n3,,ignore,juma,lost card\n4,4,match,asha,\n4,5,match,asha,\n",
  );
  const { exit, stdout } = await october(month, book, `--decisions ${decided} ${shown}`);
  expect(stdout).toBe(
    [
      "ignored,FT3,-9.99,,ignored by juma: lost card",
      "matched,INV-9,88.00,88.00,in the statement TWIN-A; matched by asha: by the till roll",
      "matched,INV-8,88.00,88.00,in the statement TWIN-B; matched by asha",
      'matched,FT4,300.00,300.00,"2 rows in the book: K-1 on 2026-10-20, K-2 on 2026-10-21; matched by asha"',
      "",
    ].join("\n"),
  );
  expect(exit).toBe(0);
});

test("--exceptions leaves out rows that agree and rows that a rule allows", async () => {
  const path = join(temporaryFolder(), "exceptions.csv");
  const rules = rulesFile([[{ in: "statement", amount: 500 }, { netOfFee: true }]]);
  const rows: readonly Line[] = [
    ["INV-1", "2026-10-05", "+1000.00"],
    ["INV-2", "2026-10-06", "+500.00"],
    ["INV-2-PAYIN", "2026-10-06", "-10.00", "SERVICE FEE FOR REF:INV-2 TXNID:b"],
    ["INV-3", "2026-10-07", "+800.00"],
    ["INV-3-PAYIN", "2026-10-07", "-10.00", "SERVICE FEE FOR REF:INV-3 TXNID:c"],
  ];
  const net = "reference,amount,date\nINV-1,1000.00,2026-10-05\nINV-2,490.00,2026-10-06\nINV-3,790.00,2026-10-07\n";
  expect((await october(rows, net, `--rules ${rules} --exceptions ${path} ${shown}`)).exit).toBe(9);
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => line.split(",").slice(5, 9))).toEqual([["net of fee", "INV-3", "800.00", "790.00"]]);
});

test("parts of one row are written on a line each, and one decision covers them all", async () => {
  const rent: readonly Line[] = [["FT9", "2026-10-10", "+300.00", "Cash deposit"]];
  const parts = "reference,amount,date\nTILL-1,100.00,2026-10-10\nTILL-2,200.00,2026-10-10\n";
  const path = join(temporaryFolder(), "exceptions.csv");
  const open = await october(rent, parts, `--exceptions ${path} ${shown}`);
  expect(open.exit).toBe(9);
  const [head = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => line.split(",").slice(0, 10).join(","))).toEqual([
    "1,2,,,,probable,FT9,300.00,100.00,",
    "1,3,,,,probable,FT9,300.00,200.00,",
  ]);
  for (const [word, exit, result] of [
    ["match", 0, "matched"],
    ["ignore", 0, "ignored"],
  ] as const) {
    const decided = file([head, ...lines.map((line) => line.replace(",,,,", `,${word},asha,,`))].join("\n"));
    const closed = await october(rent, parts, `--decisions ${decided} ${shown}`);
    expect(closed.stdout).toBe(
      `${result},FT9,300.00,300.00,"2 rows in the book: TILL-1 on 2026-10-10, TILL-2 on 2026-10-10; ${result} by asha"\n`,
    );
    expect(closed.exit).toBe(exit);
  }
});

const misfits: readonly [string, string, string][] = [
  ["whose row is gone", "9,3,match,asha,\n", "the statement has no row 9"],
  ["whose line is gone", "1,30,match,asha,\n", "line 30 of the book is not a row"],
  [
    "of amounts that are not the same",
    "3,3,match,asha,\n",
    "the amounts are not the same; ignore says that this is fine",
  ],
  ["that another one contradicts", "1,3,match,asha,\n1,,ignore,juma,\n", "another decision is about the same row"],
];

function decided(text: string) {
  const decisions = file(`statementRow,bookLine,decision,by,note\n${text}`);
  return october(month, book, `--decisions ${decisions} ${shown}`);
}

test.each(misfits)("a decision %s is reported and decides nothing", async (_, lines, why) => {
  const { exit, stdout, stderr } = await decided(lines);
  expect(exit).toBe(9);
  expect(stdout).toBe((await decided(lines.replace(/.+\n$/, ""))).stdout);
  expect(stderr).toMatch(new RegExp(`The decision in line \\d does not fit any more: ${why}\\.`));
});

test("a decision whose amounts have changed is reported, even when everything else agrees", async () => {
  const decisions = file("statementRow,bookLine,decision,statementAmount\n1,,ignore,4.00\n");
  const { exit, stdout, stderr } = await october(
    [["A", "2026-10-01", "+5.00"]],
    "reference,amount,date\nA,5.00,2026-10-01\n",
    `--decisions ${decisions} ${shown}`,
  );
  expect({ exit, stdout }).toEqual({ exit: 9, stdout: "matched,A,5.00,5.00,\n" });
  expect(stderr).toContain(
    "The decision in line 2 does not fit any more: the row of the statement has 5.00, and had 4.00.",
  );
  expect(stderr).toContain("1 decision that does not fit any more");
});

test("a decision applies only to its own row, not to another with the same number and amount", async () => {
  const charges: readonly Line[] = [
    ["F1", "2026-10-02", "-1.50", "Charge one"],
    ["10000000000000002", "2026-10-03", "-1.50", "Charge two"],
  ];
  const path = join(temporaryFolder(), "exceptions.csv");
  const nothing = "reference,amount,date\n";
  expect((await october(charges, nothing, `--exceptions ${path} ${shown}`)).exit).toBe(9);
  const decided = file(readFileSync(path, "utf8").replaceAll(",,,,only", ",ignore,asha,,only"));
  expect((await october(charges, nothing, `--decisions ${decided} ${shown}`)).exit).toBe(0);
  const late: Line = ["F0", "2026-10-01", "-1.50", "Charge that came late"];
  const after = await october([late, ...charges], nothing, `--decisions ${decided} ${shown}`);
  expect({ exit: after.exit, open: after.stdout.split("\n").filter((line) => line.startsWith("only in")) }).toEqual({
    exit: 9,
    open: [
      "only in statement,F0,-1.50,,",
      "only in statement,F1,-1.50,,",
      "only in statement,10000000000000002,-1.50,,",
    ],
  });
  expect(after.stderr).toContain(
    'The decision in line 2 does not fit any more: row 1 of the statement is "F0" of 2026-10-01, and was "F1" of 2026-10-02.',
  );
  const sameDay = await october(
    [["F0", "2026-10-02", "-1.50"], ...charges],
    nothing,
    `--decisions ${decided} ${shown}`,
  );
  expect(sameDay.exit).toBe(9);
  expect(sameDay.stderr).toContain('row 1 of the statement is "F0" of 2026-10-02, and was "F1" of 2026-10-02.');
});

test("a decision saved by a spreadsheet still fits, despite reformatted dates and long numbers", async () => {
  const charges: readonly Line[] = [["10000000000000002", "2026-10-03", "-1.50", "Charge two"]];
  const decided = file(
    "statementRow,bookLine,decision,by,note,class,reference,statementAmount,bookAmount,difference,date\n1,,ignore,asha,,only in statement,1E+16,-1.5,,-1.5,03/10/2026\n",
  );
  expect((await october(charges, "reference,amount,date\n", `--decisions ${decided} ${shown}`)).exit).toBe(0);
});

test("invalid decisions are refused by line and column, and nothing is written", async () => {
  const decisions = file("statementRow,bookLine,decision,by,note\n1,3,maybe,asha,\nx,3,match,asha,\n,,ignore,asha,\n");
  const save = join(temporaryFolder(), "result.csv");
  const { exit, stderr, requests } = await october(month, book, `--decisions ${decisions} --save ${save}`);
  expect({ exit, requests, isSaved: existsSync(save) }).toEqual({ exit: 2, requests: [], isSaved: false });
  expect(stderr).toContain('  line 2, decision: "maybe" is neither match nor ignore\n');
  expect(stderr).toContain('  line 3, statementRow: "x" is not the number of a row\n');
  expect(stderr).toContain("  line 4, statementRow: neither it nor bookLine says which row is meant\n");
});

test("--exceptions never overwrites the file of decisions", async () => {
  const decisions = file("statementRow,bookLine,decision,by,note\n");
  const { exit, stderr, requests } = await october(month, book, `--decisions ${decisions} --exceptions ${decisions}`);
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain("--exceptions names the file of the decisions itself; nothing was written.");
});
