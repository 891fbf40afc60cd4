import { expect, test } from "vitest";
import type { Line } from "./month.ts";
import { statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const lines: readonly Line[] = [
  ["TRF-2026-0001", "2026-10-01", "+250000.00", "Rent of October, shop in Kariakoo"],
  ["TRF-2026-0001-PAYOUT", "2026-10-01", "-1500.00", "SERVICE FEE FOR REF:TRF-2026-0001"],
];

/** What a terminal of that many columns shows of the rows, and what is said of the others. */
async function shown(columns: number, flags = "") {
  const balance = ok('{"availableBalance":1,"currencyCode":"TZS"}');
  const { stdout, stderr } = await ask(
    `wallet statement 42 --month 2026-10 ${flags}`,
    [ok(statementOf(lines)), balance],
    { terminal: { stdout: true }, columns },
  );
  const [, left = ""] = /^(\d+ columns?) (?:is|are) left out/m.exec(stderr) ?? [];
  return { table: stdout.slice(0, stdout.indexOf("opening")), left };
}

test("a statement is readable on 80 columns: reference and amounts", async () => {
  expect(await shown(80)).toEqual({
    table: `reference               credit (TZS)     debit (TZS)   balance (TZS)
────────────────────  ──────────────  ──────────────  ──────────────
TRF-2026-0001             250,000.00            0.00    1,250,000.00
TRF-2026-0001-PAYOUT            0.00        1,500.00    1,248,500.00
`,
    left: "3 columns",
  });
});

test("on 40 columns the amounts are what stays of a statement", async () => {
  expect(await shown(40)).toEqual({
    table: `credit (TZS)  debit (TZS)  balance (TZS)
────────────  ───────────  ─────────────
  250,000.00         0.00   1,250,000.00
        0.00     1,500.00   1,248,500.00
`,
    left: "4 columns",
  });
});

test("of amounts that have no room either, those on the right go first, and one stays", async () => {
  expect((await shown(20)).table).toBe(`  credit (TZS)
──────────────
    250,000.00
          0.00
`);
  expect((await shown(5)).table).toBe(`credit (TZS)
─────
  250,000.00
        0.00
`);
});

test("the first of the columns that were asked for stays", async () => {
  expect(await shown(40, "--columns tranRefNo,narration,amountDebited,balance")).toEqual({
    table: `reference                debit (TZS)
────────────────────  ──────────────
TRF-2026-0001                   0.00
TRF-2026-0001-PAYOUT        1,500.00
`,
    left: "2 columns",
  });
});

test("a merchant's currency goes before its amounts", async () => {
  const row =
    '{"transactionId":"1","reference":"POS-1","creditOrDebit":"CREDIT","transactionDate":"2026-10-01T10:00:00+03:00","valueDate":"2026-10-01T10:00:00+03:00","narration":"Sale","currency":"TZS","amountCredit":4500.00,"amountDebit":0.00,"availableBalance":1004500.00}';
  const body = `{"success":true,"statusCode":"SUCCESS","result":{"statement":[${row}]}}`;
  const { stdout } = await ask("account statement 42 --month 2026-10", ok(body), {
    terminal: { stdout: true },
    columns: 36,
  });
  expect(stdout.slice(0, stdout.indexOf("opening"))).toBe(`    credit       debit     available
──────────  ──────────  ────────────
  4,500.00        0.00  1,004,500.00
`);
});

test("the line under the headings ends with the terminal, also where what stays whole is longer", async () => {
  const { stdout } = await ask("doctor", [], { terminal: { stdout: true }, columns: 30 });
  const [headings, rule, first] = stdout.split("\n");
  expect(headings).toMatch(/^check +result +detail$/);
  expect(rule).toMatch(/^[─ ]{30}$/);
  expect(first).toMatch(/^node +ok +\S/);
});
