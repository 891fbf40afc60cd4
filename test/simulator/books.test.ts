import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../../src/contract/collection.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { transfer, withdraw } from "../../src/contract/wallets.ts";
import { settleCollection } from "../../src/simulator/rules/collection-rules.ts";
import { demoSeed } from "../../src/simulator/demo/demo.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import { Faults } from "../../src/simulator/faults.ts";
import type { RuleContext } from "../../src/simulator/rules/rule.ts";
import { unchangedRows } from "../../src/simulator/books/row.ts";
import { rules } from "../../src/simulator/rules/rules.ts";
import { World } from "../../src/simulator/world.ts";
import { amountOf } from "../../src/values/money/amount.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { JsonObject } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { noon } from "./small-world.ts";

const seed = demoSeed(1, noon);
const wallets = fc.constantFrom(...seed.wallets.map(({ accountNo }) => accountNo), "unknown");
const amounts = fc
  .oneof(fc.integer({ min: 0, max: 90_000_000 }).map(String), fc.constantFrom("0.01", "12.5", "9007199254740993.00"))
  .map((text) => new Numeral(text));

const order = fc.oneof(
  fc
    .record({ from: wallets, to: wallets, amount: amounts })
    .map((fields) => ({ endpoint: transfer as Endpoint, input: { ...fields, description: "x" } })),
  fc.record({ accountNo: wallets, amount: amounts }).map((fields) => ({
    endpoint: withdraw as Endpoint,
    input: { ...fields, transactionDate: "2026-03-31", narration: "x", externalRef: "W" },
  })),
  fc
    .record({
      amount: amounts,
      transactionRef: fc.constantFrom("A", "B", "C"),
      ending: fc.integer({ min: 0, max: 11 }),
    })
    .map(({ ending, ...fields }) => ({
      endpoint: collect as Endpoint,
      input: {
        ...fields,
        msisdn: `2557109900${ending.toString().padStart(2, "0")}`,
        channel: "TZ-TIGO-C2B",
        narration: "x",
        transactionDate: "2026-03-31 12:00:00",
        callbackUrl: "http://127.0.0.1:9/",
      },
    })),
);

test("no sequence of requests creates or loses money, and a refusal moves none", () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 30 }), (orders) => {
      const world = new World(seed, 1);
      const scene: RuleContext = {
        world,
        nowMs: noon,
        callbackDelayMs: 0,
        later: (chore) => settle(chore, scene),
        served: () => unchangedRows,
      };
      for (const { endpoint, input } of orders) {
        const before = balances(world);
        const status = rules.get(endpoint)?.answer(input, scene).status ?? 0;
        expect(status < 300 || balances(world) === before).toBe(true);
        expect(sumsOf(world)).toEqual(new Set(["0"]));
      }
      for (const { opening, entries, balance, name } of world.wallets.values()) {
        expect(sumOf(opening, entries).equals(balance)).toBe(true);
        expect([name.accountNo, balance.sign]).not.toEqual([name.accountNo, -1]);
      }
    }),
    { numRuns: 100 },
  );
});

const rowFaults = fc.constantFrom(
  "reverse-row=same",
  "reverse-row=negative",
  "reverse-row=REV-{reference},2d",
  "rebook-row=named",
  "rebook-row=negative,1h",
  "merge-row",
  "lose-row",
  "double-row",
  "wrong-row",
  "late-row=1h",
);

test("no fault in rows creates or loses money, and each order is booked once or not at all", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(order, rowFaults), { maxLength: 20 }), (orders) => {
      const world = new World(seed, 1);
      const faults = new Faults();
      const scene: RuleContext = {
        world,
        nowMs: noon,
        callbackDelayMs: 0,
        later: (chore) => settle(chore, scene),
        served: (statement) => faults.served(statement, noon),
      };
      world.onBooking((booking, rows) => faults.booked(booking, rows, scene));
      for (const [{ endpoint, input }, typed] of orders) {
        const end = faults.add(parseFault(typed, "--fault"));
        rules.get(endpoint)?.answer(input, scene);
        end();
        expect(sumsOf(world)).toEqual(new Set(["0"]));
      }
      for (const { opening, entries, balance } of world.wallets.values())
        expect(sumOf(opening, entries).equals(balance)).toBe(true);
      expect([...world.bookings.values()].filter((times) => times !== 0 && times !== 1)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

function settle(chore: Parameters<RuleContext["later"]>[0], scene: RuleContext): void {
  if (chore.kind === "settle") settleCollection(chore.transactionRef, scene);
  if (chore.kind === "rebook") scene.world.bookAgain(chore.booking, chore.way, chore.look, chore.atMs);
}

/** The balance of an account after these rows. */
function sumOf(opening: Numeral, entries: readonly JsonObject[]): Decimal {
  return entries.reduce(
    (sum, row) => sum.add(amountIn(row["amountCredited"])).subtract(amountIn(row["amountDebited"])),
    amountIn(opening),
  );
}

function balances(world: World): string {
  return JSON.stringify(world.ledger());
}

/** The sum of all lines of the books for each currency. */
function sumsOf(world: World): Set<string> {
  const sums = new Map<string, Decimal>();
  for (const { currency, balance } of world.ledger()) {
    sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(balance));
  }
  return new Set(Array.from(sums.values(), (sum) => new Decimal(sum.units, 0).toString()));
}

function amountIn(value: Parameters<typeof amountOf>[0]): Decimal {
  return amountOf(value) ?? Decimal.zero;
}
