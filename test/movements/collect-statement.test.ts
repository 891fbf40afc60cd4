import { afterEach, expect, test } from "vitest";
import { Reader } from "../../src/client/reader.ts";
import type { Movement, MovementKind } from "../../src/journal/movement.ts";
import { theRow } from "../../src/movements/statement-evidence.ts";
import { findRows, nameRow } from "../../src/movements/statement-search.ts";
import { Day } from "../../src/values/day.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";

// Statements are typed by hand from the specification, section 2.6.

let service: Recorder | undefined;
afterEach(() => service?.stop());

/** 2026-03-31 22:30 in UTC is the first of April in Dar es Salaam. */
const openedAt = Date.UTC(2026, 2, 31, 22, 30);
const muchLater = Day.parse("2026-12-31") ?? new Day(0);

const requests: Readonly<Record<MovementKind, string>> = {
  transfer: '{"amount":5000.00,"from":"1042","to":"1043","description":"rent [R-1]"}',
  withdraw:
    '{"amount":5000.00,"accountNo":"1042","transactionDate":"2026-04-01","narration":"out","externalRef":"R-1"}',
  collect: '{"msisdn":"255712345678","amount":5000,"narration":"lunch","transactionRef":"R-1"}',
  remit:
    '{"partnerReference":"R-1","senderCurrency":"USD","senderAmount":2.00,"receiverCurrency":"TZS","receiverAmount":5000}',
};

function movementOf(kind: MovementKind, changes: Partial<Movement> = {}): Movement {
  return {
    id: "9fdd3dfd-b766-4dad-b3ec-b1ebd5ef1d0a",
    scope: "simulator http://127.0.0.1:8080 A",
    kind,
    reference: "R-1",
    state: "unknown",
    profile: null,
    request: requests[kind],
    requestHash: "",
    response: null,
    evidence: null,
    note: null,
    requestIds: [],
    transactionId: null,
    openedAt,
    changedAt: openedAt,
    settledAt: null,
    who: { user: "u", host: "h", version: "1" },
    batch: null,
    ...changes,
  };
}

function row(tranRefNo: string, narration: string, amount: string): string {
  const [credit, debit] = amount.startsWith("-") ? ["0", amount.slice(1)] : [amount, '""'];
  return `{"tranRefNo":"${tranRefNo}","valueDate":"2026-04-01 01:30:00","txnDate":"2026-04-01 01:30:00","narration":"${narration}","debitOrCredit":"X","amountCredited":${credit},"amountDebited":${debit},"balance":1}`;
}

async function find(movement: Movement, bodies: readonly string[], today = muchLater) {
  service = await recorder(...bodies.map((body) => answer("200 OK", body)));
  const { origin } = service;
  const host = memoryHost();
  const reader = new Reader(host, {
    service: {
      live: true,
      address: (_group, target) => origin + target,
      credentials: async () => ({ group: "A", accountId: "a", secretKey: "c2VjcmV0" }),
    },
    transport: await host.transport({}),
    timeoutMs: 10_000,
    retries: 0,
  });
  const found = await findRows(movement, reader, today, async (tranRefNo) => tranRefNo === "OTHERS");
  await reader.close();
  return { found, asked: service.requests.map((request) => request.split("\r\n\r\n")[1] ?? "") };
}

const cases: readonly (readonly [
  kind: MovementKind,
  tranRefNo: string,
  narration: string,
  amount: string,
  is: string,
])[] = [
  ["transfer", "BANK12", "rent [R-1]", "-5000", "proof"],
  ["transfer", "BANK12", "rent [R-1]", "-5000.00", "proof"],
  ["transfer", "BANK12", "rent [R-1]", "-5000.01", "carries it"],
  ["transfer", "BANK12", "rent [R-1]", "5000", "carries it"],
  ["transfer", "BANK12", "rent [R-12]", "-5000", "nothing"],
  ["transfer", "BANK12", "rent [R-1] again", "-5000", "nothing"],
  ["transfer", "R-1", "rent", "-5000", "nothing"],
  ["withdraw", "R-1", "out", "-5000", "proof"],
  ["withdraw", "BANK12", "out, ref R-1.", "-5000", "proof"],
  ["withdraw", "BANK12", "out R-12", "-5000", "nothing"],
  // Another order's row, and how a transfer of the same reference is narrated.
  ["withdraw", "OTHERS", "instead of R-1", "-5000", "nothing"],
  ["withdraw", "BANK12", "out [R-1]", "-5000", "nothing"],
  ["withdraw", "BANK12", "R-1 [R-2]", "-5000", "nothing"],
  ["withdraw", "BANK12", "out [R-1], booked", "-5000", "proof"],
  ["withdraw", "BANK12", "out XR-1", "-5000", "nothing"],
  ["withdraw", "R-1", "out", "-4999", "carries it"],
  ["withdraw", "r-1", "out", "-5000", "nothing"],
  ["collect", "R-1", "lunch", "5000", "proof"],
  ["collect", "a1B2c3D4e5F6", "lunch", "5000", "proof"],
  ["collect", "BANK12", "lunch R-1", "5000", "nothing"],
  ["collect", "R-1", "lunch", "-5000", "carries it"],
  ["collect", "R-1-PAYIN", "SERVICE FEE FOR REF:R-1 TXNID:a1B2c3D4e5F6", "-100", "nothing"],
  ["remit", "R-1", "school", "-5000", "proof"],
  ["remit", "BANK12", "school R-1", "-5000", "proof"],
  ["remit", "R-1", "school", "-2.00", "carries it"],
];

test.each(cases)("%s: a row %s, %s, of %s is %s", async (kind, tranRefNo, narration, amount, is) => {
  const wallets =
    '[{"accountNo":"1042","type":"DEFAULT COLLECTION","currency":"TZS"},{"accountNo":"1043","type":"DISBURSEMENT","currency":"TZS"}]';
  const listed = kind === "collect" || kind === "remit" ? [wallets] : [];
  const movement = movementOf(kind, { transactionId: kind === "collect" ? "a1B2c3D4e5F6" : null });
  const other = row("SOMETHING", "else", amount);
  const { found } = await find(movement, [...listed, `[${other},${row(tranRefNo, narration, amount)},${other}]`]);
  expect(theRow(found) === undefined ? (found.length > 0 ? "carries it" : "nothing") : "proof").toBe(is);
});

test("two rows that carry the reference prove nothing, fee rows join the first and count for nothing", async () => {
  const paid = row("R-1", "lunch", "5000");
  const fee = row("R-1-PAYIN", "SERVICE FEE FOR REF:R-1 TXNID:1", "-100");
  const wallets = '[{"accountNo":"1042","type":"COLLECTION"}]';
  const once = await find(movementOf("collect"), [wallets, `[${fee},${paid}]`]);
  expect(once.found).toMatchObject([{ accountNo: "1042", agrees: true, fees: [{ tranRefNo: "R-1-PAYIN" }] }]);
  expect(theRow(once.found)).toBe(once.found[0]);
  expect(once.found.map(nameRow)).toEqual(["row R-1 of 1042, 2026-04-01 01:30:00"]);
  await service?.stop();
  const twice = await find(movementOf("collect"), [wallets, `[${paid},${fee},${row("R-1", "back", "-5000")}]`]);
  expect(twice.found.map(({ agrees }) => agrees)).toEqual([true, false]);
  expect(theRow(twice.found)).toBeUndefined();
});

test("a collection is looked for in every collection wallet, also one without a type, a transfer where it was paid from", async () => {
  const wallets =
    '[{"accountNo":"1","type":"DEFAULT DISBURSEMENT"},{"accountNo":"2","type":"DEFAULT COLLECTION"},{"accountNo":"3"},{"accountNo":"4","type":"COLLECTION"},{"type":"COLLECTION"}]';
  const days = '"startDate":"2026-03-31","endDate":"2026-04-03"';
  const { asked } = await find(movementOf("collect"), [wallets, "[]"]);
  expect(asked).toEqual(["", ...["2", "3", "4"].map((accountNo) => `{"accountNo":"${accountNo}",${days}}`)]);
  await service?.stop();
  const transfer = await find(movementOf("transfer"), ["[]"]);
  expect(transfer.asked).toEqual([`{"accountNo":"1042",${days}}`]);
});

test.each([
  ["2026-04-01", "2026-03-31", "2026-04-01"],
  ["2026-04-02", "2026-03-31", "2026-04-02"],
  ["2026-04-03", "2026-03-31", "2026-04-03"],
  ["2026-04-09", "2026-03-31", "2026-04-03"],
  ["2026-03-30", "2026-03-30", "2026-03-30"],
])("on %s the days from %s to %s are read", async (today, startDate, endDate) => {
  const { asked } = await find(movementOf("withdraw"), ["[]"], Day.parse(today));
  expect(asked).toEqual([`{"accountNo":"1042","startDate":"${startDate}","endDate":"${endDate}"}`]);
});

test("an accepted transfer is found by the service's own reference, where its answer named one", async () => {
  const response = '{"transactionId":"a1B2c3D4e5F6","transactionRef":"g7H8i9J0k1L2"}';
  const { found } = await find(movementOf("transfer", { response }), [`[${row("g7H8i9J0k1L2", "rent", "-5000")}]`]);
  expect(theRow(found)).toBeDefined();
});

test("a remittance from a wallet of the sender's currency is known by the sender's amount", async () => {
  const wallets = '[{"accountNo":"7","type":"DISBURSEMENT","currency":"USD"}]';
  const { found } = await find(movementOf("remit"), [wallets, `[${row("R-1", "school", "-2")}]`]);
  expect(theRow(found)).toBeDefined();
});

test("a row whose amounts are none proves nothing", async () => {
  const odd = row("R-1", "out", "-5000").replace('"amountCredited":0', '"amountCredited":"none"');
  const { found } = await find(movementOf("withdraw"), [`[${odd}]`]);
  expect(found).toMatchObject([{ agrees: false, amount: undefined }]);
});
