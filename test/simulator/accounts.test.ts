import { expect, test } from "vitest";
import { groupB, say, small } from "./small-world.ts";

// Requests and expected bodies are written by hand from the specification, sections 2.2, 2.3, 4.3, 4.4 and 7.2.

const json = "application/json; charset=utf-8";
const envelope = '"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-31T12:00:00+03:00"';

test.for(["", "/partner/v1"])('spec 4.3: a merchant account\'s balance, with the base path "%s"', async (base) => {
  const simulator = await small();
  expect(await say(simulator, `GET ${base}/account/015A8XX787600/balance HTTP/1.1\n${groupB}`)).toEqual({
    status: 200,
    type: json,
    body: `{${envelope},"result":{"accountNo":"015A8XX787600","accountName":"Business Account Ltd","branchCode":"0015","currency":"TZS","status":"ACTIVE","availableBalance":150000.00,"currentBalance":150000.00}}`,
  });
});

const row =
  '{"transactionId":null,"reference":"TXN-REF-1","paymentReference":null,"creditOrDebit":"CREDIT","transactionDate":"2026-03-04T10:30:00+03:00","valueDate":"2026-03-05T00:00:00+03:00","narration":"Customer payment","description":"Customer payment","currency":"TZS","amountCredit":50000.00,"amountDebit":0,"availableBalance":150000.00,"currentBalance":150000.00,"senderAccountNo":null,"senderAccountName":null,"senderBankIdentifier":null}';

test.for([
  ["2026-03-05", "2026-03-05", row],
  ["2026-03-01", "2026-03-05", row],
  ["2026-03-05", "2026-03-09", row],
  ["2026-03-04", "2026-03-04", ""],
  ["2026-03-06", "2026-12-31", ""],
] as const)("spec 4.4: a statement from %s to %s includes both days", async ([from, to, rows]) => {
  const simulator = await small();
  const request = `GET /account/015A8XX787600/statement?startDate=${from}&endDate=${to} HTTP/1.1\n${groupB}`;
  expect(await say(simulator, request)).toEqual({
    status: 200,
    type: json,
    body: `{${envelope},"result":{"accountNo":"015A8XX787600","statement":[${rows}]}}`,
  });
});

const march = "startDate=2026-03-01&endDate=2026-03-31";
const unauthorized = '{"statusCode":401,"message":"Unauthorized","error":"The token is invalid or missing"}';
const invalid = (details: string, message = "Validation failed") =>
  `{"statusCode":400,"message":"${message}","error":"Validation Error","details":${details}}`;

test.for([
  ["without Authorization", groupB.replace(/^authorization.*\n/, "")],
  ["with a wrong token", groupB.replace("8f14", "0000")],
  ["with the token alone", groupB.replace("Bearer ", "")],
  ["with group A's kind of scheme", groupB.replace("Bearer", "Basic")],
  ["with credentials and everything else wrong", "x: y"],
] as const)("spec 7.2: a request %s is unauthorized", async ([, headers]) => {
  const simulator = await small();
  const request = `GET /account/015A8XX787600/balance HTTP/1.1\n${headers}`;
  expect(await say(simulator, request)).toEqual({ status: 401, type: json, body: unauthorized });
});

test.for([
  ["balance", "balance"],
  ["statement", `statement?${march}`],
] as const)("spec 7.2: the %s of an unknown account is a 404 with an empty body", async ([, rest]) => {
  const simulator = await small();
  const request = `GET /account/1042/${rest} HTTP/1.1\n${groupB}`;
  expect(await say(simulator, request)).toEqual({ status: 404, type: undefined, body: "" });
});

test.for([
  [
    "an empty account number",
    "GET /account//balance HTTP/1.1",
    groupB,
    invalid('{"accountNo":"\\"accountNo\\" is not allowed to be empty"}'),
  ],
  [
    "no dates",
    "GET /account/015A8XX787600/statement HTTP/1.1",
    groupB,
    invalid('{"startDate":"\\"startDate\\" is required","endDate":"\\"endDate\\" is required"}'),
  ],
  [
    "one date",
    "GET /account/015A8XX787600/statement?startDate=2026-03-01 HTTP/1.1",
    groupB,
    invalid('{"endDate":"\\"endDate\\" is required"}'),
  ],
  [
    "a date in another form",
    "GET /account/015A8XX787600/statement?startDate=01/03/2026&endDate=2026-03-31 HTTP/1.1",
    groupB,
    invalid('{"startDate":"\\"startDate\\" must be a day, YYYY-MM-DD"}', "Invalid date format"),
  ],
  [
    "a date that does not exist",
    "GET /account/015A8XX787600/statement?startDate=2026-02-30&endDate=2026-03-31 HTTP/1.1",
    groupB,
    invalid('{"startDate":"\\"startDate\\" must be a day that exists"}', "Invalid date format"),
  ],
  [
    "the end before the start",
    "GET /account/015A8XX787600/statement?startDate=2026-03-02&endDate=2026-03-01 HTTP/1.1",
    groupB,
    invalid('{"endDate":"\\"endDate\\" must not be before startDate"}'),
  ],
  [
    "a field that nobody documented",
    `GET /account/015A8XX787600/statement?${march}&page=2 HTTP/1.1`,
    groupB,
    invalid('{"page":"\\"page\\" is not allowed"}'),
  ],
  [
    "a body that is not JSON",
    "GET /account/015A8XX787600/balance HTTP/1.1",
    `${groupB}\n\n{"a":`,
    invalid('{"body":"\\"body\\" is not valid JSON"}'),
  ],
  [
    "no content type",
    "GET /account/015A8XX787600/balance HTTP/1.1",
    groupB.replace(/\ncontent-type.*/, ""),
    invalid('{"Content-Type":"\\"Content-Type\\" must be application/json"}'),
  ],
  [
    "another content type",
    "GET /account/015A8XX787600/balance HTTP/1.1",
    groupB.replace("application/json", "text/plain"),
    invalid('{"Content-Type":"\\"Content-Type\\" must be application/json"}'),
  ],
  [
    "no request id",
    "GET /account/015A8XX787600/balance HTTP/1.1",
    groupB.replace(/\nx-request-id.*/, ""),
    invalid('{"x-request-id":"\\"x-request-id\\" is required"}'),
  ],
] as const)("spec 7.2: %s is a validation error", async ([, line, headers, body]) => {
  const simulator = await small();
  expect(await say(simulator, `${line}\n${headers}`)).toEqual({ status: 400, type: json, body });
});
