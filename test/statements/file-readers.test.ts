import { describe, expect, test } from "vitest";
import { parentReference } from "../../src/contract/fee-row.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { hostileRows } from "./hostile-rows.ts";
import { lacks, readWith, zones } from "./readers.ts";
import type { AccountKind, Told } from "./told.ts";
import { bothKinds, decimal, exported, statementBody } from "./told.ts";

const days = hostileRows.map(({ at = "" }) => at.slice(0, 10));
const amounts = hostileRows.map(({ amount }) => decimal(amount).padded(2));
const total = sum(amounts).padded(2);
const closing = sum(["1000.00", ...amounts]).padded(2);

const large: readonly Told[] = [
  { ref: "L1", at: "2026-02-03 10:00:00", amount: "12345678901234567.10" },
  { ref: "L2", at: "2026-02-03 10:00:00", amount: "-0.10" },
];

/** A file of these rows. */
async function fileOf(format: string, kind: AccountKind, rows = hostileRows, opening?: string) {
  const { stdout, stderr, exit } = await exported(format, kind, statementBody(kind, rows, opening));
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return stdout;
}

describe.for(bothKinds)("a %s account", (kind) => {
  test("hledger finds every row on its day and accepts every balance", async ({ skip }) => {
    const missing = lacks("hledger", "--version");
    if (missing !== undefined) skip(missing);
    const text = await fileOf("hledger", kind);
    expect(readWith(["hledger", "-f", "FILE", "check", "--strict", "ordereddates"], text, "journal")).toEqual(fine);
    const account = kind === "wallet" ? "assets:partner:9000112233" : "assets:partner:015A8XX787600";
    for (const zone of zones) {
      const register = ["hledger", "-f", "FILE", "register", account, "-O", "csv"];
      const rows = csvRows(readWith(register, text, "journal", zone).said).slice(1);
      const own = rows.filter(([, , , description]) => description !== "opening balance");
      expect(own.map(([, date]) => date)).toEqual(days);
      expect(own.map(([, , , , , amount]) => amount?.replace(" TZS", "").replace(/^0$/, "0.00"))).toEqual(amounts);
      expect(rows.at(-1)?.[6]).toBe(`${closing} TZS`);
    }
  });

  test("hledger rejects a wrong balance, and accepts the following month in the same journal", async ({ skip }) => {
    const missing = lacks("hledger", "--version");
    if (missing !== undefined) skip(missing);
    const text = await fileOf("hledger", kind);
    const wrong = text.replace("2232745.15 TZS =", "2232745.16 TZS =");
    expect(readWith(["hledger", "-f", "FILE", "check"], wrong, "journal").said).toContain("balance assertion");
    const next = await fileOf("hledger", kind, [{ ref: "N", at: "2026-02-28 10:00:00", amount: "5" }], closing);
    const both = `${text}\n${next.replaceAll("2026-02", "2026-03")}`;
    expect(readWith(["hledger", "-f", "FILE", "check"], both, "journal")).toEqual(fine);
  });

  test("ledger reads the same file with the same sum", async ({ skip }) => {
    const missing = lacks("ledger", "--version");
    if (missing !== undefined) skip(missing);
    const text = await fileOf("hledger", kind);
    const { exit, said } = readWith(
      ["ledger", "-f", "FILE", "balance", "assets", "--format", "%(quantity(total))\n"],
      text,
      "journal",
    );
    expect(decimal(said.trim()).padded(2)).toBe(closing);
    expect(exit).toBe(0);
  });

  test("beancount accepts the file, and rejects it when one cent is wrong", async ({ skip }) => {
    const missing = lacks("bean-check", "--help");
    if (missing !== undefined) skip(missing);
    const text = await fileOf("beancount", kind);
    expect(readWith(["bean-check", "FILE"], text, "beancount", zones[0])).toEqual(fine);
    const wrong = text.replace("-0.01 TZS", "-0.02 TZS").replace("0.01 TZS", "0.02 TZS");
    expect(readWith(["bean-check", "FILE"], wrong, "beancount").said).toContain("Balance failed");
  });

  test("ofxdump finds every row on its day in every time zone", async ({ skip }) => {
    const missing = lacks("ofxdump", "--help");
    if (missing !== undefined) skip(missing);
    const text = await fileOf("ofx", kind);
    for (const zone of zones) {
      const { said } = readWith(["ofxdump", "FILE"], text, "ofx", zone);
      expect(said).not.toMatch(/ERROR/);
      expect(Array.from(said.matchAll(/Date posted: \w+ (\w+) +(\d+) [\d:]+ (\d+)/g), dayOf)).toEqual(days);
      const printed = Array.from(said.matchAll(/Total money amount: (\S+)/g), ([, amount = ""]) => amount);
      expect(printed.map((amount) => amount.replace("-0.00", "0.00"))).toEqual(amounts);
    }
  });

  test("ofxparse, which Odoo uses, reads ids, days, amounts and narrations", async ({ skip }) => {
    const missing = lacks("/usr/bin/python3", "-c", "import ofxparse") && "needs python3-ofxparse";
    if (missing !== undefined) skip(missing);
    const [summary = [], ...rows] = await parsed(kind, hostileRows);
    expect(summary).toEqual([closing, total, "2026-02-01", "2026-02-28"]);
    expect(rows.map(([day]) => day)).toEqual(days);
    expect(rows.map(([, amount]) => amount)).toEqual(amounts);
    expect(new Set(rows.map(([, , id]) => id)).size).toBe(hostileRows.length);
    expect(rows.map(([, , id]) => id).filter((id) => !/^[0-9a-f]{32}$/.test(id ?? ""))).toEqual([]);
    const references = hostileRows.slice(0, 6).map(({ ref = "" }) => ref);
    const memos = rows.slice(0, 6).map(([, , , , memo = ""]) => memo);
    expect(memos.filter((memo, index) => !memo.includes(` | ${references[index]}`))).toEqual([]);
    expect(rows.slice(4, 6).map(([, , , type]) => type)).toEqual(["srvchg", "srvchg"]);
    expect(rows[2]?.[4]).toBe("<STMTTRN><TRNAMT>9999</STMTTRN> & &amp; &#0; ]]> <!-- --> | A#2");
  });

  test("CAMT.053 is valid and contains every row", async ({ skip }) => {
    const missing = lacks("xmllint", "--version");
    if (missing !== undefined) skip(missing);
    const schema = ["xmllint", "--noout", "--schema", `${import.meta.dirname}/camt053.xsd`, "FILE"];
    const text = await fileOf("camt053", kind);
    for (const file of [text, await fileOf("camt053", kind, []), await fileOf("camt053", kind, large, "0")])
      expect(readWith(schema, file, "xml")).toMatchObject({ exit: 0 });
    const count = `count(//*[local-name()="Ntry"])`;
    expect(readWith(["xmllint", "--xpath", count, "FILE"], text, "xml").said.trim()).toBe(String(hostileRows.length));
    const entries = text.split("<Ntry>").slice(1);
    const signed = entries.map(
      (entry) => (entry.includes("DBIT") ? "-" : "") + (/<Amt Ccy="TZS">([\d.]+)</.exec(entry)?.[1] ?? ""),
    );
    expect(signed).toEqual(amounts);
    expect(entries.map((entry) => /<BookgDt><Dt>([\d-]+)</.exec(entry)?.[1])).toEqual(days);
    expect(entries[4]).toContain(`<NtryRef>A-PAYIN</NtryRef>`);
    expect(entries[4]).toContain(`<EndToEndId>${parentReference("A-PAYIN")}</EndToEndId>`);
    expect(entries[11]).toContain("REF:1b4e28ba-2fa1-11d2-883f-0016d3cca427-PAYIN");
  });
});

test("ofxparse reads all 17 digits of an amount, and a file without rows", async ({ skip }) => {
  const missing = lacks("/usr/bin/python3", "-c", "import ofxparse") && "needs python3-ofxparse";
  if (missing !== undefined) skip(missing);
  const [, first] = await parsed("wallet", large, "0");
  expect(first?.[1]).toBe("12345678901234567.10");
  expect(await parsed("wallet", [])).toEqual([["1000.00", "0", "2026-02-01", "2026-02-28"]]);
});

/** The output of a checker for a file without faults. */
const fine = { exit: 0, said: "" };

/** Prints balance, sum and days of an OFX file, then its rows. */
const ofxparse = `
import sys, ofxparse
statement = ofxparse.OfxParser.parse(open(sys.argv[1], "rb")).account.statement
rows = statement.transactions
print(statement.balance, sum(row.amount for row in rows), statement.start_date.date(), statement.end_date.date(), sep="\\t")
for row in rows: print(row.date.date(), row.amount, row.id, row.type, row.memo, sep="\\t")
`;

async function parsed(kind: AccountKind, rows: readonly Told[], opening?: string): Promise<string[][]> {
  const text = await fileOf("ofx", kind, rows, opening);
  const heard = readWith(["/usr/bin/python3", "-c", ofxparse, "FILE"], text, "ofx", zones[0]);
  expect(heard).toMatchObject({ exit: 0 });
  return heard.said
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

function sum(texts: readonly string[]): Decimal {
  return texts.reduce((held, text) => held.add(decimal(text)), Decimal.zero);
}

const months = ["Jan", "Feb", "Mar"];

function dayOf([, month = "", day = "", year = ""]: readonly string[]): string {
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** hledger's own CSV, with every cell in quotes. */
function csvRows(text: string): string[][] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => Array.from(line.matchAll(/"((?:[^"]|"")*)"/g), ([, cell = ""]) => cell));
}
