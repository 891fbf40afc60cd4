import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./month.ts";
import { bookFile, october, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

/** A month with an example of every class. */
const month: readonly Line[] = [
  ["BEFORE", "2026-09-30", "+70.00"],
  ["OK-1", "2026-10-01", "+10000.00"],
  ["OK-1-PAYIN", "2026-10-01", "-200.00", "SERVICE FEE FOR REF:OK-1 TXNID:a"],
  ["OK-2", "2026-10-02", "-5000.50"],
  ["DIFF", "2026-10-03", "+300.00"],
  ["NET", "2026-10-04", "+1000.00"],
  ["NET-PAYIN", "2026-10-04", "-20.00", "SERVICE FEE FOR REF:NET TXNID:b"],
  ["NET-PAYIN", "2026-10-04", "-20.00", "SERVICE FEE FOR REF:NET TXNID:b"],
  ["BANK-7", "2026-10-05", "+77.00"],
  ["TWIN-A", "2026-10-06", "+88.00"],
  ["TWIN-B", "2026-10-07", "+88.00"],
  ["ALONE", "2026-10-08", "-9.99"],
  ["TWICE", "2026-10-09", "+40.00"],
  ["TWICE", "2026-10-09", "+40.00"],
  ["GONE-PAYOUT", "2026-10-10", "-5.00", "SERVICE FEE FOR REF:GONE TXNID:c"],
  ["FT900", "2026-10-11", "-600.00", "Rent [T-1]"],
  ["AFTER", "2026-11-01", "+60.00"],
];

const book = `reference,amount,date
OK-2,-5000.50,2026-10-02
OK-1,10000,2026-10-01
DIFF,250.00,2026-10-03
NET,980.00,2026-10-04
INV-7,77.00,2026-10-06
INV-8,88.00,2026-10-07
MISSING,12.00,2026-10-20
TWICE,40.00,2026-10-09
AGAIN,15.00,2026-10-12
AGAIN,15.00,2026-10-12
T-1,-600,2026-10-11
AFTER,60.00,2026-10-31
BEFORE,70.00,2026-09-30
SUMMER,1.00,2026-06-01
`;

const rows = `class,reference,statementAmount,bookAmount,difference,date,note,narration,counterparty,statementRow,bookLine
differing,DIFF,300.00,250.00,50.00,2026-10-03,,n,,4,4
only in statement,ALONE,-9.99,,-9.99,2026-10-08,,n,,11,
only in book,AGAIN,,15.00,-15.00,2026-10-12,19 days old on 2026-10-31,,,,10
only in book,MISSING,,12.00,-12.00,2026-10-20,11 days old on 2026-10-31,,,,8
fee not in book,OK-1-PAYIN,-200.00,,-200.00,2026-10-01,fee of OK-1,SERVICE FEE FOR REF:OK-1 TXNID:a,,2,
duplicate,NET-PAYIN,-20.00,,-20.00,2026-10-04,"again in the statement, with the same reference and amount",SERVICE FEE FOR REF:NET TXNID:b,,7,
duplicate,TWICE,40.00,,40.00,2026-10-09,"again in the statement, with the same reference and amount",n,,13,
duplicate,AGAIN,,15.00,-15.00,2026-10-12,"again in the book, with the same reference and amount",,,,11
orphan fee,GONE-PAYOUT,-5.00,,-5.00,2026-10-10,the statement has no GONE that it is the fee of,SERVICE FEE FOR REF:GONE TXNID:c,,14,
ambiguous,INV-8,,88.00,-88.00,2026-10-07,"may be any of 2 rows in the statement: TWIN-A on 2026-10-06, TWIN-B on 2026-10-07",,,,7
probable,BANK-7,77.00,77.00,0.00,2026-10-05,in the book INV-7 on 2026-10-06,n,,8,6
net of fee,NET,1000.00,980.00,20.00,2026-10-04,fee 20.00,n,,5,5
in transit,AFTER,,60.00,-60.00,2026-10-31,"in the statement AFTER on 2026-11-01, after the period",n,,,13
matched,OK-1,10000.00,10000,0.00,2026-10-01,fee 200.00,n,,1,3
matched,OK-2,-5000.50,-5000.50,0.00,2026-10-02,,n,,3,2
matched,TWICE,40.00,40.00,0.00,2026-10-09,,n,,12,9
matched,T-1,-600.00,-600,0.00,2026-10-11,in the statement FT900,Rent [T-1],,15,12
`;

test("every class of difference is found once, and matched rows come last", async () => {
  const { stdout, stderr, exit, requests } = await october(month, book, "--csv");
  expect(stdout).toBe(rows);
  expect(exit).toBe(9);
  expect(stderr).toContain("1 row of the book is on days far from the period");
  expect(stderr).toContain(
    "4 matched, 1 differing, 1 net of fee, 1 probable, 1 ambiguous, 1 in transit, 1 only in statement, 2 only in book, 1 fee not in book, 3 duplicates, 1 orphan fee, adds up",
  );
  expect(requests[0]).toContain('{"accountNo":"42","startDate":"2026-09-29","endDate":"2026-11-02"}');
});

test("the JSON has the same rows, exact sums and the hashes of both sides", async () => {
  const { stdout, path } = await october(month, book, "--json");
  const bookHash = createHash("sha256").update(book).digest("hex");
  const lines = JSON.parse(statementOf(month));
  expect(lines).toHaveLength(17);
  expect(stdout.slice(0, stdout.indexOf('  "rows": ['))).toBe(`{
  "account": "42",
  "period": {
    "startDate": "2026-10-01",
    "endDate": "2026-10-31"
  },
  "opening": 1000070.00,
  "credits": 11633.00,
  "debits": 5610.49,
  "fees": 245.00,
  "closing": 1005847.51,
  "addsUp": true,
  "closingPerBook": null,
  "inTransit": 60.00,
  "outstanding": 0,
  "bankFirst": 0,
  "feesNotInBook": 200.00,
  "onlyInStatement": 181.01,
  "onlyInBook": 130.00,
  "differences": 50.00,
  "ignored": 0,
  "ignoredBefore": 0,
  "unexplained": 0.00,
  "counts": {
    "matched": 4,
    "differing": 1,
    "net of fee": 1,
    "probable": 1,
    "ambiguous": 1,
    "in transit": 1,
    "only in statement": 1,
    "only in book": 2,
    "fee not in book": 1,
    "duplicate": 3,
    "orphan fee": 1,
    "ignored": 0
  },
  "totals": {
    "matched": {
      "statementAmount": 4439.50,
      "bookAmount": 4439.50,
      "difference": 0.00
    },
    "differing": {
      "statementAmount": 300.00,
      "bookAmount": 250.00,
      "difference": 50.00
    },
    "net of fee": {
      "statementAmount": 1000.00,
      "bookAmount": 980.00,
      "difference": 20.00
    },
    "probable": {
      "statementAmount": 77.00,
      "bookAmount": 77.00,
      "difference": 0.00
    },
    "ambiguous": {
      "statementAmount": 176.00,
      "bookAmount": 88.00,
      "difference": 88.00
    },
    "in transit": {
      "statementAmount": 0,
      "bookAmount": 60.00,
      "difference": -60.00
    },
    "only in statement": {
      "statementAmount": -9.99,
      "bookAmount": 0,
      "difference": -9.99
    },
    "only in book": {
      "statementAmount": 0,
      "bookAmount": 27.00,
      "difference": -27.00
    },
    "fee not in book": {
      "statementAmount": -200.00,
      "bookAmount": 0,
      "difference": -200.00
    },
    "duplicate": {
      "statementAmount": 20.00,
      "bookAmount": 15.00,
      "difference": 5.00
    },
    "orphan fee": {
      "statementAmount": -5.00,
      "bookAmount": 0,
      "difference": -5.00
    }
  },
  "sources": [
    {
      "source": "statement",
      "name": "42, 2026-10-01 to 2026-10-31",
      "rows": 15,
      "sha256": "${/"statement",[^}]*"sha256": "(\w+)"/.exec(stdout)?.[1]}"
    },
    {
      "source": "book",
      "name": "${path}",
      "rows": 14,
      "sha256": "${bookHash}"
    }
  ],
`);
  expect(JSON.parse(stdout).rows).toHaveLength(rows.split("\n").length - 2);
  expect(stdout).toContain(`    {
      "class": "only in book",
      "reference": "MISSING",
      "statementAmount": null,
      "bookAmount": 12.00,
      "difference": -12.00,
      "date": "2026-10-20",
      "note": "11 days old on 2026-10-31",
      "narration": "",
      "counterparty": "",
      "statementRow": null,
      "bookLine": 8,
      "parts": null
    }`);
});

test("the statement's hash equals that of the statement exported as CSV", async () => {
  const { stdout } = await october(month, book, "--json");
  const body = statementOf(month)
    .replace(/{"tranRefNo":"(BEFORE|AFTER)"[^}]*},?/g, "")
    .replace("},]", "}]");
  const statement = await ask("wallet statement 42 --month 2026-10 --csv", ok(body));
  const [source] = JSON.parse(stdout).sources;
  expect(source.sha256).toBe(createHash("sha256").update(statement.stdout).digest("hex"));
});

test("reconcile ends with 0 when every row is matched and the statement adds up", async () => {
  const agreed = await october([["A", "2026-10-01", "+5.00"]], "reference,amount,date\nA,5.00,2026-10-01\n", "--csv");
  expect(agreed.exit).toBe(0);
  expect(agreed.stdout).toBe(
    "class,reference,statementAmount,bookAmount,difference,date,note,narration,counterparty,statementRow,bookLine\nmatched,A,5.00,5.00,0.00,2026-10-01,,n,,1,2\n",
  );
  expect(agreed.stderr).toContain("1 matched, adds up");
});

const three = statementOf([
  ["A", "2026-10-01", "+5.00"],
  ["B", "2026-10-02", "+6.00"],
  ["C", "2026-10-03", "+7.00"],
]);
const newestFirst = `[${three
  .slice(1, -1)
  .split(/(?<=\}),/)
  .toReversed()
  .join(",")}]`;
const wrong = '"balance":1000012.00';

test.each([
  [
    "a balance",
    three.replace('"balance":1000011.00', wrong),
    'row 2 ("B"): balance 1,000,012.00, expected 1,000,011.00',
  ],
  [
    "a balance, newest first",
    newestFirst.replace('"balance":1000011.00', wrong),
    'row 2 ("B"): balance 1,000,012.00, expected 1,000,011.00',
  ],
  ["no balance", three.replace('"balance":1000011.00', '"balance":""'), 'row 2 ("B"): it has no balance'],
  [
    "no number",
    three.replace('"amountCredited":6.00', '"amountCredited":"six"'),
    'row 2 ("B"): an amount isn\'t a number',
  ],
  ["no day", three.replace('"2026-10-02 08:00:00"', '"soon"'), 'row 2 ("B"): value date "soon" isn\'t a day'],
  ["no reference", three.replace('"B"', '""').replace(',"balance":1000011.00', ""), "row 2: it has no balance"],
])("a row with %s that breaks the statement is named as in wallet statement", async (_, body, flaw) => {
  const told = `does not add up: ${flaw}`;
  const path = bookFile("reference,amount,date\nA,5.00,2026-10-01\nB,6,2026-10-02\nC,7,2026-10-03\n");
  const line = `reconcile --account 42 --month 2026-10 --window 0d --book ${path}`;
  const { exit, stdout, stderr } = await ask(line, ok(body));
  expect(exit).toBe(9);
  expect(stdout).toContain(`\nThe statement ${told}.\n`);
  expect(stderr).toContain(`, ${told}\nError: Statement and book of 42 do not agree: `);
  expect(stderr).toContain(`the statement ${told}.\n`);
  const page = join(temporaryFolder(), "result.html");
  await ask(`${line} --save ${page}`, ok(body));
  expect(readFileSync(page, "utf8")).toContain(`<dd>${told}</dd>`);
  expect((await ask("wallet statement 42 --month 2026-10", ok(body))).stderr).toContain(told);
});

test("reconcile ends with 9 when the statement does not add up, even if every row is matched", async () => {
  const body = three.replace('"balance":1000011.00', wrong);
  const path = bookFile("reference,amount,date\nA,5.00,2026-10-01\nB,6,2026-10-02\nC,7,2026-10-03\n");
  const line = `reconcile --account 42 --month 2026-10 --book ${path} --json --quiet`;
  const { exit, stdout, stderr } = await ask(line, ok(body));
  expect(exit).toBe(9);
  expect(JSON.parse(stdout)).toMatchObject({ addsUp: false, counts: { matched: 3 } });
  expect(stderr.split("\n")[0]).toBe(
    'Error: Statement and book of 42 do not agree: the statement does not add up: row 2 ("B"): balance 1,000,012.00, expected 1,000,011.00.',
  );
});

test("a row of the statement without a day or a reference is noted", async () => {
  const path = (await october([], "reference,amount,date\nT-1,6,2026-10-02\n")).path;
  const body = statementOf([
    ["A", "2026-10-01", "+5.00"],
    ["", "2026-10-02", "+6.00", "Rent [T-1]"],
  ]).replace("2026-10-01", "01/10/2026");
  const { stdout } = await ask(`reconcile --account 42 --month 2026-10 --book ${path} --csv --no-header`, ok(body));
  expect(stdout).toBe(
    "only in statement,A,5.00,,5.00,,its date isn't a day,n,,1,\n" +
      "matched,T-1,6.00,6,0.00,2026-10-02,in the statement without a reference,Rent [T-1],,2,2\n",
  );
});

test("an empty statement and an empty book agree", async () => {
  const { exit, stdout } = await october([], "reference,amount,date\n", "--json");
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ opening: null, closing: null, credits: 0, addsUp: true, rows: [] });
});

test.each([true, false])("--save writes the file whether or not the two sides agree (%s)", async (agrees) => {
  const file = join(temporaryFolder(), "result.csv");
  const amount = agrees ? "5.00" : "6.00";
  const text = `reference,amount,date\nA,${amount},2026-10-01\n`;
  const { exit, stdout } = await october([["A", "2026-10-01", "+5.00"]], text, `--save ${file}`);
  expect({ exit, stdout }).toEqual({ exit: agrees ? 0 : 9, stdout: "" });
  expect(readFileSync(file, "utf8")).toContain(agrees ? "matched,A" : "differing,A,5.00,6.00,-1.00");
});

test("a run refused before comparing leaves the old file unchanged", async () => {
  const file = join(temporaryFolder(), "result.csv");
  writeFileSync(file, "the old file\n");
  const { exit, requests } = await october([], "reference,amount\nA,1\n", `--save ${file}`);
  expect(exit).toBe(2);
  expect(readFileSync(file, "utf8")).toBe("the old file\n");
  expect(requests).toEqual([]);
});

test("the table shows exceptions first, then totals by class, fees and sources", async () => {
  const { stdout } = await october(month, book, "");
  const lines = stdout.split("\n");
  expect(lines[1]).toMatch(/^differing +DIFF +300\.00 +250\.00 +50\.00 +2026-10-03$/);
  expect(stdout).toMatch(/^only in book +2 +0\.00 +27\.00 +-27\.00$/m);
  expect(stdout).toMatch(/^matched +4 +4,439\.50 +4,439\.50 +0\.00$/m);
  expect(stdout).toContain(
    [
      "opening    1,000,070.00",
      "+ credits     11,633.00",
      "− debits       5,610.49",
      "− fees           245.00",
      "= closing  1,005,847.51",
      "The statement adds up.",
      "",
      "closing per statement    1,005,847.51",
      "receipts in transit             60.00",
      "fees not in book               200.00",
      "ambiguous                      -88.00",
      "only in statement                9.99",
      "only in book                    27.00",
      "duplicate                       -5.00",
      "orphan fee                       5.00",
      "differences                    -50.00",
      "= should be in the book  1,006,006.50",
      "Fees: 4 rows, 1 joined to its payment, 3 listed on their own.",
    ].join("\n"),
  );
  expect(stdout).toMatch(/^book .*book\.csv: 14 rows, sha256 [0-9a-f]{64}$/m);
});
