import { describe, expect, test } from "vitest";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow } from "../statements-served.ts";
import { serveStatements } from "../statements-served.ts";

// A reference belongs to an order by account and kind: a customer's payment and its refund may share one.

const collections = "0560066551200";
const fee = "SERVICE FEE FOR REF:INV-9 TXNID:T1";
const at = (time: string) => `2026-03-31 ${time}`;
const paidIn: WrittenRow = row("INV-9", "10:00:00", "CR", 5000, "Asha");
const paidInFee: WrittenRow = row("INV-9-PAYIN", "10:00:00", "DR", 100, fee);
const paidOut: WrittenRow = row("INV-9", "11:00:00", "DR", 5000, "refund");
const paidBack: WrittenRow = row("FT-1", "11:30:00", "CR", 5000, "Reversal of INV-9");

const collect =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5000 --narration Asha --reference INV-9 --callback-url https://h.example/x";
const withdraw = `withdraw --account ${collections} --amount 5000 --narration refund --reference INV-9`;

function row(
  tranRefNo: string,
  time: string,
  debitOrCredit: "CR" | "DR",
  amount: number,
  narration: string,
): WrittenRow {
  const [amountCredited, amountDebited] = debitOrCredit === "CR" ? [amount, 0] : [0, amount];
  return { tranRefNo, valueDate: at(time), txnDate: at(time), narration, debitOrCredit, amountCredited, amountDebited };
}

/** What `find` says about INV-9 after these orders, with these rows in the statement of an account. */
async function told(orders: readonly string[], rows: readonly WrittenRow[], account = collections) {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  for (const line of orders) expect((await till.run(`${line} --yes --again --check-statement never`)).exit).toBe(0);
  let balance = 10_000;
  const booked = rows.map((each) => {
    const { amountCredited, amountDebited } = Object(each);
    balance += amountCredited - amountDebited;
    return { ...Object(each), balance };
  });
  service.write(account, booked);
  await till.run("ledger sync --start-date 2026-03-30");
  const { stdout } = await till.run("find INV-9 --offline --json");
  const payments: { state: string; sentence: string; events: Record<string, unknown>[] }[] = JSON.parse(stdout);
  return payments.map(({ state, sentence, events }) => ({
    state,
    sentence,
    rows: events
      .filter(({ what }) => ["row", "fee", "taken back"].includes(String(what)))
      .map(({ what, amount, reference }) => `${String(what)} ${String(amount)} ${String(reference)}`),
  }));
}

describe("a collection and a withdrawal under one reference", () => {
  test("are two payments, each with its own rows, and neither is a reversal of the other", async () => {
    const payments = await told([collect, withdraw], [paidIn, paidInFee, paidOut]);
    const [collected, withdrawn] = payments.toSorted((one, other) => (one.sentence < other.sentence ? -1 : 1));
    expect(payments).toHaveLength(2);
    expect(collected).toMatchObject({ state: "pending", rows: ["row 5000 INV-9", "fee -100 INV-9-PAYIN"] });
    expect(collected?.sentence).toContain("Its fee was TZS 100.00.");
    expect(withdrawn).toMatchObject({ state: "accepted", rows: ["row -5000 INV-9"] });
    for (const { sentence } of payments) expect(sentence).not.toMatch(/reversed|no row/);
  });
});

describe("a withdrawal", () => {
  test("of which another amount left names that amount", async () => {
    const [exact] = await told([withdraw], [paidOut]);
    expect(exact?.sentence).not.toContain("In all");
    const [other] = await told([withdraw], [row("INV-9", "11:00:00", "DR", 7001, "refund")]);
    expect(other?.sentence).toContain(`In all, TZS 7,001.00 left ${collections}.`);
  });

  test("is not reversed by a payment that came in earlier under its reference", async () => {
    const [withdrawn, ...others] = await told([withdraw], [paidIn, paidOut]);
    expect(others).toEqual([]);
    expect(withdrawn).toMatchObject({ state: "accepted", rows: ["row 5000 INV-9", "row -5000 INV-9"] });
    expect(withdrawn?.sentence).not.toContain("reversed");
  });

  test("that was taken back is reversed, even if both rows have the same second", async () => {
    const inOneSecond = [{ ...Object(paidBack), valueDate: at("11:00:00"), txnDate: at("11:00:00") }, paidOut];
    for (const rows of [[paidOut, paidBack], inOneSecond]) {
      const [withdrawn, ...others] = await told([withdraw], rows);
      expect(others).toEqual([]);
      expect(withdrawn?.state).toBe("reversed");
      expect(withdrawn?.rows.toSorted()).toEqual(["row -5000 INV-9", "taken back 5000 FT-1"]);
      expect(withdrawn?.sentence).toContain("It was reversed on 2026-03-31.");
    }
  });
});

test("a withdrawal and a transfer of the same amount from one wallet each have their own row", async () => {
  const from = "9000112233";
  const orders = [
    `withdraw --account ${from} --amount 5 --narration rent --reference INV-9`,
    `transfer --from ${from} --to 9000112244 --amount 5 --description rent --reference INV-9`,
  ];
  const rows = [row("INV-9", "11:00:00", "DR", 5, "rent"), row("g7H8i9J0k1L2", "11:30:00", "DR", 5, "rent [INV-9]")];
  const payments = (await told(orders, rows, from)).toSorted((one, other) => (one.sentence < other.sentence ? -1 : 1));
  expect(payments.map((payment) => payment.rows)).toEqual([["row -5 g7H8i9J0k1L2"], ["row -5 INV-9"]]);
  for (const { sentence } of payments) expect(sentence).not.toContain("In all");
});
