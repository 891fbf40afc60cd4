import { afterEach, expect, test } from "vitest";
import { payoutOutcomes } from "../../src/simulator/outcomes.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, noon, say, small, smallWorld, started } from "./small-world.ts";

// Requests, answers and callbacks are written by hand from what is known of the service beyond its specification.

let receiver: Recorder | undefined;
afterEach(() => receiver?.stop());

const ok = answer("200 OK", '{"message":"thanks"}');

const post = (simulator: RunningSimulator, path: string, body = "") =>
  say(simulator, `POST /partner/v1${path} HTTP/1.1\n${groupA}\n\n${body}`);

function payoutBody(changes: Readonly<Record<string, string | number | undefined>> = {}): string {
  return JSON.stringify({
    countryCode: "TZ",
    accountNo: "1042",
    serviceCode: "TZ-TIGO-B2C",
    amount: 25000,
    msisdn: "255712000111",
    narration: "Salary March",
    currencyCode: "TZS",
    recipientNames: "ASHA JUMA",
    transactionRef: "SAL-17",
    transactionDate: "2026-03-31 09:30:00",
    callbackUrl: "http://127.0.0.1:9/payout",
    ...changes,
  });
}

const idIn = (body: string) => /"transactionId":"([A-Za-z0-9]{12})"/.exec(body)?.[1] ?? "none";
const sumOf = (simulator: RunningSimulator) =>
  simulator.world
    .ledger()
    .filter(({ currency }) => currency === "TZS")
    .reduce((sum, { balance }) => sum.add(balance), Decimal.zero);

test("without --extensions every address of the extensions is an unknown route", async () => {
  const simulator = await small();
  for (const path of ["/payment/wallet-to-mobile", "/payment/status", "/collection/status", "/wallet/main-balance"]) {
    const { status, body } = await post(simulator, path, "{}");
    const said = `{"message":"Cannot POST /partner/v1${path}","error":"Not Found","statusCode":404}`;
    expect([path, status, body]).toEqual([path, 404, said]);
  }
});

test("a payout is pending at once, then paid: callback, a row with the service's id, and the fee's row", async () => {
  receiver = await recorder(ok);
  const simulator = await small({ extensions: true });
  const callbackUrl = `${receiver.origin}/payout`;
  const { status, body } = await post(simulator, "/payment/wallet-to-mobile", payoutBody({ callbackUrl }));
  const id = idIn(body);
  expect({ status, body }).toEqual({
    status: 200,
    body: `{"statusCode":"PENDING_ACK","transactionRef":"SAL-17","transactionId":"${id}"}`,
  });
  await simulator.idle();
  expect(receiver.requests.map((request) => request.split("\r\n\r\n")[1])).toEqual([
    `{"statusCode":"PAYMENT_ACCEPTED","transactionId":"${id}","transactionRef":"SAL-17","meta":{}}`,
  ]);
  const days = '{"startDate":"2026-03-31","endDate":"2026-03-31"}';
  const times = '"valueDate":"2026-03-31 12:00:01","txnDate":"2026-03-31 12:00:01"';
  expect((await post(simulator, "/wallet/main-statement", days)).body).toBe(
    `[{"tranRefNo":"${id}",${times},"narration":"Salary March","debitOrCredit":"DR","amountCredited":0,"amountDebited":25000,"balance":2207000.00},` +
      `{"tranRefNo":"SAL-17-PAYOUT",${times},"narration":"SERVICE FEE FOR REF:SAL-17 TXNID:${id} Salary March","debitOrCredit":"DR","amountCredited":0,"amountDebited":250,"balance":2206750.00}]`,
  );
  expect(sumOf(simulator).isZero).toBe(true);
});

test("a payout's callback is tried again after 2 seconds", async () => {
  receiver = await recorder(answer("503 Service Unavailable", ""), ok);
  const host = memoryHost({ now: noon });
  const { simulator } = await started(host, { seed: smallWorld, extensions: true });
  await post(simulator, "/payment/wallet-to-mobile", payoutBody({ callbackUrl: `${receiver.origin}/payout` }));
  await simulator.idle();
  expect(receiver.requests).toHaveLength(2);
  expect(host.clock.sleeps).toEqual([1000, 2000]);
});

test("a status requires both ids of an order and returns its outcome", async () => {
  const simulator = await small({ extensions: true });
  const id = idIn((await post(simulator, "/payment/wallet-to-mobile", payoutBody())).body);
  const ask = (document: object) => post(simulator, "/payment/status", JSON.stringify(document));
  const mine = { transactionId: id, transactionRef: "SAL-17" };
  await simulator.idle();
  expect((await ask(mine)).body).toBe(
    `{"statusCode":"PAYMENT_ACCEPTED","transactionId":"${id}","transactionRef":"SAL-17"}`,
  );
  for (const other of [
    { ...mine, transactionId: "another12345" },
    { ...mine, transactionRef: "SAL-18" },
  ])
    expect(await ask(other)).toMatchObject({
      status: 404,
      body: '{"statusCode":404,"reason":"NOT_FOUND","details":{}}',
    });
  expect((await ask({ transactionRef: "SAL-17" })).status).toBe(400);
});

test("the status of a payout without an outcome is pending", async () => {
  const simulator = await small({ extensions: true });
  const id = idIn((await post(simulator, "/payment/wallet-to-mobile", payoutBody({ msisdn: "255712990003" }))).body);
  const asked = JSON.stringify({ transactionId: id, transactionRef: "SAL-17" });
  expect((await post(simulator, "/payment/status", asked)).body).toBe(
    `{"statusCode":"PENDING_ACK","transactionId":"${id}","transactionRef":"SAL-17"}`,
  );
});

test("a collection also has a status", async () => {
  const simulator = await small({ extensions: true });
  const collection = {
    msisdn: "255712345678",
    channel: "TZ-TIGO-C2B",
    amount: 1500,
    narration: "lunch",
    transactionRef: "INV-1",
    transactionDate: "2026-03-31 11:59:00",
    callbackUrl: "http://127.0.0.1:9/x",
  };
  const id = idIn((await post(simulator, "/collection", JSON.stringify(collection))).body);
  await simulator.idle();
  const asked = JSON.stringify({ transactionId: id, transactionRef: "INV-1" });
  expect((await post(simulator, "/collection/status", asked)).body).toBe(
    `{"statusCode":"PAYMENT_ACCEPTED","transactionId":"${id}","transactionRef":"INV-1"}`,
  );
});

test.for(["", "{}", "[]"])("the balances of the main wallets accept the body %j", async (body) => {
  const simulator = await small({ extensions: true });
  expect((await post(simulator, "/wallet/main-balance", body)).body).toBe(
    '{"availableBalance":2232000.00,"currentBalance":2232000.00,"accountNo":"1042","accountStatus":"ACTIVE","accountName":"Zoë Mwangá"}',
  );
  expect((await post(simulator, "/wallet/collection-balance", body)).body).toBe(
    '{"availableBalance":0,"currentBalance":0,"accountNo":"2001","accountStatus":"ACTIVE","accountName":"Collections"}',
  );
});

test("one wallet has the same fields as in the list, and an unknown number is 404", async () => {
  const simulator = await small({ extensions: true });
  const look = (accountNo: string) => say(simulator, `GET /partner/v1/wallet/${accountNo} HTTP/1.1\n${groupA}`);
  expect((await look("2001")).body).toBe(
    '{"accountNo":"2001","accountName":"Collections","type":"DEFAULT COLLECTION","balance":0,"currency":"TZS","countryCode":"TZ"}',
  );
  expect((await look("9999")).status).toBe(404);
});

test("a payout to a bank works at both addresses, and a reference counts for both", async () => {
  const simulator = await small({ extensions: true });
  const bank = { serviceCode: "TZ-BANK-B2C", msisdn: "CORUTZTZ:0150000111222" };
  const first = await post(simulator, "/payment/bank", payoutBody({ ...bank, transactionRef: "B-1" }));
  expect(first.body).toContain('"statusCode":"PENDING_ACK"');
  const again = await post(simulator, "/payment/wallet-to-mobile", payoutBody({ ...bank, transactionRef: "B-1" }));
  expect(again).toMatchObject({ status: 409, body: '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}' });
});

test("a repeated payout is a duplicate even when the money is used up", async () => {
  const simulator = await small({ extensions: true });
  const send = () => post(simulator, "/payment/wallet-to-mobile", payoutBody({ amount: 2200000 }));
  expect(await send()).toMatchObject({ status: 200 });
  await simulator.idle();
  expect(await send()).toMatchObject({ status: 409, body: '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}' });
});

test("a payout without a callback URL is paid", async () => {
  const simulator = await small({ extensions: true });
  const { status } = await post(simulator, "/payment/wallet-to-mobile", payoutBody({ callbackUrl: undefined }));
  await simulator.idle();
  const { name, balance } = simulator.world.wallet("1042");
  expect([status, name.accountNo, balance.toString()]).toEqual([200, "1042", "2206750.00"]);
});

const refused: readonly (readonly [string, Readonly<Record<string, string | number>>, number])[] = [
  ["a wallet that there is not", { accountNo: "9999" }, 404],
  ["a collection wallet", { accountNo: "2001" }, 400],
  ["another currency than the wallet's", { currencyCode: "KES", countryCode: "KE" }, 400],
  ["more than the wallet holds", { amount: 99_000_000 }, 400],
  ["a bank's account by an operator", { msisdn: "CORUTZTZ:0150000111222" }, 400],
  ["a mobile number by a bank", { serviceCode: "TZ-BANK-B2C" }, 400],
  ["no name", { recipientNames: "" }, 400],
  ["another country than the channel's", { countryCode: "KE" }, 400],
  ["a number of another country than the channel's", { msisdn: "254712000111" }, 400],
  ["another currency than the channel's", { accountNo: "1044", amount: 500, currencyCode: "KES" }, 400],
];

test.for(refused)("a payout with %s is refused and moves nothing", async ([, changes, status]) => {
  const simulator = await small({ extensions: true });
  const answered = await post(simulator, "/payment/wallet-to-mobile", payoutBody(changes));
  await simulator.idle();
  expect([answered.status, simulator.world.wallet("1042").balance.toString()]).toEqual([status, "2232000.00"]);
});

test.for(payoutOutcomes)("$ending: $meaning", async ({ ending, answer: word, callbacks, pays }) => {
  receiver = await recorder(...callbacks.map(() => ok));
  const simulator = await small({ extensions: true });
  const changes = { msisdn: `255712${ending}`, callbackUrl: `${receiver.origin}/payout` };
  const { body } = await post(simulator, "/payment/wallet-to-mobile", payoutBody(changes));
  expect(body).toContain(`"statusCode":"${word}"`);
  await simulator.idle();
  const words = receiver.requests.map((request) => /"statusCode":"(\w+)"/.exec(request)?.[1]);
  expect(words).toEqual(callbacks);
  expect(simulator.world.wallet("1042").balance.toString()).toBe(pays ? "2206750.00" : "2232000.00");
  expect(sumOf(simulator).isZero).toBe(true);
});
