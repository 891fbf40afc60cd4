import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson } from "../../src/contract/wire.ts";
import { demoSeed, emptySeed } from "../../src/simulator/demo/demo.ts";
import type { Seed } from "../../src/simulator/demo/seed.ts";
import { World } from "../../src/simulator/world.ts";
import { amountOf } from "../../src/values/money/amount.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { JsonObject, JsonValue } from "../../src/values/json.ts";
import { isJsonObject } from "../../src/values/json.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, groupB, noon, say, started } from "./small-world.ts";

const seedNumbers = fc.integer({ min: 0, max: 1_000_000 });
const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 11, 31) });

test("the demo's statements add up, stay above zero and are in date order for every seed and moment", () => {
  fc.assert(
    fc.property(seedNumbers, moments, (seedNumber, nowMs) => {
      const world = new World(demoSeed(seedNumber, nowMs), seedNumber);
      for (const { name, opening, balance, entries } of world.wallets.values()) {
        const closing = follow(entries, amount(opening), "amountCredited", "amountDebited", "balance");
        expect([name.accountNo, closing.toString()]).toEqual([name.accountNo, balance.toString()]);
      }
      for (const { opening, balance, entries } of world.accounts.values()) {
        const closing = follow(entries, amount(opening), "amountCredit", "amountDebit", "availableBalance");
        expect(closing.toString()).toBe(balance.toString());
      }
    }),
    { numRuns: 40 },
  );
});

test("the demo's statements add up as they are served", async () => {
  const { simulator } = await started(memoryHost({ now: noon }), {});
  const days = { startDate: "2026-02-01", endDate: "2026-03-31" };
  for (const accountNo of simulator.wallets) {
    const { body } = await say(
      simulator,
      `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n${JSON.stringify({ accountNo, ...days })}`,
    );
    const { opening, balance, entries } = simulator.world.wallet(accountNo);
    const rows = rowsOf(decodeJson(body));
    expect(rows).toHaveLength(entries.length);
    const closing = follow(rows, amount(opening), "amountCredited", "amountDebited", "balance");
    expect(closing.toString()).toBe(balance.toString());
  }
  for (const accountNo of simulator.accounts) {
    const query = new URLSearchParams(days).toString();
    const { body } = await say(simulator, `GET /account/${accountNo}/statement?${query} HTTP/1.1\n${groupB}`);
    const answer = decodeJson(body);
    const result = isJsonObject(answer) ? answer["result"] : undefined;
    const rows = rowsOf(isJsonObject(result) ? result["statement"] : undefined);
    expect(rows.length).toBeGreaterThan(50);
  }
});

test("the same seed and clock give the same bytes, and another seed gives others", async () => {
  const once = await listed(42);
  expect(await listed(42)).toEqual(once);
  const other = await listed(43);
  expect(other.filter((body, index) => body === once[index])).toEqual([]);
});

test("a later moment of the same day only adds rows", () => {
  const earlier = demoSeed(1, Date.UTC(2026, 2, 31, 6));
  const later = demoSeed(1, Date.UTC(2026, 2, 31, 20));
  for (const [index, { entries }] of earlier.wallets.entries()) {
    expect(later.wallets[index]?.entries.slice(0, entries.length)).toEqual(entries);
  }
});

test("the demo has the wallets that a person expects to try", () => {
  const { wallets, accounts } = new World(demoSeed(1, noon), 1);
  const listed = Array.from(wallets.values(), ({ name, balance }) => ({ ...name, balance: balance.toString() }));
  const ofType = (type: string, currency: string) =>
    listed.filter((wallet) => wallet.type.endsWith(type) && wallet.currency === currency);
  expect(ofType("DISBURSEMENT", "TZS").length).toBeGreaterThanOrEqual(2);
  expect(ofType("DISBURSEMENT", "TZS").some(({ balance }) => Number(balance) >= 10_000)).toBe(true);
  expect(ofType("DEFAULT COLLECTION", "TZS")).toHaveLength(1);
  expect(ofType("DISBURSEMENT", "KES")).toHaveLength(2);
  expect(new Set(listed.map(({ type }) => type)).size).toBe(4);
  expect(listed.find(({ balance }) => balance === "12345678901234567.10")).toBeDefined();
  expect(accounts.size).toBe(1);
});

const oddities: readonly [string, RegExp][] = [
  ["a formula", /"narration":"=HYPERLINK\(/],
  ["a phone number that looks like a formula", /"narration":"\+255/],
  ["an escape sequence", /"narration":"\\u001b\[31m/],
  ["a line break", /"narration":"[^"]*\\r\\n/],
  ["quotes and a comma", /"narration":"[^"]*\\"[^"]*\\",/],
  ["an accent", /"narration":"[^"]*Zoë/],
  ["an id that begins with a dash", /"tranRefNo":"-/],
  ["a collection's fee", /"tranRefNo":"[^"]+-PAYIN"/],
  ["a payout's fee", /"tranRefNo":"[^"]+-PAYOUT"/],
  ["unknown fields", /"cbaRefNo":null,"meta":\{\}/],
  ["the older form", /"amountDebited":""/],
  ["an original date of another month", /"valueDate":"2026-02-13 [^"]*","txnDate":"2026-01-23 /],
  ["an amount with decimals", /"amountCredited":1950000\.00,/],
  ["an amount without", /"amountCredited":\d{4,},/],
];

test.for(oddities)("the demo's statements hold %s", ([, form]) => {
  const rows = demoSeed(1, noon).wallets.flatMap(({ entries }) => entries.map((row) => JSON.stringify(row)));
  expect(rows.some((row) => form.test(row))).toBe(true);
  expect(rows.length).toBeGreaterThan(300);
});

test("the empty seed has the demo's accounts without rows and money", () => {
  expect(accountsOf(emptySeed())).toEqual(accountsOf(demoSeed(1, noon)));
  const world = new World(emptySeed(), 1);
  expect(world.ledger().every(({ balance }) => balance.isZero)).toBe(true);
  expect([...world.wallets.values()].flatMap(({ entries }) => entries)).toEqual([]);
});

async function listed(seedNumber: number): Promise<string[]> {
  const { simulator } = await started(memoryHost({ now: noon, seed: seedNumber + 7 }), { seedNumber });
  const requests = [
    `GET /partner/v1/wallet HTTP/1.1\n${groupA}`,
    `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"0560066551200","startDate":"2026-02-01","endDate":"2026-03-31"}`,
    `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n{"amount":5000,"from":"9000112233","to":"9000112244","description":"rent"}`,
    `GET /account/0150387654321/statement?startDate=2026-02-01&endDate=2026-03-31 HTTP/1.1\n${groupB}`,
  ];
  const bodies: string[] = [];
  for (const request of requests) bodies.push((await say(simulator, request)).body);
  return bodies;
}

function accountsOf({ wallets, accounts }: Seed): string[] {
  return [...wallets, ...accounts].map((account) => JSON.stringify({ ...account, opening: 0, entries: [] }));
}

/** Follows a statement from its opening and checks order, balances and that none is below zero. */
function follow(
  rows: readonly JsonObject[],
  opening: Decimal,
  credit: string,
  debit: string,
  balance: string,
): Decimal {
  let current = opening;
  let last = "";
  for (const row of rows) {
    current = current.add(amount(row[credit])).subtract(amount(row[debit]));
    const valueDate = typeof row["valueDate"] === "string" ? row["valueDate"] : "";
    expect(valueDate >= last && current.sign >= 0).toBe(true);
    expect(amount(row[balance]).equals(current)).toBe(true);
    last = valueDate;
  }
  return current;
}

function amount(value: JsonValue | undefined): Decimal {
  return amountOf(value) ?? Decimal.zero;
}

function rowsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
