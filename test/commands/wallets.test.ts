import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { answer } from "../contract/recorder.ts";
import { test } from "../simulated.ts";
import { ask } from "./served.ts";

test("wallets list shows every wallet and a total per currency", async ({ partner }) => {
  const { exit, stdout, stderr } = await partner`wallets list`;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout).toMatch(/^account +name +type +balance +currency +country\n/);
  expect(stdout).toMatch(/\ntotal CDF 12,345,678,901,234,567\.10\ntotal KES [\d,]+\.\d\d\ntotal TZS [\d,]+\.\d\d\n$/);
});

test("wallets list keeps every digit of a large balance, in JSON and CSV", async ({ partner }) => {
  expect((await partner`wallets list --json`).stdout).toContain('"balance": 12345678901234567.10,');
  expect((await partner`wallets list --csv`).stdout).toMatch(
    /\n9000999001,Akiba Kubwa,COLLECTION,12345678901234567\.10,CDF,CD\n/,
  );
});

test("wallets list --currency and --type show only the matching wallets", async ({ partner }) => {
  const { stdout } =
    await partner`wallets list --currency kes --type ${'"DEFAULT DISBURSEMENT"'} --csv --columns accountNo`;
  expect(stdout).toBe("accountNo\n9000445566\n");
});

test("wallets list without a match prints a header, an empty list or a sentence: 0", async ({ partner }) => {
  expect(await partner`wallets list --currency XAF --csv`).toMatchObject({
    exit: 0,
    stdout: "accountNo,accountName,type,balance,currency,countryCode\n",
  });
  expect(await partner`wallets list --currency XAF --json`).toMatchObject({ exit: 0, stdout: "[]\n" });
  expect(await partner`wallets list --currency XAF`).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "The account has 8 wallets, and none of them matches.\n",
  });
});

test("wallets list sorts amounts as amounts", async ({ partner }) => {
  const { stdout } = await partner`wallets list --currency TZS --sort -balance --csv --columns balance --no-header`;
  const balances = stdout.trim().split("\n").map(Number);
  expect(balances).toEqual(balances.toSorted((a, b) => b - a));
  expect(balances).toHaveLength(4);
});

test("wallet balance has the fields of the specification in their order", async ({ partner }) => {
  const { stdout } = await partner`wallet balance 9000445577 --csv`;
  expect(stdout.split("\n")[0]).toBe(
    "availableBalance,currentBalance,accountStatus,accountNo,accountName,type,currencyCode,countryCode",
  );
});

test("wallet balance --fail-below ends with 9 below the amount, with 0 when equal", async ({ partner, simulator }) => {
  const balance = simulator.world.wallet("9000112244").balance.toString();
  expect(await partner`wallet balance 9000112244 --fail-below ${balance}`).toMatchObject({ exit: 0 });
  const below = await partner`wallet balance 9000112244 --fail-below ${`${balance.split(".")[0]}9`} --json`;
  expect(below).toMatchObject({ exit: 9, stdout: "" });
  expect(below.stderr).toMatch(
    /^Error: The available balance of 9000112244 is TZS [\d,]+\.\d\d; it should be at least TZS [\d,]+\.00\.\n/,
  );
});

test.each([
  ['"1,000.00"', 'is "1,000.00", which is not an amount'],
  ["null", "was not named by the service"],
])("wallet balance --fail-below ends with 9 for a balance of %s, and shows it as received", async (balance, words) => {
  const body = `{"accountNo":"9000112233","currencyCode":"TZS","availableBalance":${balance}}`;
  const { exit, stdout, stderr } = await ask("wallet balance 9000112233 --fail-below 500", answer("200 OK", body));
  expect({ exit, stdout }).toEqual({ exit: 9, stdout: "" });
  expect(stderr).toContain(`Error: The available balance of 9000112233 ${words}; it should be at least TZS 500.00.\n`);
});

test("wallet balance of a merchant account ends with 4 and names its commands", async ({ partner, simulator }) => {
  const [account = ""] = simulator.accounts;
  const { exit, stderr } = await partner`wallet balance ${account}`;
  expect(exit).toBe(4);
  expect(stderr.split("\n").slice(0, 2)).toEqual([
    `Error: The service found no wallet ${account} of yours (404 NOT_FOUND).`,
    "Hint: See which there are: partner wallets list. Merchant accounts have commands of their own: partner account --help",
  ]);
});

test("wallet statement prints its period and that it adds up", async ({ partner }) => {
  const { exit, stderr, stdout } = await partner`wallet statement 9000112233 --month 2026-02 --csv --strict`;
  expect(exit).toBe(0);
  expect(stderr).toMatch(
    /^Period: 2026-02-01 to 2026-02-28\n\d+ rows, \+[\d,]+\.\d\d −[\d,]+\.\d\d, closing [\d,]+\.\d\d, adds up\n$/,
  );
  expect(stdout.split("\n")[0]).toBe(
    "tranRefNo,valueDate,txnDate,narration,debitOrCredit,amountCredited,amountDebited,balance",
  );
});

test("wallet statement accepts --today, --yesterday, --last-month, one date and two dates", async ({ partner }) => {
  const period = async (flags: string) =>
    (await partner`wallet statement 9000112233 ${flags} --json`).stderr.split("\n")[0];
  expect(await period("--today")).toBe("Period: 2026-03-31");
  expect(await period("--yesterday")).toBe("Period: 2026-03-30");
  expect(await period("--last-month")).toBe("Period: 2026-02-01 to 2026-02-28");
  expect(await period("--date 2024-02-29")).toBe("Period: 2024-02-29");
  expect(await period("--start-date 2026-03-01 --end-date 2026-03-02")).toBe("Period: 2026-03-01 to 2026-03-02");
});

test("wallet statement refuses an invalid period and sends nothing", async ({ partner }) => {
  for (const flags of [
    "",
    "--date 2026-02-30",
    "--start-date 2026-03-02 --end-date 2026-03-01",
    "--end-date 2026-03-01",
    "--month 2026-13",
    "--today --yesterday",
  ]) {
    const result = await partner`wallet statement 9000112233 ${flags} --debug`;
    expect(result).toMatchObject({ exit: 2, stdout: "" });
    expect(result.stderr).not.toMatch(/^> /m);
  }
});

test("wallet statement shows the wallet's currency in the headings", async ({ partner }) => {
  expect((await partner`wallet statement 9000445566 --month 2026-03`).stdout).toMatch(
    /credit \(KES\) +debit \(KES\) +balance \(KES\)\n/,
  );
});

test("wallet statement --save writes the complete file and nothing to stdout", async ({ partner }) => {
  const path = join(temporaryFolder(), "march.csv");
  const saved = await partner`wallet statement 9000112233 --month 2026-03 --save ${path}`;
  expect(saved).toMatchObject({ exit: 0, stdout: "" });
  expect(readFileSync(path, "utf8")).toBe((await partner`wallet statement 9000112233 --month 2026-03 --csv`).stdout);
});

test("a failed statement leaves the old file unchanged", async ({ partner }) => {
  const path = join(temporaryFolder(), "march.csv");
  writeFileSync(path, "the old file\n");
  expect(await partner`wallet statement 404404 --month 2026-03 --save ${path}`).toMatchObject({ exit: 4, stdout: "" });
  expect(readFileSync(path, "utf8")).toBe("the old file\n");
});

test("--quiet prints nothing on success", async ({ partner }) => {
  expect((await partner`wallet statement 9000112233 --month 2026-03 --csv --quiet`).stderr).toBe("");
});

test("an escape sequence in a narration is printed escaped", async ({ partner }) => {
  for (const format of ["table", "json"]) {
    const { stdout } =
      await partner`wallet statement 0560066551200 --start-date 2026-02-01 --end-date 2026-03-31 --output ${format}`;
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain(String.raw`\u001b`);
  }
});

test("a formula in a narration is neutralised in CSV, except with --raw", async ({ partner }) => {
  const formula = /(^|,)"?'?=HYPERLINK/m;
  const guarded = (await partner`wallet statement 0560066551200 --start-date 2026-02-01 --end-date 2026-03-31 --csv`)
    .stdout;
  const raw = (await partner`wallet statement 0560066551200 --start-date 2026-02-01 --end-date 2026-03-31 --csv --raw`)
    .stdout;
  expect(formula.exec(guarded)?.[0]).toContain("'=");
  expect(formula.exec(raw)?.[0]).not.toContain("'=");
});

test("an empty or invalid account number is refused before anything is sent", async () => {
  for (const number of ["", "a b"])
    expect(await ask(["wallet", "balance", number])).toMatchObject({ exit: 2, stdout: "", requests: [] });
});

test("no line is wider than the terminal, with the simulator's wallets and rows", async ({ partnerIn }) => {
  for (const columns of [120, 80, 60, 40]) {
    const partner = partnerIn({ terminal: { stdout: true }, columns });
    const statement = await partner`wallet statement 0560066551200 --month 2026-03`;
    const { stdout, stderr, exit } = await partner`wallets list`;
    expect([exit, statement.exit]).toEqual([0, 0]);
    const table = (stdout + statement.stdout).split("\n").filter((line) => !line.startsWith("total "));
    expect(table.length).toBeGreaterThan(20);
    expect(table.filter((line) => line.length > columns)).toEqual([]);
    expect(stderr.includes("left out")).toBe(columns < 120);
  }
});
