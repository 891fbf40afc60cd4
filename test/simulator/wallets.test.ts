import { expect, test } from "vitest";
import { Decimal } from "../../src/values/money/decimal.ts";
import { groupA, say, small } from "./small-world.ts";

// Requests and expected bodies are written by hand from the specification, sections 2.4 to 2.9 and 4.6 to 4.10.

const json = "application/json; charset=utf-8";

test("spec 4.9: the list of wallets has every wallet with its fields in order and its exact balance", async () => {
  const simulator = await small();
  expect(await say(simulator, `GET /partner/v1/wallet HTTP/1.1\n${groupA}`)).toEqual({
    status: 200,
    type: json,
    body:
      '[{"accountNo":"1042","accountName":"Zoë Mwangá","type":"DEFAULT DISBURSEMENT","balance":2232000.00,"currency":"TZS","countryCode":"TZ"},' +
      '{"accountNo":"0043","accountName":"Salaries","type":"DISBURSEMENT","balance":12345678901234567.10,"currency":"TZS","countryCode":"TZ"},' +
      '{"accountNo":"1044","accountName":"Nairobi","type":"DISBURSEMENT","balance":700,"currency":"KES","countryCode":"KE"},' +
      '{"accountNo":"2001","accountName":"Collections","type":"DEFAULT COLLECTION","balance":0,"currency":"TZS","countryCode":"TZ"}]',
  });
});

test("spec 4.8: a wallet's balance", async () => {
  const simulator = await small();
  const request = `POST /partner/v1/wallet/balance HTTP/1.1\n${groupA}\n\n{"accountNo":"0043"}`;
  expect(await say(simulator, request)).toEqual({
    status: 200,
    type: json,
    body: '{"availableBalance":12345678901234567.10,"currentBalance":12345678901234567.10,"accountStatus":"ACTIVE","accountNo":"0043","accountName":"Salaries","type":"DISBURSEMENT","currencyCode":"TZS","countryCode":"TZ"}',
  });
});

const statement = (startDate: string, endDate: string) =>
  `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n{"accountNo":"1042","startDate":"${startDate}","endDate":"${endDate}"}`;
const first = String.raw`{"tranRefNo":"-X50jcLD-U","valueDate":"2026-03-01 00:00:00","txnDate":"2026-02-11 08:00:00","narration":"=1+1, \"quoted\"","debitOrCredit":"CR","amountCredited":282745.15,"amountDebited":"","balance":2232745.15}`;
const second =
  '{"tranRefNo":"AbCdEfGhIjKl","valueDate":"2026-03-02 23:59:59","txnDate":"2026-03-02 23:59:59","narration":"rent","debitOrCredit":"DR","amountCredited":0,"amountDebited":745,"balance":2232000.15,"cbaRefNo":null,"meta":{}}';
const third =
  '{"tranRefNo":"AbCdEfGhIjKl-PAYOUT","valueDate":"2026-03-03 00:00:00","txnDate":"2026-03-03 00:00:00","narration":"SERVICE FEE FOR REF:AbCdEfGhIjKl TXNID:1","debitOrCredit":"DR","amountCredited":0,"amountDebited":0.15,"balance":2232000.00}';

test.for([
  ["2026-03-01", "2026-03-02", [first, second]],
  ["2026-03-02", "2026-03-02", [second]],
  ["2026-03-02", "2026-03-03", [second, third]],
  ["2026-03-04", "2026-12-31", []],
  ["2026-02-01", "2026-02-28", []],
] as const)(
  "spec 4.6, 8: a statement from %s to %s includes both days and the rows unchanged",
  async ([from, to, rows]) => {
    const simulator = await small();
    const { status, body } = await say(simulator, statement(from, to));
    expect({ status, body }).toEqual({ status: 200, body: `[${rows.join(",")}]` });
  },
);

const transfer = (body: string) => `POST /partner/v1/transaction/transfer-local HTTP/1.1\n${groupA}\n\n${body}`;
const rent = '{"amount":5000,"from":"1042","to":"0043","description":"rent, March [R-1]"}';

test("spec 4.7: a transfer moves the money and appears in both statements", async () => {
  const simulator = await small();
  const { status, body } = await say(simulator, transfer(rent));
  const [, id, ref] = /"transactionId":"([A-Za-z0-9]{12})".*"transactionRef":"([A-Za-z0-9]{12})"/.exec(body) ?? [];
  expect({ status, body }).toEqual({
    status: 200,
    body: `{"transactionId":"${id}","from":"1042","to":"0043","transactionDate":"2026-03-31T12:00:00+03:00","narration":"rent, March [R-1]","amount":5000,"transactionRef":"${ref}"}`,
  });
  const today = '"startDate":"2026-03-31","endDate":"2026-03-31"';
  const path = `POST /partner/v1/wallet/statement HTTP/1.1\n${groupA}\n\n`;
  const row = `"tranRefNo":"${ref}","valueDate":"2026-03-31 12:00:00","txnDate":"2026-03-31 12:00:00","narration":"rent, March [R-1]"`;
  expect((await say(simulator, `${path}{"accountNo":"1042",${today}}`)).body).toBe(
    `[{${row},"debitOrCredit":"DR","amountCredited":0,"amountDebited":5000,"balance":2227000.00}]`,
  );
  expect((await say(simulator, `${path}{"accountNo":"0043",${today}}`)).body).toBe(
    `[{${row},"debitOrCredit":"CR","amountCredited":5000,"amountDebited":0,"balance":12345678901239567.10}]`,
  );
});

test("the service does not detect repeats: a transfer sent twice moves money twice", async () => {
  const simulator = await small();
  const bodies = [await say(simulator, transfer(rent)), await say(simulator, transfer(rent))].map(({ body }) => body);
  expect(bodies[0]).not.toBe(bodies[1]);
  expect(simulator.world.wallet("1042").balance).toEqual(Decimal.parse("2222000.00"));
});

test.for([
  [
    "from a collection wallet",
    '{"amount":1,"from":"2001","to":"1042","description":"x"}',
    "from",
    '"from" must be a disbursement wallet',
  ],
  [
    "to a collection wallet",
    '{"amount":1,"from":"1042","to":"2001","description":"x"}',
    "to",
    '"to" must be a disbursement wallet',
  ],
  [
    "to another currency",
    '{"amount":1,"from":"1042","to":"1044","description":"x"}',
    "to",
    '"to" must be a wallet of TZS',
  ],
  [
    "to itself",
    '{"amount":1,"from":"1042","to":"1042","description":"x"}',
    "to",
    '"to" must be another wallet than from',
  ],
  [
    "of more than there is",
    '{"amount":701,"from":"1044","to":"1044","description":"x"}',
    "amount",
    '"amount" exceeds the available balance',
  ],
  [
    "of a part of a shilling",
    '{"amount":1.5,"from":"1042","to":"0043","description":"x"}',
    "amount",
    '"amount" must be a whole amount above zero',
  ],
  [
    "of nothing",
    '{"amount":0,"from":"1042","to":"0043","description":"x"}',
    "amount",
    '"amount" must be a whole amount above zero',
  ],
  [
    "of an amount in words",
    '{"amount":"5,000","from":"1042","to":"0043","description":"x"}',
    "amount",
    '"amount" must be a number',
  ],
  [
    "without words",
    '{"amount":1,"from":"1042","to":"0043","description":""}',
    "description",
    '"description" is not allowed to be empty',
  ],
  [
    "with a field that nobody documented",
    '{"amount":1,"from":"1042","to":"0043","description":"x","reference":"R"}',
    "reference",
    '"reference" is not allowed',
  ],
] as const)("a transfer %s is a validation error and moves nothing", async ([, body, field, message]) => {
  const simulator = await small();
  const answer = await say(simulator, transfer(body));
  expect(answer.status).toBe(400);
  const { details, ...rest }: { details: Record<string, string> } = JSON.parse(answer.body);
  expect(details[field]).toBe(message);
  expect(rest).toEqual({ statusCode: 400, reason: "VALIDATION_ERROR", message: JSON.stringify(details) });
  expect(simulator.world.wallet("1042").balance).toEqual(Decimal.parse("2232000.00"));
});

test.for([
  'POST /partner/v1/wallet/balance HTTP/1.1|{"accountNo":"42"}',
  'POST /partner/v1/wallet/statement HTTP/1.1|{"accountNo":"42","startDate":"2026-03-01","endDate":"2026-03-31"}',
  'POST /partner/v1/transaction/transfer-local HTTP/1.1|{"amount":1,"from":"42","to":"1042","description":"x"}',
  'POST /partner/v1/transaction/transfer-local HTTP/1.1|{"amount":1,"from":"1042","to":"42","description":"x"}',
  'POST /partner/v1/transaction/withdraw HTTP/1.1|{"amount":1,"accountNo":"42","transactionDate":"2026-03-31","narration":"x","externalRef":"W"}',
])("spec 7.1: an unknown wallet is a 404: %s", async (request) => {
  const simulator = await small();
  const answer = await say(simulator, request.replace("|", `\n${groupA}\n\n`));
  expect(answer).toEqual({ status: 404, type: json, body: '{"statusCode":404,"reason":"NOT_FOUND","details":{}}' });
});

const withdraw = (body: string) => `POST /partner/v1/transaction/withdraw HTTP/1.1\n${groupA}\n\n${body}`;
const toMain =
  '{"amount":200.50,"accountNo":"1044","transactionDate":"2026-03-30","narration":"to main","externalRef":"W-7"}';

test("spec 4.10: a withdrawal moves money to the main account under the partner's reference", async () => {
  const simulator = await small();
  const { status, body } = await say(simulator, withdraw(toMain));
  const [, id] = /"transactionId":"([A-Za-z0-9]{12})"/.exec(body) ?? [];
  expect({ status, body }).toEqual({
    status: 200,
    body: `{"paymentRef":"","transactionId":"${id}","transactionRef":"W-7"}`,
  });
  expect(JSON.stringify(simulator.world.wallet("1044").entries)).toBe(
    '[{"tranRefNo":"W-7","valueDate":"2026-03-31 12:00:00","txnDate":"2026-03-30 00:00:00","narration":"to main","debitOrCredit":"DR","amountCredited":0,"amountDebited":200.50,"balance":499.50}]',
  );
  expect(simulator.world.ledger().find(({ kind }) => kind === "main account")).toMatchObject({
    currency: "KES",
    balance: Decimal.parse("200.50"),
  });
});

test("a withdrawal of more than the balance is a validation error and moves nothing", async () => {
  const simulator = await small();
  const { status, body } = await say(simulator, withdraw(toMain.replace("200.50", "700.01")));
  expect({ status, body }).toEqual({
    status: 400,
    body: String.raw`{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"\"amount\" exceeds the available balance"},"message":"{\"amount\":\"\\\"amount\\\" exceeds the available balance\"}"}`,
  });
  expect(simulator.world.wallet("1044").entries).toEqual([]);
});

test.for([
  ["2026-03-02", "2026-03-01", "endDate", '"endDate" must not be before startDate'],
  ["2026-02-30", "2026-03-01", "startDate", '"startDate" must be a day that exists'],
  ["01-03-2026", "2026-03-01", "startDate", '"startDate" must be a day, YYYY-MM-DD'],
  ["2026-03-01", "", "endDate", '"endDate" is not allowed to be empty'],
] as const)("a statement from %s to %s is a validation error", async ([from, to, field, message]) => {
  const simulator = await small();
  const { status, body } = await say(simulator, statement(from, to));
  const details = JSON.stringify({ [field]: message });
  expect({ status, body }).toEqual({
    status: 400,
    body: `{"statusCode":400,"reason":"VALIDATION_ERROR","details":${details},"message":${JSON.stringify(details)}}`,
  });
});

test("a withdrawal on a day that does not exist is a validation error", async () => {
  const simulator = await small();
  const { body } = await say(simulator, withdraw(toMain.replace("2026-03-30", "2026-02-29")));
  expect(body).toContain('"details":{"transactionDate":"\\"transactionDate\\" must be a day that exists"}');
});
