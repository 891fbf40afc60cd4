import { expect, test } from "vitest";
import type { Line } from "./month.ts";
import { statementOf } from "./month.ts";
import { temporaryFolder } from "../memory-host.ts";
import { ask, ok } from "./served.ts";

const lines: readonly Line[] = [
  ["TRF-2026-0001", "2026-10-01", "+250000.00", "Rent of October, shop in Kariakoo"],
  ["TRF-2026-0001-PAYOUT", "2026-10-01", "-1500.00", "SERVICE FEE FOR REF:TRF-2026-0001"],
];

/** The rows as a terminal with this many columns shows them, and what the note says about hidden columns. */
async function shown(columns: number, flags = "", environment = {}) {
  const balance = ok('{"availableBalance":1,"currencyCode":"TZS"}');
  const { stdout, stderr } = await ask(
    `wallet statement 42 --month 2026-10 ${flags}`,
    [ok(statementOf(lines)), balance],
    { terminal: { stdout: true }, columns, environment },
  );
  const [, left = ""] = /^(\d+ columns?) (?:is|are) left out/m.exec(stderr) ?? [];
  return { table: stdout.slice(0, stdout.indexOf("opening")), left };
}

const on80 = `value date  narration                          amount (TZS)  balance (TZS)
──────────  ─────────────────────────────────  ────────────  ─────────────
2026-10-01  Rent of October, shop in Kariakoo   +250,000.00   1,250,000.00
2026-10-01  SERVICE FEE FOR REF:TRF-2026-0001     -1,500.00   1,248,500.00
`;

test("on 80 columns a statement shows day, text, signed amount and balance", async () => {
  expect(await shown(80)).toEqual({ table: on80, left: "2 columns" });
});

test("a terminal that reports 0 columns uses COLUMNS, or 80", async () => {
  expect(await shown(0)).toEqual({ table: on80, left: "2 columns" });
  expect(await shown(0, "", { COLUMNS: "70" })).toEqual(await shown(70));
  for (const COLUMNS of ["", "0", "-1", "wide"]) expect((await shown(0, "", { COLUMNS })).table).toBe(on80);
  expect((await shown(80, "", { COLUMNS: "40" })).table).toBe(on80);
});

test("on 500 columns every column is shown: credit and debit apart, the time to the second", async () => {
  expect(await shown(500)).toEqual({
    table: `reference             value date           narration                          D/C  credit (TZS)  debit (TZS)  balance (TZS)
────────────────────  ───────────────────  ─────────────────────────────────  ───  ────────────  ───────────  ─────────────
TRF-2026-0001         2026-10-01 08:00:00  Rent of October, shop in Kariakoo  CR     250,000.00         0.00   1,250,000.00
TRF-2026-0001-PAYOUT  2026-10-01 08:00:00  SERVICE FEE FOR REF:TRF-2026-0001  DR           0.00     1,500.00   1,248,500.00
`,
    left: "",
  });
});

test("below 60 columns each row becomes a small card", async () => {
  expect(await shown(40)).toEqual({
    table: `2026-10-01
  Rent of October, shop in Kariakoo
  amount (TZS)    +250,000.00
  balance (TZS)  1,250,000.00

2026-10-01
  SERVICE FEE FOR REF:TRF-2026-0001
  amount (TZS)      -1,500.00
  balance (TZS)  1,248,500.00
`,
    left: "2 columns",
  });
});

test("on one column amounts are whole, and texts keep 12 characters", async () => {
  const { table } = await shown(1);
  expect(table.split("\n").slice(0, 6)).toEqual([
    "2026-10-01",
    "  Rent of Oct…",
    "  amount (TZS)",
    "  +250,000.00",
    "  balance (TZS)",
    "  1,250,000.00",
  ]);
});

test("columns chosen with --columns are never hidden", async () => {
  for (const columns of [100, 61, 59, 30, 1]) {
    const { table, left } = await shown(columns, "--columns tranRefNo,narration,amountDebited,balance");
    expect(left).toBe("");
    for (const each of ["TRF-2026-0001-PAYOUT", "SERVICE FEE", "1,500.00", "1,248,500.00"])
      expect([columns, table]).toEqual([columns, expect.stringContaining(each)]);
  }
  expect(await shown(62, "--columns tranRefNo,narration,amountDebited,balance")).toEqual({
    table: `reference             narration     debit (TZS)  balance (TZS)
────────────────────  ────────────  ───────────  ─────────────
TRF-2026-0001         Rent of Oct…         0.00   1,250,000.00
TRF-2026-0001-PAYOUT  SERVICE FEE…     1,500.00   1,248,500.00
`,
    left: "",
  });
});

test("the currency of a merchant account moves into the headings", async () => {
  const row =
    '{"transactionId":"1","reference":"POS-1","creditOrDebit":"CREDIT","transactionDate":"2026-10-01T10:00:00+03:00","valueDate":"2026-10-01T10:00:00+03:00","narration":"Sale of cement, 40 bags, shop in Kariakoo","currency":"TZS","amountCredit":4500.00,"amountDebit":0.00,"availableBalance":1004500.00}';
  const body = `{"success":true,"statusCode":"SUCCESS","result":{"statement":[${row}]}}`;
  const { stdout } = await ask("account statement 42 --month 2026-10", ok(body), {
    terminal: { stdout: true },
    columns: 80,
  });
  const table = stdout.slice(0, stdout.indexOf("opening"));
  expect(table).toBe(`value date  narration                              amount (TZS)  available (TZS)
──────────  ─────────────────────────────────────  ────────────  ───────────────
2026-10-01  Sale of cement, 40 bags, shop in Kar…     +4,500.00     1,004,500.00
`);
});

const shownOfDoctor = async (columns: number, folder: string) => {
  const environment = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: folder };
  const { stdout } = await ask("doctor", [], { terminal: { stdout: true }, columns, environment });
  return stdout.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:10000");
};

test("doctor cuts nothing off: a detail takes as many lines as it needs, beside its check on 70 columns", async () => {
  const folder = temporaryFolder();
  const wordsOn = async (columns: number) => {
    const shown = await shownOfDoctor(columns, folder);
    return shown.replace(/^check +result +detail\n[─ ]+\n/, "").split(/\s+/);
  };
  const whole = await wordsOn(500);
  expect(whole.join(" ")).toContain("(ECONNRESET). Try again. ");
  for (const columns of [100, 70, 60, 59, 40, 20, 1])
    expect([columns, await wordsOn(columns)]).toEqual([columns, whole]);
  const [headings = "", , ...lines] = (await shownOfDoctor(70, folder)).trimEnd().split("\n");
  const under = " ".repeat(headings.indexOf("detail"));
  const further = lines.filter((line) => line.startsWith(" "));
  expect(further.length).toBeGreaterThan(0);
  for (const line of further) expect(line).toMatch(new RegExp(`^${under}\\S`));
});

test("doctor prints check, result and detail as a table within 70 columns", async () => {
  const { stdout } = await ask("doctor", [], { terminal: { stdout: true }, columns: 70 });
  const [headings, rule, first] = stdout.split("\n");
  expect(headings).toMatch(/^check +result +detail$/);
  expect(rule).toMatch(/^[─ ]{1,70}$/);
  expect(first).toMatch(/^node +ok +\S/);
});
