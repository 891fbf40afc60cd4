import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rule } from "../commands/rules-file.ts";
import { rulesFile } from "../commands/rules-file.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { serveStatements } from "../statements-served.ts";
import { lacks, readWith } from "./readers.ts";

const [one, two] = ["9000112233", "9000112244"] as const;
const now = Date.UTC(2026, 10, 20);

/** A month of a wallet: rent, a fee known only by its words, and a row without a rule. */
const rows = [
  ["RENT-1", "Rent; flat 7", -100],
  ["FT-8", "Monthly charges", -5],
  ["COL-1", "Payment COL-1", 250],
].map(([tranRefNo, narration, change], index, all) => {
  const held = all.slice(0, index + 1).reduce((sum, [, , amount]) => sum + Number(amount), 1000);
  const day = `2026-10-0${index + 1} 08:00:00`;
  return {
    tranRefNo: String(tranRefNo),
    valueDate: day,
    txnDate: day,
    narration: String(narration),
    debitOrCredit: Number(change) < 0 ? "DR" : "CR",
    amountCredited: Math.max(0, Number(change)),
    amountDebited: Math.max(0, -Number(change)),
    balance: held,
  };
});

const rules: readonly Rule[] = [
  [{ in: "book", narration: "Rent" }, { account: "Expenses:Never" }],
  [{ in: "statement", narration: "rent", account: one }, { account: "Expenses:Rent" }],
  [{ narration: "charges" }, { fee: true }],
  [{ side: "debit" }, { account: "Expenses:Other" }],
];

async function saved(ending: "journal" | "beancount") {
  const service = await serveStatements({ statements: { [one]: rows, [two]: rows } });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "books"));
  const file = rulesFile(rules);
  const names: string[] = [];
  for (const account of [one, two]) {
    const name = join(folder, "books", `${account}.${ending}`);
    const line = `wallet statement ${account} --month 2026-10 --accounts ${file} --save ${name}`;
    const result = await run(words(line), { environment: service.environment, now });
    expect(result).toMatchObject({ exit: 0 });
    names.push(name);
  }
  return { text: names.map((name) => readFileSync(name, "utf8")).join("\n"), names, folder };
}

describe("--accounts books rows to the accounts named by rules", () => {
  test("in a journal that hledger and ledger read, with every account declared", async ({ skip }) => {
    const { text } = await saved("journal");
    expect(text).toContain(
      `\n2026-10-01 * (RENT-1) Rent, flat 7\n  assets:partner:${one}  -100.00 TZS = 900.00 TZS\n  Expenses:Rent\n`,
    );
    expect(text).toContain("\n  expenses:fees\n");
    expect(text).toContain("\n  income:unknown\n");
    expect(text).toContain("\naccount Expenses:Never\naccount Expenses:Rent\naccount Expenses:Other\n");
    const missing = lacks("hledger", "--version") ?? lacks("ledger", "--version");
    if (missing !== undefined) skip(missing);
    expect(readWith(["hledger", "-f", "FILE", "check", "--strict"], text, "journal")).toEqual({ exit: 0, said: "" });
    const sums = readWith(["ledger", "-f", "FILE", "bal", "--flat", "--no-total", "Expenses"], text, "journal").said;
    expect(sums.split("\n").map((line) => line.trim())).toEqual([
      "100.00 TZS  Expenses:Other",
      "100.00 TZS  Expenses:Rent",
      "10.00 TZS  expenses:fees",
      "",
    ]);
  });

  test("in beancount files that can be read together, with each account opened once", async ({ skip }) => {
    const { text, names, folder } = await saved("beancount");
    expect(text).toContain(`\n  Expenses:Rent:A-${one}  100.00 TZS\n`);
    expect(text).toContain(`\n  Expenses:Other:A-${two}  100.00 TZS\n`);
    expect(text).toContain(`\n  Expenses:Fees:A-${two}  5.00 TZS\n`);
    const missing = lacks("bean-check", "--help");
    if (missing !== undefined) skip(missing);
    const path = join(folder, "all.beancount");
    writeFileSync(path, names.map((name) => `include "${name}"\n`).join(""));
    for (const file of [...names, path])
      expect(readWith(["bean-check", file], "", "beancount")).toEqual({ exit: 0, said: "" });
  });

  const wrong: readonly [string, string, string][] = [
    [
      "an account that beancount cannot name",
      "beancount",
      'Rule 1: "rent" isn\'t a valid account in a file of beancount',
    ],
    [
      "two spaces, where hledger ends a name",
      "hledger",
      'Rule 1: "rent  paid" isn\'t a valid account in a file of hledger',
    ],
    ["a file of another kind", "ofx", "--accounts works with hledger and beancount files only."],
    ["rows alone", "csv", "--accounts works with hledger and beancount files only."],
  ];
  test.each(wrong)("but %s is refused before anything is asked", async (_, format, why) => {
    const service = await serveStatements({ statements: { [one]: rows } });
    const file = rulesFile([[{}, { account: format === "hledger" ? "rent  paid" : "rent" }]]);
    const line = `wallet statement ${one} --month 2026-10 --accounts ${file} --output ${format}`;
    const { exit, stdout, stderr } = await run(words(line), { environment: service.environment, now });
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(why);
    expect([service.asked, service.otherReads]).toEqual([[], []]);
  });
});
