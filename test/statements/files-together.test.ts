import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { WrittenRow } from "../statements-served.ts";
import { serveStatements } from "../statements-served.ts";
import { lacks, readWith } from "./readers.ts";
import { decimal } from "./told.ts";

const months = ["2026-01", "2026-02", "2026-03"] as const;
const [one, two] = ["9000112233", "9000112244"] as const;

/** The movements day by day: a row of the first wallet, of the second, or of both if one pays the other. */
const happened: readonly (readonly [
  day: string,
  reference: string,
  narration: string,
  first: string,
  second: string,
])[] = [
  ["2026-01-02", "COL-1", "Rent; flat 7 (Zoë & sons)", "150000.50", ""],
  ["2026-01-02", "COL-1-PAYIN", "SERVICE FEE FOR REF:COL-1 TXNID:9", "-350.25", ""],
  ["2026-01-15", "FT-1", "Float [T-1]", "-50000.00", "50000.00"],
  ["2026-01-31", "PAY-1", "Salary: Amina | Juma", "", "-12000.00"],
  ["2026-02-01", "FT-2", "Back", "1000.00", "-1000.00"],
  ["2026-02-14", "X", "SERVICE FEE FOR REF:FT-2 TXNID:7", "", "-10.00"],
  ["2026-03-31", "FT-3", "Float", "-0.01", "0.01"],
  ["2026-03-31", "COL-2", "include /etc/passwd", "", "7.00"],
];

function statementOf(column: 3 | 4): WrittenRow[] {
  let held = decimal("1000.00");
  return happened.flatMap(([day, reference, narration, ...amounts]) => {
    const amount = amounts[column - 3] ?? "";
    if (amount === "") return [];
    held = held.add(decimal(amount));
    const size = amount.replace("-", "");
    const [credited, debited] = amount.startsWith("-") ? [0, Number(size)] : [Number(size), 0];
    const time = `${day} 08:00:00`;
    return [
      {
        tranRefNo: reference,
        valueDate: time,
        txnDate: time,
        narration,
        debitOrCredit: credited === 0 ? "DR" : "CR",
        amountCredited: credited,
        amountDebited: debited,
        balance: Number(held.toString()),
      },
    ];
  });
}

/** Three months of both wallets as one file after the other; each wallet's first file opens its accounts. */
async function together(ending: "journal" | "beancount"): Promise<{ readonly text: string; readonly folder: string }> {
  const service = await serveStatements({ statements: { [one]: statementOf(3), [two]: statementOf(4) } });
  const folder = temporaryFolder();
  mkdirSync(join(folder, "books"));
  const names: string[] = [];
  for (const account of [one, two])
    for (const [index, month] of months.entries()) {
      const name = join(folder, "books", `${account}-${month}.${ending}`);
      const flags = index === 0 ? "" : "--no-opening";
      const line = `wallet statement ${account} --month ${month} --save ${name} --strict ${flags}`;
      const environment = { ...service.environment, PARTNER_CONFIG_DIR: folder };
      expect(await run(words(line), { environment, now: Date.UTC(2026, 3, 20) })).toMatchObject({ exit: 0 });
      names.push(name);
    }
  return { text: names.map((name) => readFileSync(name, "utf8")).join("\n"), folder };
}

/** The final balances of both wallets, and what remains of transfers between them. */
const held = { [one]: "101650.24", [two]: "37997.01" };

/** Each row as a reader should see it: day, wallet, amount. */
const expected = happened
  .flatMap(([day, , , first, second]) => [
    ...(first === "" ? [] : [`${day} ${one} ${first}`]),
    ...(second === "" ? [] : [`${day} ${two} ${second}`]),
  ])
  .toSorted();

test("hledger reads three months of two wallets together, and transfers between them cancel out", async ({ skip }) => {
  const missing = lacks("hledger", "--version");
  if (missing !== undefined) skip(missing);
  const { text } = await together("journal");
  expect(readWith(["hledger", "-f", "FILE", "check", "--strict"], text, "journal")).toEqual({ exit: 0, said: "" });
  const { said } = readWith(["hledger", "-f", "FILE", "reg", "assets:partner", "-O", "csv"], text, "journal");
  const rows = said.split("\n").map((line) => line.split('","'));
  const own = rows.filter(([, , , what, account]) => what !== "opening balance" && /\d{10}$/.test(account ?? ""));
  const told = own.map(
    ([, day, , , account, amount]) => `${day} ${account?.slice(-10)} ${amount?.replace(" TZS", "")}`,
  );
  expect(told.toSorted()).toEqual(expected);
  expect(own.map(([, , , what]) => what)).toContain("Rent, flat 7 (Zoë & sons)");
  expect(balances(["hledger", "-f", "FILE", "bal", "-N", "-E", "-O", "csv"], text)).toMatchObject({
    "assets:partner:clearing": "0",
    [`assets:partner:${one}`]: held[one],
    [`assets:partner:${two}`]: held[two],
    "expenses:fees": "360.25",
  });
});

test("ledger reads the same files together, to the same sums", async ({ skip }) => {
  const missing = lacks("ledger", "--version");
  if (missing !== undefined) skip(missing);
  const { text } = await together("journal");
  const form = "%(account)\\t%(quantity(display_total))\\n";
  const { exit, said } = readWith(
    ["ledger", "-f", "FILE", "bal", "--flat", "--empty", "--no-total", "--format", form],
    text,
    "journal",
  );
  expect(exit).toBe(0);
  const sums = Object.fromEntries(
    said
      .trim()
      .split("\n")
      .map((line) => line.split("\t")),
  );
  expect(sums).toMatchObject({
    [`assets:partner:${one}`]: held[one],
    [`assets:partner:${two}`]: held[two],
    "expenses:fees": "360.25",
  });
  expect(Number(sums["assets:partner:clearing"] ?? 0)).toBe(0);
});

test("beancount reads them together without a fault, and each row with its text", async ({ skip }) => {
  const missing = lacks("bean-check", "--help");
  if (missing !== undefined) skip(missing);
  const { text, folder } = await together("beancount");
  expect(readWith(["bean-check", "FILE"], text, "beancount")).toEqual({ exit: 0, said: "" });
  const all = [one, two].flatMap((account) => months.map((month) => `include "books/${account}-${month}.beancount"\n`));
  const path = join(folder, "all.beancount");
  writeFileSync(path, all.join(""));
  expect(readWith(["bean-check", path], "", "beancount")).toEqual({ exit: 0, said: "" });
  const query =
    "SELECT date, account, number, narration WHERE account ~ '^Assets:Partner:A-' AND narration != 'Opening balance'";
  const { said } = readWith(["bean-query", "-q", "-f", "csv", path, query], "", "beancount");
  const rows = said
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(",").map((cell) => cell.trim()));
  expect(rows.map(([day, account, amount]) => `${day} ${account?.slice(-10)} ${amount}`).toSorted()).toEqual(expected);
  expect(rows.map(([, , , words_]) => words_)).toContain("Salary: Amina | Juma");
  const cleared = "SELECT sum(number) WHERE account ~ 'Clearing'";
  expect(readWith(["bean-query", "-q", "-f", "csv", path, cleared], "", "beancount").said).toMatch(/\n0(?:\.00)?\s*$/);
});

test("a missing month is found by the first balance of the next one", async ({ skip }) => {
  const missing = lacks("hledger", "--version") ?? lacks("bean-check", "--help");
  if (missing !== undefined) skip(missing);
  const journal = without((await together("journal")).text);
  expect(readWith(["hledger", "-f", "FILE", "check"], journal, "journal").said).toContain("balance assertion");
  const beancount = without((await together("beancount")).text);
  expect(readWith(["bean-check", "FILE"], beancount, "beancount").said).toContain("Balance failed");
});

test("--no-opening is refused for other formats", async () => {
  const service = await serveStatements();
  const line = `wallet statement ${one} --month 2026-01 --no-opening --output ofx`;
  const { exit, stderr } = await run(words(line), { environment: service.environment, now: Date.UTC(2026, 3, 20) });
  expect(exit).toBe(2);
  expect(stderr).toContain("--no-opening works with hledger and beancount files only.");
});

/** The first and the last month of the first wallet. */
function without(text: string): string {
  const kept = ["; Wallet 9000112233, 2026-01-01", "; Wallet 9000112233, 2026-03-01"];
  return text
    .split(/(?=; Wallet )/)
    .filter((part) => kept.some((start) => part.startsWith(start)))
    .join("");
}

/** hledger's balances by account. */
function balances(command: readonly string[], text: string): Record<string, string> {
  const { said } = readWith(command, text, "journal");
  const rows = said
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.replaceAll('"', "").replaceAll(" TZS", "").split(","));
  return Object.fromEntries(rows.map(([account = "", sum = ""]) => [account, sum]));
}
