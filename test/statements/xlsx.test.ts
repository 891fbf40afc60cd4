import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { Decimal } from "../../src/values/money/decimal.ts";
import { temporaryFolder } from "../memory-host.ts";
import { readCsv } from "../report/csv-reader.ts";
import { hostileRows } from "./hostile-rows.ts";
import { lacks, zones } from "./readers.ts";
import type { AccountKind, Told } from "./told.ts";
import { balanceBody, bothKinds, decimal, exported, statementBody } from "./told.ts";

const columns = {
  wallet: "Reference,Value date,Date,Narration,D/C,Credit,Debit,Balance".split(","),
  merchant: [
    "Transaction id,Reference,Payment reference,D/C,Transaction date,Value date,Narration,Description,Currency",
    "Credit,Debit,Available,Current,Sender account no,Sender,Sender bank identifier",
  ].flatMap((part) => part.split(",")),
} as const;
const balanceOf = { wallet: "Balance", merchant: "Available" } as const;

/** Values that spreadsheet programs damage by guessing. */
const tempting: readonly Told[] = [
  { ref: "00012345678901234567", narration: "=cmd|'/C calc'!A0", amount: "0.10" },
  { ref: "12345678901234567", narration: "+255 712 345 678", amount: "100" },
  { ref: "1E5", narration: "2026-02-03", amount: "-0.01" },
  { ref: "TRUE", narration: "@SUM(A1:A9)", amount: "1234567890123.45" },
  { ref: "007", narration: "-1", amount: "-0.125" },
];

const xlsx2csv = (path: string, zone: string) => tool("xlsx2csv", [path], zone);
const ssconvert = (path: string, zone: string) =>
  tool("ssconvert", [path, "fd://1", "-T", "Gnumeric_stf:stf_csv"], zone);

const readers = [
  ["xlsx2csv", xlsx2csv],
  ["ssconvert", ssconvert],
] as const;

for (const kind of bothKinds) {
  for (const [name, read] of readers) {
    test(`${name} finds every row of a ${kind} to the second in any time zone, with exact sums`, async ({ skip }) => {
      const missing = lacks(name, "--version");
      if (missing !== undefined) skip(missing);
      const path = await saved(kind, hostileRows);
      for (const zone of kind === "wallet" ? zones : zones.slice(0, 1)) {
        const rows = tableOf(read(path, zone), kind);
        expect(rows.map((row) => row["Reference"])).toEqual(hostileRows.map(({ ref = "" }) => escaped(ref)));
        expect(rows.map((row) => timeOf(row["Value date"]))).toEqual(hostileRows.map(({ at }) => at));
        expect(sumOf(rows, "Credit")).toBe(sumOfTold(hostileRows, 1));
        expect(sumOf(rows, "Debit")).toBe(sumOfTold(hostileRows, -1));
        expect(cents(rows.at(-1)?.[balanceOf[kind]])).toBe(closingOf(hostileRows));
      }
    });
  }
}

test("LibreOffice keeps ids, formulas and texts that look like numbers as text", async ({ skip }) => {
  const missing = lacks("soffice", "--version");
  if (missing !== undefined) skip(missing);
  const path = await saved("wallet", tempting);
  const rows = tableOf(libreOffice(path), "wallet");
  expect(rows.map((row) => [row["Reference"], row["Narration"]])).toEqual(
    tempting.map(({ ref, narration }) => [ref, narration]),
  );
  expect(rows.map((row) => row["Credit"])).toEqual(["0.10", "100.00", "", "1,234,567,890,123.45", ""]);
  expect(rows.map((row) => row["Debit"])).toEqual(["", "", "0.01", "", "0.125"]);
  expect(rows.map((row) => row["Value date"])).toEqual(tempting.map(() => "2026-02-10 08:00:00"));
});

test("an amount with more digits than a spreadsheet number is text with all digits", async ({ skip }) => {
  const missing = lacks("xlsx2csv", "--version");
  if (missing !== undefined) skip(missing);
  const path = await saved("wallet", [{ amount: "12345678901234567.10" }, { amount: "-0.10" }]);
  expect(tableOf(xlsx2csv(path, "UTC"), "wallet").map((row) => [row["Credit"], row["Balance"]])).toEqual([
    ["12345678901234567.10", "12345678901235567.10"],
    ["", "12345678901235567.00"],
  ]);
});

test("an empty period is a workbook with its headings", async ({ skip }) => {
  const missing = lacks("xlsx2csv", "--version");
  if (missing !== undefined) skip(missing);
  const path = await saved("merchant", []);
  const lines = xlsx2csv(path, "UTC")
    .split("\n")
    .map((line) => line.replace(/,+$/, ""));
  expect(lines).toEqual([...block("account 015A8XX787600"), columns.merchant.join(","), ""]);
});

test("the second sheet shows the totals", async ({ skip }) => {
  const missing = lacks("xlsx2csv", "--version");
  if (missing !== undefined) skip(missing);
  const path = await saved("wallet", tempting.slice(0, 3));
  expect(tool("xlsx2csv", ["-s", "2", path], "UTC")).toBe(
    [
      ...block("wallet 9000112233"),
      "Balance,Amount (TZS)",
      "Opening,1000",
      "Credits,100.1",
      "Debits,0.01",
      "Closing,1100.09",
      "Rows,3",
      "Check: opening + credits − debits − closing (0 when it adds up),0",
      "",
    ].join("\n"),
  );
});

test("the same rows give the same bytes, whenever they are written", async () => {
  const first = readFileSync(await saved("wallet", hostileRows));
  const again = readFileSync(await saved("wallet", hostileRows, Date.UTC(2031, 5, 6)));
  expect(again.equals(first)).toBe(true);
});

test("a workbook is not written to a terminal", async () => {
  const body = statementBody("wallet", tempting);
  const { exit, stdout, stderr } = await exported("xlsx", "wallet", body, { world: { terminal: { stdout: true } } });
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("--save");
});

/** The lines above the headings of every sheet. */
function block(account: string): string[] {
  return [`Statement of ${account}`, "Zoë & Sons", "2026-02-01 to 2026-02-28", "Currency TZS", "Adds up", ""];
}

test("LibreOffice recalculates the formulas: totals of the rows, and a check of 0", async ({ skip }) => {
  const missing = lacks("soffice", "--version");
  if (missing !== undefined) skip(missing);
  const path = await saved("wallet", hostileRows);
  const total = readCsv(libreOffice(path)).find(([first]) => first === "Total") ?? [];
  expect(total.slice(-3, -1).map((cell) => cell.replaceAll(",", ""))).toEqual([
    sumOfTold(hostileRows, 1),
    sumOfTold(hostileRows, -1),
  ]);
  const summary = Object.fromEntries(
    readCsv(libreOffice(path, 2)).map(([name, amount = ""]) => [name, amount.replaceAll(",", "")]),
  );
  expect(summary).toMatchObject({
    Opening: "1000.00",
    Credits: sumOfTold(hostileRows, 1),
    Closing: closingOf(hostileRows),
    Rows: "40",
    "Check: opening + credits − debits − closing (0 when it adds up)": "0.00",
  });
});

test("formulas of a workbook contain no text of the service", async () => {
  const path = await saved("wallet", [...tempting, ...hostileRows]);
  const { sheets } = await readXlsx(readFileSync(path));
  const formulas = sheets.flatMap(({ cells }) => [...(cells?.values() ?? [])].flatMap(({ formula }) => formula ?? []));
  expect(
    formulas.filter(
      (formula) => !/^(?:SUBTOTAL\(9,|SUM\('|ROWS\('|ROUND\(B|'Statement'!)[A-Z0-9:'!+,) Statementd-]*$/.test(formula),
    ),
  ).toEqual([]);
  // Closing and check have more digits than a spreadsheet number: these two are values.
  expect(formulas).toEqual([
    "SUBTOTAL(9,F8:F52)",
    "SUBTOTAL(9,G8:G52)",
    "'Statement'!H8-'Statement'!F8+'Statement'!G8",
    "SUM('Statement'!F8:F52)",
    "SUM('Statement'!G8:G52)",
    "ROWS('Statement'!A8:A52)",
  ]);
});

test("a statement that does not add up says so on every sheet", async () => {
  const path = await saved("wallet", [
    { ref: "A", amount: "5" },
    { ref: "B", amount: "5", balance: "7.00" },
  ]);
  const { sheets } = await readXlsx(readFileSync(path));
  const words = 'Does not add up: row 2 ("B"): balance 7.00, expected 1,010.00';
  expect(sheets.map(({ rows }) => rows[4]?.[0])).toEqual([words, words]);
});

test("the check of a workbook does not round away a break of four fils", async () => {
  const rows = [
    { ref: "A", amount: "5.000", balance: "1005.000" },
    { ref: "B", amount: "5.000", balance: "1010.004" },
  ];
  const { formula, value, format } = await checkIn(await savedIn("KWD", statementBody("wallet", rows), "1010.004"));
  expect([formula, value]).toEqual(["ROUND(B8+B9-B10-B11,3)", -0.004]);
  expect(format).toContain("0.00#");
});

test("a check of amounts too long for a spreadsheet is an exact value, and says so", async () => {
  const opening = "12345678901234567.00";
  const held = "12345678901234567.30";
  for (const [balance, difference] of [
    [held, 0],
    ["12345678901234567.34", -0.04],
  ] as const) {
    const body = statementBody("wallet", [{ amount: "0.10" }, { amount: "0.20", balance }], opening);
    const { name, formula, value, formulas } = await checkIn(await savedIn("TZS", body, balance));
    expect([formula, value]).toEqual([undefined, difference]);
    expect(name).toBe(
      "Check: opening + credits − debits − closing (0 when it adds up). A spreadsheet can't recalculate it: amounts have more than 15 digits",
    );
    // No formula calculates with the text of a balance.
    expect(formulas.filter((text) => text.includes("-"))).toEqual([]);
  }
});

/** A statement of a wallet in this currency, as a workbook. */
async function savedIn(currency: string, body: string, balance: string): Promise<string> {
  const path = join(temporaryFolder(), "statement.xlsx");
  const answers = [balanceBody("wallet", currency, balance), statementBody("wallet", [])];
  const ended = await exported("", "wallet", body, { flags: `--save ${path}`, answers });
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  return path;
}

/** The last row of the summary, and all formulas on its sheet. */
async function checkIn(path: string) {
  const { sheets } = await readXlsx(readFileSync(path), { readStyles: true });
  const [, summary] = sheets;
  const place = (summary?.rows.length ?? 0) - 1;
  const cell = summary?.cells?.get(`${place},1`);
  const [name, value] = summary?.rows[place] ?? [];
  const formulas = [...(summary?.cells?.values() ?? [])].flatMap(({ formula }) => formula ?? []);
  return { name, value, formula: cell?.formula, format: cell?.style?.numFmt, formulas };
}

async function saved(kind: AccountKind, rows: readonly Told[], now = Date.UTC(2026, 2, 31)): Promise<string> {
  const path = join(temporaryFolder(), "statement.xlsx");
  const ended = await exported("", kind, statementBody(kind, rows), { flags: `--save ${path}`, world: { now } });
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  return path;
}

function tool(program: string, words: readonly string[], zone: string): string {
  const env = { PATH: process.env["PATH"], HOME: temporaryFolder(), TZ: zone, LC_ALL: "C.UTF-8" };
  const { stdout, status, stderr } = spawnSync(program, words, { encoding: "utf8", env, timeout: 60_000 });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** The cells as LibreOffice shows them, so number formats are checked, too. */
function libreOffice(path: string, sheet = 1): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "out"));
  const form = `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,${sheet}`;
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  tool("soffice", ["--headless", profile, "--convert-to", form, "--outdir", join(folder, "out"), path], "UTC");
  const [name = ""] = readdirSync(join(folder, "out"));
  return readFileSync(join(folder, "out", name), "utf8");
}

function tableOf(csv: string, kind: AccountKind): Record<string, string>[] {
  const all = readCsv(csv);
  const place = all.findIndex((row) => row.join() === columns[kind].join());
  expect(place).toBe(6);
  const [header = [], ...rows] = all.slice(place);
  const ofRows = rows.filter(([first]) => first !== "Total");
  return ofRows.map((row) => Object.fromEntries(row.map((cell, index) => [header[index], cell])));
}

function sumOf(rows: readonly Record<string, string>[], column: string): string {
  return sum(rows.map((row) => cents(row[column])));
}

/** These readers format numbers in their own ways, with up to six decimals of a double. */
function cents(cell: string | undefined): string {
  return Number(cell).toFixed(2);
}

/** One of them omits midnight and writes dates with slashes. */
function timeOf(cell = ""): string {
  return cell.replaceAll("/", "-") + (cell.includes(":") ? "" : " 00:00:00");
}

function sumOfTold(rows: readonly Told[], sign: number): string {
  const amounts = rows.map(({ amount }) => decimal(amount)).filter((amount) => amount.sign === sign);
  return sum(amounts.map((amount) => amount.abs().toString()));
}

function closingOf(rows: readonly Told[]): string {
  return sum(["1000.00", ...rows.map(({ amount }) => amount)]);
}

function sum(amounts: readonly string[]): string {
  return amounts.reduce((total, amount) => total.add(decimal(amount)), Decimal.zero).padded(2);
}

/** Control characters as workbooks store them, which these readers do not decode. */
function escaped(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, (found) => `_x${hex(found)}_`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
