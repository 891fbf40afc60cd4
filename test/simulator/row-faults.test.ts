import { describe, expect, test } from "vitest";
import { parseFault } from "../../src/simulator/fault.ts";
import { readFaults } from "../../src/simulator/faults.ts";
import { numeral } from "../../src/simulator/books/row.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../../src/simulator/world.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { JsonObject } from "../../src/values/json.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, groupB, noon, say, smallWorld, started } from "./small-world.ts";

// What can happen to an order's row: later bookings, rows that resemble it, and false statements.

const dayMs = 86_400_000;
const march = '"startDate":"2026-03-01","endDate":"2027-12-31"';
const orders = {
  transfer: '/transaction/transfer-local {"amount":100,"from":"1042","to":"0043","description":"rent [R-1]"}',
  withdraw:
    '/transaction/withdraw {"amount":100,"accountNo":"1042","transactionDate":"2026-03-31","narration":"out","externalRef":"R-1"}',
  collect:
    '/collection {"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":100,"narration":"lunch","transactionRef":"R-1","transactionDate":"2026-03-31 11:59:00","callbackUrl":"http://127.0.0.1:9/"}',
} as const;
type Kind = keyof typeof orders;

async function open(...faults: readonly string[]) {
  const planned = readFaults(["drop-callback=any", ...faults]);
  const { simulator, host } = await started(memoryHost({ now: noon }), { seed: smallWorld, faults: planned });
  return { simulator, planned, clock: host.clock };
}

async function order(simulator: RunningSimulator, kind: Kind): Promise<number> {
  const [path = "", body = ""] = orders[kind].split(/ (.*)/s);
  const { status } = await say(simulator, `POST /partner/v1${path} HTTP/1.1\n${groupA}\n\n${body}`);
  await simulator.idle();
  return status;
}

/** The rows that a wallet's statement shows of the test: reference, narration and amount. */
async function shown(simulator: RunningSimulator, accountNo: string): Promise<string[]> {
  const body = `{"accountNo":"${accountNo}",${march}}`;
  const answer = await say(simulator, `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n${body}`);
  const rows: ServedRow[] = JSON.parse(answer.body);
  return rows.filter(({ valueDate }) => valueDate > "2026-03-04" || isShifted(valueDate)).map(inWords);
}

const isShifted = (valueDate: string) => valueDate === "2026-03-01 12:00:00";

/** Spec 2.6. */
interface ServedRow {
  readonly tranRefNo: string;
  readonly narration: string;
  readonly debitOrCredit: string;
  readonly amountCredited: number;
  readonly amountDebited: number;
  readonly valueDate: string;
}

function inWords(row: ServedRow): string {
  const { tranRefNo, narration, debitOrCredit, amountCredited, amountDebited, valueDate } = row;
  const name = tranRefNo.replace(/^[A-Za-z0-9]{12}/, "<id>");
  const day = valueDate.slice(0, 10);
  const when = day === "2026-03-31" ? "" : ` ${day}`;
  const words = narration.replace(/(?<=TXNID:).*/, "<id>");
  return `${name} ${words}: ${debitOrCredit} ${amountCredited}/${amountDebited}${when}`;
}

/** The books of each currency add up to zero, whatever was booked. */
function expectBooksToAddUp(world: World): void {
  const sums = new Map<string, Decimal>();
  for (const { currency, balance } of world.ledger())
    sums.set(currency, (sums.get(currency) ?? Decimal.zero).add(balance));
  expect([...sums.values()].filter((sum) => !sum.isZero)).toEqual([]);
  for (const { entries, balance, name } of world.wallets.values())
    expect([name.accountNo, entries.at(-1)?.["balance"] ?? numeral(balance)]).toEqual([
      name.accountNo,
      numeral(balance),
    ]);
}

describe("a reversed row", () => {
  test.for([
    ["same", "<id> rent [R-1]: CR 100/0"],
    ["negative", "<id> rent [R-1]: DR 0/-100"],
    ["named", "<id> Reversal of R-1: CR 100/0"],
    ["REV-{reference}", "REV-R-1 Reversal: CR 100/0"],
    ["{reference} REVERSAL", "R-1 REVERSAL Reversal: CR 100/0"],
    ["{row}/RVSL", "<id>/RVSL Reversal: CR 100/0"],
  ] as const)("of a transfer (%s) appears in both wallets, and the balance is as before", async ([how, back]) => {
    const { simulator } = await open(`reverse-row=${how}`);
    const before = simulator.world.wallet("1042").balance.toString();
    expect(await order(simulator, "transfer")).toBe(200);
    expect(await shown(simulator, "1042")).toEqual(["<id> rent [R-1]: DR 0/100", back]);
    const [, other = ""] = await shown(simulator, "0043");
    expect(other).toBe(
      how === "negative" ? back.replace("DR 0/-100", "CR -100/0") : back.replace("CR 100/0", "DR 0/100"),
    );
    expect(simulator.world.wallet("1042").balance.toString()).toBe(before);
    expectBooksToAddUp(simulator.world);
  });

  test("of a withdrawal is paid back by the main account", async () => {
    const { simulator } = await open("reverse-row=same");
    const before =
      simulator.world
        .ledger()
        .find(({ kind }) => kind === "main account")
        ?.balance.toString() ?? "0";
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/100", "R-1 out: CR 100/0"]);
    expect(
      simulator.world
        .ledger()
        .find(({ kind }) => kind === "main account")
        ?.balance.toString(),
    ).toBe(before);
    expectBooksToAddUp(simulator.world);
  });

  test("of a collection also appears on the merchant account, and the fee stays", async () => {
    const { simulator } = await open("reverse-row=same");
    await order(simulator, "collect");
    expect(await shown(simulator, "2001")).toEqual([
      "R-1 lunch: CR 100/0",
      "R-1-PAYIN SERVICE FEE FOR REF:R-1 TXNID:<id>: DR 0/2",
      "R-1 lunch: DR 0/100",
    ]);
    const path = "/account/015A8XX787600/statement?startDate=2026-03-31&endDate=2026-03-31";
    const { body } = await say(simulator, `GET ${path} HTTP/1.1\n${groupB}`);
    const rows: JsonObject[] = JSON.parse(body).result.statement;
    expect(rows.map(({ reference, creditOrDebit }) => [reference, creditOrDebit])).toEqual([
      ["R-1", "CREDIT"],
      ["R-1", "DEBIT"],
    ]);
    expectBooksToAddUp(simulator.world);
  });

  test("appears only after the given time", async () => {
    const { simulator, clock } = await open("reverse-row=same,2d");
    void order(simulator, "withdraw");
    await expect.poll(() => simulator.world.wallet("1042").entries.length).toBe(5);
    expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(2 * dayMs);
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/100", "R-1 out: CR 100/0 2026-04-02"]);
  });

  test("can be booked again", async () => {
    const { simulator } = await open("rebook-row=negative");
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/100", "R-1 out: DR 0/-100", "R-1 out: DR 0/100"]);
    expectBooksToAddUp(simulator.world);
  });
});

describe("an additional row", () => {
  const looks: Readonly<Record<string, readonly [transfer: string, withdraw: string, collect: string]>> = {
    twin: ["<id> rent [R-1]: DR 0/100", "<id> out: DR 0/100", "<id> lunch: CR 100/0"],
    mention: [
      "<id> Asked about R-1 by phone: DR 0/100",
      "<id> Asked about R-1 by phone: DR 0/100",
      "<id> Asked about R-1 by phone: CR 100/0",
    ],
    longer: ["R-10 rent [R-10]: DR 0/100", "R-10 out R-10: DR 0/100", "R-10 lunch R-10: CR 100/0"],
    amount: ["R-1 rent [R-1]: DR 0/101", "R-1 out: DR 0/101", "R-1 lunch: CR 101/0"],
    side: ["R-1 rent [R-1]: CR 100/0", "R-1 out: CR 100/0", "R-1 lunch: DR 0/100"],
    mark: ["R-1 rent [R-1]: CR 0/100", "R-1 out: CR 0/100", "R-1 lunch: DR 100/0"],
    fee: [
      "R-1-PAYOUT SERVICE FEE FOR REF:R-1 TXNID:<id>: DR 0/100",
      "R-1-PAYOUT SERVICE FEE FOR REF:R-1 TXNID:<id>: DR 0/100",
      "R-1-PAYIN SERVICE FEE FOR REF:R-1 TXNID:<id>: CR 100/0",
    ],
    "last-month": [
      "R-1 rent [R-1]: DR 0/100 2026-03-01",
      "R-1 out: DR 0/100 2026-03-01",
      "R-1 lunch: CR 100/0 2026-03-01",
    ],
    "next-year": [
      "R-1 rent [R-1]: DR 0/100 2027-03-31",
      "R-1 out: DR 0/100 2027-03-31",
      "R-1 lunch: CR 100/0 2027-03-31",
    ],
  };
  const cases = Object.entries(looks).flatMap(([how, rows]) =>
    (["transfer", "withdraw", "collect"] as const).map((kind, index) => [how, kind, rows[index] ?? ""] as const),
  );

  test.for(cases)("of the form %s for a %s is booked even if the order fails", async ([how, kind, row]) => {
    const { simulator } = await open(`look-alike=${how}`, "fail-request");
    expect(await order(simulator, kind)).toBe(500);
    expect(await shown(simulator, kind === "collect" ? "2001" : "1042")).toEqual([row]);
    expectBooksToAddUp(simulator.world);
  });

  test("is booked beside the row of a successful order", async () => {
    const { simulator } = await open("look-alike=twin");
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/100", "<id> out: DR 0/100"]);
  });

  test("can be booked directly by a test", async () => {
    const { simulator } = await open();
    const amount = Decimal.parse("7.50") ?? Decimal.zero;
    simulator.world.book("1042", { amount, reference: "X", narration: "gift", atMs: noon, mark: "DR" });
    expect(await shown(simulator, "1042")).toEqual(["X gift: DR 7.5/0"]);
    expectBooksToAddUp(simulator.world);
  });

  test("can replace the rows of two orders", async () => {
    const { simulator } = await open("merge-row=withdraw:2");
    await order(simulator, "withdraw");
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/200"]);
    expectBooksToAddUp(simulator.world);
  });
});

describe("a false statement", () => {
  const paid = "R-1 out: DR 0/100";
  const lies: readonly (readonly [fault: string, rows: readonly string[]])[] = [
    ["lose-row", []],
    ["double-row", [paid, paid]],
    ["wrong-row", ["R-1 out: DR 0/101"]],
    ["late-row=1h", []],
    ["lose-row=transfer", [paid]],
    ["lose-row=withdraw:2", [paid]],
    ["empty-statement", []],
    ["double-statement=wallet-statement", [paid, paid]],
    ["wrong-statement", ["R-1 out: DR 0/101"]],
    ["short-statement=3", []],
    ["short-statement=4", [paid]],
    ["empty-statement=account-statement", [paid]],
  ];

  test.for(lies)("with %s shows %j, while the books stay right", async ([fault, rows]) => {
    const { simulator, planned } = await open(fault);
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual(rows);
    expectBooksToAddUp(simulator.world);
    planned.clear();
    expect(await shown(simulator, "1042")).toEqual([paid]);
  });

  test("shows a late row after its delay", async () => {
    const { simulator, clock } = await open("late-row=1h");
    await order(simulator, "withdraw");
    clock.advance(3_599_000);
    expect(await shown(simulator, "1042")).toEqual([]);
    clock.advance(1000);
    expect(await shown(simulator, "1042")).toEqual([paid]);
  });

  test("can show the last row first", async () => {
    const { simulator } = await open("reorder-statement");
    await order(simulator, "withdraw");
    expect(await order(simulator, "transfer")).toBe(200);
    expect(await shown(simulator, "1042")).toEqual(["<id> rent [R-1]: DR 0/100", paid]);
  });

  test("is right again when its fault is ended", async () => {
    const { simulator, planned } = await open();
    const end = planned.add(parseFault("lose-row", "--fault"));
    await order(simulator, "withdraw");
    expect(await shown(simulator, "1042")).toEqual([]);
    end();
    expect(await shown(simulator, "1042")).toEqual([paid]);
  });
});

describe("an answer held back by a test", () => {
  test.for(["wallet-statement", "list-wallets"] as const)("%s", async (endpoint) => {
    const { simulator, planned } = await open();
    const held = planned.hold(endpoint);
    let isAnswered = false;
    const asked = (
      endpoint === "list-wallets"
        ? say(simulator, `GET /partner/v1/wallet HTTP/1.1\n${groupA}`)
        : shown(simulator, "1042")
    ).finally(() => (isAnswered = true));
    await held.reached;
    expect(isAnswered).toBe(false);
    held.release();
    await asked;
  });

  test("belongs to an order that is already booked", async () => {
    const { simulator, planned } = await open();
    const held = planned.hold("withdraw");
    const ordered = order(simulator, "withdraw");
    await held.reached;
    expect(await shown(simulator, "1042")).toEqual(["R-1 out: DR 0/100"]);
    planned.clear();
    expect(await ordered).toBe(200);
  });
});
