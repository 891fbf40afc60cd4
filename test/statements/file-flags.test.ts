import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileFormats } from "../../src/statements/formats/encoders.ts";
import { ask, ok } from "../commands/served.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Told } from "./told.ts";
import { accounts, balanceBody, bothKinds, exported, newestFirst, statementBody } from "./told.ts";

const rows: readonly Told[] = [
  { ref: "A", at: "2026-02-02 08:00:00", amount: "10.00" },
  { ref: "B", at: "2026-02-03 08:00:00", amount: "-4.00" },
  { ref: "C", at: "2026-02-03 09:00:00", amount: "1.00" },
];
const body = statementBody("wallet", rows);
const broken = statementBody("wallet", [
  ...rows,
  { ref: "D", at: "2026-02-04 08:00:00", amount: "5", balance: "7.00" },
]);

/** The first bytes of each kind of file. */
const starts = {
  "a.ofx": "OFXHEADER:100",
  "a.journal": "; Wallet",
  "a.beancount": "; Wallet",
  "a.XML": "<?xml",
  "a.html": "<!doctype html>",
  "a.xlsx": "PK",
} as const;

test.each(Object.entries(starts))("--save %s writes the format of its extension", async (name, start) => {
  const path = join(temporaryFolder(), name);
  const { stdout, summary, exit } = await exported("", "wallet", body, { flags: `--save ${path}` });
  expect(readFileSync(path, "latin1").toLowerCase().startsWith(start.toLowerCase())).toBe(true);
  expect(stdout).toBe("");
  expect(summary).toBe("3 rows, +11.00 −4.00, closing 1,007.00, adds up");
  expect(exit).toBe(0);
});

test.each(fileFormats)("%s: an empty period gives a file without rows, for both kinds of account", async (format) => {
  for (const kind of bothKinds) {
    const { stdout, summary, exit } = await exported(format, kind, statementBody(kind, []));
    expect(stdout).not.toBe("");
    expect(summary).toBe("0 rows, +0.00 −0.00, adds up");
    expect(exit).toBe(0);
  }
});

test.each(fileFormats)(
  "%s: the same rows give the same bytes, whatever the time or the order of rows",
  async (format) => {
    const path = join(temporaryFolder(), "statement");
    const save = { flags: `--save ${path}` };
    const bytesOf = async (text: string, now: number) => {
      await exported(format, "wallet", text, { ...save, world: { now } });
      return readFileSync(path, "latin1");
    };
    const first = await bytesOf(body, Date.UTC(2026, 2, 1));
    expect(await bytesOf(body, Date.UTC(2029, 6, 9, 23))).toBe(first);
    expect(await bytesOf(newestFirst(body), Date.UTC(2026, 2, 1))).toBe(first);
  },
);

test("--strict keeps the old file when the statement does not add up; otherwise it is a warning", async () => {
  const path = join(temporaryFolder(), "statement.ofx");
  writeFileSync(path, "old");
  const strict = await exported("", "wallet", broken, { flags: `--save ${path} --strict` });
  expect(strict.exit).toBe(9);
  expect(strict.summary).toContain('does not add up: row 4 ("D")');
  expect(readFileSync(path, "utf8")).toBe("old");
  const lenient = await exported("", "wallet", broken, { flags: `--save ${path}` });
  expect(lenient.exit).toBe(0);
  expect(readFileSync(path, "utf8")).toContain("<REFNUM>D\n");
});

test("--strict also leaves stdout empty", async () => {
  const { stdout, exit } = await exported("hledger", "wallet", broken, { flags: "--strict" });
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 9 });
});

test("flags that do not apply to the format are refused before any request", async () => {
  const { stderr, exit, requests } = await exported("ofx", "wallet", body, { flags: "--columns balance --no-header" });
  expect(stderr).toContain("--columns and --no-header cannot be used with ofx: the form of such a file is fixed.");
  expect(exit).toBe(2);
  expect(requests).toEqual([]);
});

test("a workbook is not written to a terminal, but to a pipe", async () => {
  const terminal = await exported("xlsx", "wallet", body, { world: { terminal: { stdout: true } } });
  expect(terminal.stderr).toContain("--save statement.xlsx");
  expect(terminal.exit).toBe(2);
  expect(terminal.requests).toEqual([]);
  expect((await exported("xlsx", "wallet", body)).stdout.startsWith("PK")).toBe(true);
});

test("on a terminal, control characters of the service are escaped", async () => {
  const spoken = statementBody("wallet", [{ ref: "A", narration: "\u202etxt\u200b", amount: "1" }]);
  const { stdout } = await exported("hledger", "wallet", spoken, { world: { terminal: { stdout: true } } });
  expect(stdout).toContain(String.raw`(A) \u202etxt\u200b`);
  expect((await exported("hledger", "wallet", spoken)).stdout).toContain("(A) \u202etxt\u200b");
});

test("other commands refuse statement formats and list their own", async () => {
  const { stderr, exit, requests } = await ask("wallets list --output ofx");
  expect(stderr).toContain('--output "ofx" is a format for statements only.');
  expect(stderr).toContain("one of table, json, ndjson, csv");
  expect(exit).toBe(2);
  expect(requests).toEqual([]);
  expect((await ask("wallets list --save wallets.ofx")).exit).toBe(2);
  expect(existsSync("wallets.ofx")).toBe(false);
});

test("PARTNER_OUTPUT=ofx applies to statements; other commands show their table", async () => {
  const world = { environment: { PARTNER_OUTPUT: "ofx" } };
  expect((await exported("", "wallet", body, { world })).stdout).toContain("<OFX>");
  const list = await ask("wallets list", ok('[{"accountNo":"42","balance":1,"currency":"TZS"}]'), world);
  expect(list.stdout).toContain("account");
  expect(list.exit).toBe(0);
});

test("an unknown format is refused with the list of formats", async () => {
  const { stderr, exit } = await exported("qif", "wallet", body);
  expect(stderr).toContain(`one of table, json, ndjson, csv, ${fileFormats.join(", ")}`);
  expect(exit).toBe(2);
});

test("more than 1,000 rows for Xero or QuickBooks give a warning", async () => {
  for (const format of ["xero", "quickbooks"]) {
    const { stdout, stderr, exit } = await exported(format, "wallet", manyRows(1001));
    expect(stderr).toContain(`${format} takes about 1,000 rows in one file, and this one has more`);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1002);
    expect(exit).toBe(0);
    expect((await exported(format, "wallet", manyRows(1000))).stderr).not.toContain("takes about");
  }
});

test.each(["xero", "quickbooks"])("a %s file needs no request for the currency", async (format) => {
  const { exit, requests } = await exported(format, "wallet", body);
  expect({ exit, asked: requests.map((request) => request.split(" HTTP")[0]) }).toEqual({
    exit: 0,
    asked: ["POST /wallet/statement"],
  });
});

test("a wallet's currency comes from its balance, or else from the list of wallets", async () => {
  const old = '{"availableBalance":1,"accountNo":"9000112233"}';
  const list = `[{"accountNo":"1","currency":"TZS"},{"accountNo":"${accounts.wallet}","currency":"KES"}]`;
  expect((await exported("ofx", "wallet", body, { answers: [balanceBody("wallet", "UGX")] })).stdout).toContain(
    "<CURDEF>UGX\n",
  );
  expect((await exported("ofx", "wallet", body, { answers: [old, list] })).stdout).toContain("<CURDEF>KES\n");
  const nowhere = await exported("ofx", "wallet", body, { answers: [old, "[]"] });
  expect(nowhere.stderr).toContain("The currency of 9000112233 is not named by the service");
  expect(nowhere).toMatchObject({ exit: 5, stdout: "" });
  const strange = await exported("ofx", "wallet", body, { answers: [balanceBody("wallet", "T<S")] });
  expect(strange.stderr).toContain('is "T<S", which isn\'t the code of a currency');
});

test("the balance of an empty period is taken from the first row after it", async () => {
  const later = statementBody("wallet", [{ ref: "Z", at: "2026-03-02 08:00:00", amount: "-250.25" }], "777.75");
  const answers = [balanceBody("wallet", "TZS", "527.50"), later];
  const { stdout, requests } = await exported("ofx", "wallet", "[]", { answers, world: { now: Date.UTC(2026, 2, 9) } });
  expect(stdout).toContain("<BALAMT>777.75\n");
  expect(requests.at(-1)).toContain('"startDate":"2026-03-01","endDate":"2026-03-09"');
});

/** A credit of 100.00 with the balance after it. */
function creditRow(ref: string, day: string, balance: string): string {
  return `{"tranRefNo":"${ref}","valueDate":"${day} 08:00:00","txnDate":"${day} 08:00:00","narration":"n","debitOrCredit":"CR","amountCredited":100.00,"amountDebited":0.00,"balance":${balance}}`;
}

test("the balance of an empty period is taken from the row booked first, even if it is not listed first", async () => {
  // Sorted by value date; V was booked last.
  const later = `[${[creditRow("V", "2026-03-01", "1077.75"), creditRow("A", "2026-03-02", "877.75"), creditRow("B", "2026-03-03", "977.75")].join()}]`;
  const answers = [balanceBody("wallet", "TZS", "1077.75"), later];
  const { stdout } = await exported("ofx", "wallet", "[]", { answers, world: { now: Date.UTC(2026, 2, 9) } });
  expect(stdout).toContain("<BALAMT>777.75\n");
});

test("an empty period that has not ended takes the current balance", async () => {
  const answers = [balanceBody("wallet", "TZS", "527.50")];
  const { stdout, requests } = await exported("camt053", "wallet", "[]", {
    answers,
    world: { now: Date.UTC(2026, 1, 9) },
  });
  expect(stdout.match(/<Amt Ccy="TZS">527\.50<\/Amt>/g)).toHaveLength(2);
  expect(requests).toHaveLength(2);
});

test("rows without a balance are included in the opening and closing balance", async () => {
  const partial = statementBody("wallet", [
    { ref: "A", at: "2026-02-02 08:00:00", amount: "10.00", balance: null },
    { ref: "B", at: "2026-02-03 08:00:00", amount: "-4.00" },
    { ref: "C", at: "2026-02-03 09:00:00", amount: "1.00", balance: null },
  ]);
  const { stdout } = await exported("camt053", "wallet", partial);
  expect(stdout.match(/<Amt Ccy="TZS">10\d\d\.00<\/Amt>/g)).toEqual([
    '<Amt Ccy="TZS">1000.00</Amt>',
    '<Amt Ccy="TZS">1007.00</Amt>',
  ]);
});

const unfit: readonly [string, Partial<Told>, string][] = [
  ["an amount that isn't a number", { amount: '"ten"' }, "an amount isn't a number"],
  ["a date that isn't a day", { at: "yesterday" }, 'value date "yesterday" isn\'t a day'],
];
test.each(unfit)("%s makes no file, and the row is named", async (_name, fault, words) => {
  const text = statementBody("wallet", rows).replace(
    '"amountCredited":10.00',
    `"amountCredited":${fault.amount ?? "10.00"}`,
  );
  const { stdout, stderr, exit } = await exported(
    "ofx",
    "wallet",
    fault.at ? text.replace("2026-02-02 08:00:00", fault.at) : text,
  );
  expect(stderr).toContain(`No ofx file can be made from this statement: row 1 ("A"): ${words}.`);
  expect(stderr).toContain("--output csv");
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 9 });
});

test("a statement in two currencies makes no file", async () => {
  const mixed = statementBody("merchant", rows).replace("TZS", "KES");
  expect((await exported("hledger", "merchant", mixed)).stderr).toContain(
    'row 2 is in "TZS", the rows above it in "KES"',
  );
});

test("an amount with more digits than CAMT.053 allows is refused, not rounded", async () => {
  const large = statementBody("wallet", [{ amount: "12345678901234567.15" }], "0");
  const { stdout, stderr, exit } = await exported("camt053", "wallet", large);
  expect(stderr).toContain("12345678901234567.15 has more digits than camt053 allows.");
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 9 });
  expect((await exported("ofx", "wallet", large)).stdout).toContain("<TRNAMT>12345678901234567.15\n");
});

test("rows not in date order give a ledger file without balance checks, with a note", async () => {
  const [first, second, third] = rows;
  const shuffled = statementBody(
    "wallet",
    [second, first, third].flatMap((row) => row ?? []),
  );
  for (const format of ["hledger", "beancount"]) {
    const { stdout } = await exported(format, "wallet", shuffled);
    expect(stdout).toContain("; The rows are not in the order of their days: no balance is checked.\n");
    expect(stdout).not.toMatch(/TZS =|\d balance /);
  }
});

function manyRows(count: number): string {
  return statementBody(
    "wallet",
    Array.from({ length: count }, (_, index) => ({ ref: `R${index}`, amount: "1.00" })),
  );
}
