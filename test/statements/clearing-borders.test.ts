import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { run, words } from "../partner.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// The halves of a transfer between own wallets meet in the clearing account, even across midnight.

const [payer, receiver] = ["9000112233", "9000112244"] as const;
const tranRefNo = "FT-1";
const statements = {
  [payer]: [debit("900.00", { tranRefNo, valueDate: "2026-01-31 23:59:59", balance: "100.00" })],
  [receiver]: [credit("900.00", { tranRefNo, valueDate: "2026-02-01 00:00:01", balance: "900.00" })],
};

async function exported(lines: readonly string[], now: number) {
  const service = await serveStatements({ statements, now, hidesDaysToCome: true });
  const environment = { ...service.environment, PARTNER_CONFIG_DIR: temporaryFolder() };
  const texts: string[] = [];
  for (const line of lines) {
    const { exit, stdout } = await run(words(line), { environment, now });
    expect(exit).toBe(0);
    texts.push(stdout);
  }
  return texts;
}

test.for(["hledger", "beancount"])("%s files of both months use the clearing account", async (format) => {
  const texts = await exported(
    [
      `wallet statement ${payer} --month 2026-01 --output ${format}`,
      `wallet statement ${receiver} --month 2026-02 --output ${format}`,
    ],
    Date.UTC(2026, 2, 20),
  );
  for (const text of texts) expect(text).toMatch(/900\.00 TZS.*\n +assets:partner:clearing/i);
});

test("on the first day of the next month the clearing account is already used", async () => {
  const [text] = await exported(
    [`wallet statement ${payer} --month 2026-01 --output hledger`],
    Date.UTC(2026, 1, 1, 9),
  );
  expect(text).toMatch(/-900\.00 TZS.*\n +assets:partner:clearing/);
});

test("ledger statement also uses the clearing account", async () => {
  const texts = await exported(
    [
      "ledger sync --start-date 2026-01-01",
      `ledger statement ${payer} --month 2026-01 --output hledger`,
      `ledger statement ${receiver} --start-date 2026-02-01 --output hledger`,
    ],
    Date.UTC(2026, 2, 20),
  );
  for (const text of texts.slice(1)) expect(text).toMatch(/900\.00 TZS.*\n +assets:partner:clearing/);
});

/** True if this wallet's file for the month uses the clearing account. */
async function isBetweenOwn(accountNo: string, month: string, days: readonly [left: string, came: string]) {
  const [left, came] = days;
  const service = await serveStatements({
    statements: {
      [payer]: [debit("900.00", { tranRefNo, valueDate: `${left} 08:00:00`, balance: "100.00" })],
      [receiver]: [credit("900.00", { tranRefNo, valueDate: `${came} 08:00:00`, balance: "900.00" })],
    },
  });
  const environment = { ...service.environment, PARTNER_CONFIG_DIR: temporaryFolder() };
  const line = words(`wallet statement ${accountNo} --month ${month} --output hledger`);
  const { stdout } = await run(line, { environment, now: Date.UTC(2026, 2, 20) });
  expect(stdout).toContain("900.00 TZS");
  return /900\.00 TZS.*\n +assets:partner:clearing/.test(stdout);
}

test("halves at most seven days apart use the clearing account", async () => {
  expect(await isBetweenOwn(payer, "2026-01", ["2026-01-31", "2026-02-07"])).toBe(true);
  expect(await isBetweenOwn(payer, "2026-01", ["2026-01-31", "2026-02-08"])).toBe(false);
  expect(await isBetweenOwn(receiver, "2026-02", ["2026-01-25", "2026-02-01"])).toBe(true);
  expect(await isBetweenOwn(receiver, "2026-02", ["2026-01-24", "2026-02-01"])).toBe(false);
});

test.for([
  ["seven", 25, true],
  ["eight", 24, false],
] as const)("an order booked %s days later uses the clearing account up to seven days", async ([, day, isOwn]) => {
  const row = debit("5", { tranRefNo: "R-1", valueDate: "2026-02-01 08:00:00" });
  const service = await serveStatements({ statements: { [payer]: [row] }, react: accept });
  const till = openTill(service.environment);
  const order = `transfer --from ${payer} --to ${receiver} --amount 5 --description rent --reference R-1 --yes`;
  expect(await till.run(order, { now: Date.UTC(2026, 0, day, 9) })).toMatchObject({ exit: 0 });
  const line = `wallet statement ${payer} --month 2026-02 --output hledger`;
  const { stdout } = await till.run(line, { now: Date.UTC(2026, 2, 20) });
  expect(stdout).toContain("5.00 TZS");
  expect(/5\.00 TZS.*\n +assets:partner:clearing/.test(stdout)).toBe(isOwn);
});
