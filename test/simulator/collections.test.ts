import { afterEach, expect, test } from "vitest";
import { collectionOutcomes } from "../../src/simulator/outcomes.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, groupB, noon, say, small, smallWorld, started } from "./small-world.ts";

// Requests, answers and callbacks are written by hand from the specification, sections 2.8, 3, 4.5 and 6.1.

let receiver: Recorder | undefined;
afterEach(() => receiver?.stop());

const ok = answer("200 OK", '{"message":"thanks"}');

function collect(simulator: RunningSimulator, callbackUrl: string, msisdn = "255712345678", reference = "INV-1") {
  return say(
    simulator,
    `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n` +
      `{"msisdn":"${msisdn}","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"${reference}","transactionDate":"2026-03-31 11:59:00","callbackUrl":"${callbackUrl}"}`,
  );
}

const idIn = (body: string) => /"transactionId":"([A-Za-z0-9]{12})"/.exec(body)?.[1] ?? "none";
const bodyOf = (request: string | undefined) => request?.split("\r\n\r\n")[1];

test("a collection is pending at once, then paid: callback, wallet rows with the fee, and the merchant's credit", async () => {
  receiver = await recorder(ok);
  const simulator = await small();
  const { status, body } = await collect(simulator, `${receiver.origin}/hook?key=1`);
  const id = idIn(body);
  expect({ status, body }).toEqual({
    status: 200,
    body: `{"statusCode":"PENDING_ACK","transactionRef":"INV-1","transactionId":"${id}"}`,
  });
  await simulator.idle();
  const [callback] = receiver.requests;
  expect(callback).toMatch(/^POST \/hook\?key=1 HTTP\/1\.1\r\n/);
  expect(callback).toMatch(/\r\ncontent-type: application\/json\r\n/);
  expect(callback).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  expect(bodyOf(callback)).toBe(
    `{"statusCode":"PAYMENT_ACCEPTED","transactionId":"${id}","transactionRef":"INV-1","meta":{}}`,
  );
  const days = '"startDate":"2026-03-31","endDate":"2026-03-31"';
  const times = '"valueDate":"2026-03-31 12:00:01","txnDate":"2026-03-31 11:59:00"';
  const rows = await say(
    simulator,
    `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"2001",${days}}`,
  );
  expect(rows.body).toBe(
    `[{"tranRefNo":"INV-1",${times},"narration":"lunch","debitOrCredit":"CR","amountCredited":1500,"amountDebited":0,"balance":1500},` +
      `{"tranRefNo":"INV-1-PAYIN",${times},"narration":"SERVICE FEE FOR REF:INV-1 TXNID:${id}","debitOrCredit":"DR","amountCredited":0,"amountDebited":30,"balance":1470}]`,
  );
  const query = "startDate=2026-03-31&endDate=2026-03-31";
  const merchant = await say(simulator, `GET /account/015A8XX787600/statement?${query} HTTP/1.1\n${groupB}`);
  const uuid = /"transactionId":"([0-9a-f-]{36})"/.exec(merchant.body)?.[1];
  const moment = "2026-03-31T12:00:01+03:00";
  expect(merchant.body).toContain(
    `"statement":[{"transactionId":"${uuid}","reference":"INV-1","paymentReference":"${id}","creditOrDebit":"CREDIT","transactionDate":"${moment}","valueDate":"${moment}","narration":"lunch","description":"lunch","currency":"TZS","amountCredit":1500,"amountDebit":0,"availableBalance":151500.00,"currentBalance":151500.00,"senderAccountNo":"255712345678","senderAccountName":null,"senderBankIdentifier":null}]`,
  );
});

test("listeners of a merchant account receive each credit", async () => {
  receiver = await recorder(ok);
  const simulator = await small();
  const seen: unknown[] = [];
  simulator.world.onMerchantEntry(({ name }, entry) => seen.push([name.accountNo, entry["reference"]]));
  await collect(simulator, receiver.origin);
  await simulator.idle();
  expect(seen).toEqual([["015A8XX787600", "INV-1"]]);
});

test.for(collectionOutcomes)("a number that ends in $ending: $meaning", async (outcome) => {
  receiver = await recorder(ok);
  const simulator = await small();
  const { status, body } = await collect(simulator, receiver.origin, `255710${outcome.ending}`);
  const id = idIn(body);
  expect({ status, body }).toEqual({
    status: 200,
    body: `{"statusCode":"${outcome.answer}","transactionRef":"INV-1","transactionId":"${id}"}`,
  });
  await simulator.idle();
  expect(receiver.requests.map(bodyOf)).toEqual(
    outcome.callbacks.map(
      (word) => `{"statusCode":"${word}","transactionId":"${id}","transactionRef":"INV-1","meta":{}}`,
    ),
  );
  expect(simulator.world.wallet("2001").balance.toString()).toBe(outcome.collects ? "1470" : "0");
  expect(simulator.world.account("015A8XX787600").balance.toString()).toBe(
    outcome.collects ? "151500.00" : "150000.00",
  );
});

test("a known reference is answered with 409 and moves nothing more", async () => {
  receiver = await recorder(ok);
  const simulator = await small();
  await collect(simulator, receiver.origin);
  const { status, body } = await collect(simulator, receiver.origin, "255688000000");
  expect({ status, body }).toEqual({ status: 409, body: '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}' });
  await simulator.idle();
  expect(simulator.world.wallet("2001").balance).toEqual(Decimal.parse("1470"));
});

test("a reference refused at once can be used again", async () => {
  receiver = await recorder(ok);
  const simulator = await small();
  await collect(simulator, receiver.origin, "255710990006");
  expect(await collect(simulator, receiver.origin)).toMatchObject({
    status: 200,
    body: expect.stringContaining("PENDING_ACK"),
  });
});

test("without a default collection wallet in TZS every collection is rejected", async () => {
  const simulator = await small();
  simulator.world.wallets.delete("2001");
  expect(await collect(simulator, "http://127.0.0.1:9/")).toMatchObject({
    status: 200,
    body: expect.stringContaining('{"statusCode":"PAYMENT_REJECTED"'),
  });
});

const callbackUrlMessage = '"callbackUrl" must be an https URL (http is only for this machine)';

test.for([
  ["msisdn", '"255712345678"', '"0712345678"', '"msisdn" must be 255 and nine digits, such as 255712345678'],
  ["msisdn", '"255712345678"', '"254712345678"', '"msisdn" must be 255 and nine digits for TZ-TIGO-C2B'],
  ["msisdn", '"TZ-TIGO-C2B"', '"KE-SAFARICOM-C2B"', '"msisdn" must be 254 and nine digits for KE-SAFARICOM-C2B'],
  ["transactionDate", "2026-03-31 11", "2026-02-30 11", '"transactionDate" must be a day that exists'],
  [
    "transactionDate",
    "2026-03-31 11:59:00",
    "31/03/2026 11:59",
    '"transactionDate" must be a time, YYYY-MM-DD HH:mm:ss',
  ],
  ["callbackUrl", '"https://partner.test/hook"', '"partner.test/hook"', callbackUrlMessage],
  ["callbackUrl", "https://partner.test/hook", "http://partner.test/hook", callbackUrlMessage],
  ["amount", "1500", "0.00", '"amount" must be an amount above zero'],
  ["narration", '"lunch"', '""', '"narration" is not allowed to be empty'],
  ["reference", '"narration"', '"reference":"R","narration"', '"reference" is not allowed'],
] as const)("spec 4.5, 7.1: a wrong %s is a validation error", async ([field, right, wrong, message]) => {
  const simulator = await small();
  const body =
    '{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"INV-1","transactionDate":"2026-03-31 11:59:00","callbackUrl":"https://partner.test/hook"}';
  const answer = await say(
    simulator,
    `POST /partner/v1/collection HTTP/1.1\n${groupA}\n\n${body.replace(right, wrong)}`,
  );
  const details = JSON.stringify({ [field]: message });
  expect(answer).toMatchObject({
    status: 400,
    body: `{"statusCode":400,"reason":"VALIDATION_ERROR","details":${details},"message":${JSON.stringify(details)}}`,
  });
});

test("a callback that the receiver cannot take is tried again after 2, 4 and 8 seconds", async () => {
  receiver = await recorder(
    answer("503 Service Unavailable", ""),
    answer("408 Request Timeout", ""),
    answer("429 Too Many Requests", ""),
    ok,
  );
  const host = memoryHost({ now: noon });
  const { simulator } = await started(host, { seed: smallWorld });
  await collect(simulator, receiver.origin);
  await simulator.idle();
  expect(receiver.requests).toHaveLength(4);
  expect(new Set(receiver.requests.map(bodyOf)).size).toBe(1);
  expect(host.clock.sleeps).toEqual([1000, 2000, 4000, 8000]);
});

test.for(["400 Bad Request", "404 Not Found", "307 Temporary Redirect"])(
  "a callback that is answered %s is not tried again",
  async (status) => {
    receiver = await recorder(answer(status, "", "location: /elsewhere\r\n"), ok);
    const simulator = await small();
    await collect(simulator, receiver.origin);
    await simulator.idle();
    expect(receiver.requests).toHaveLength(1);
  },
);
