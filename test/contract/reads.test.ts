import { afterEach, expect, test } from "vitest";
import { run, words } from "../partner.ts";
import type { Recorder } from "./recorder.ts";
import { answer, recorder } from "./recorder.ts";

// The bytes on the wire, typed by hand from the specification (sections 4, 5 and 7) and never taken from our own
// table.

let service: Recorder | undefined;
afterEach(() => service?.stop());

async function ask(line: string, ...answers: readonly string[]) {
  service = await recorder(...answers);
  const environment = {
    PARTNER_BASE_URL: `${service.origin}/tembo/v1/`,
    PARTNER_ACCOUNT_BASE_URL: `${service.origin}/bank`,
    PARTNER_ACCOUNT_ID: "vendor-7",
    PARTNER_SECRET_KEY: "c2VjcmV0/+key==",
    PARTNER_ACCESS_TOKEN: "token-for-group-b",
  };
  const result = await run(words(line), { environment });
  return { ...result, requests: service.requests, port: new URL(service.origin).host };
}

const groupA = (port: string, id: string) =>
  `host: ${port}\r\nconnection: keep-alive\r\naccept-encoding: gzip, br\r\ncontent-type: application/json\r\naccept: application/json\r\nx-request-id: ${id}\r\nx-account-id: vendor-7\r\nx-secret-key: c2VjcmV0/+key==\r\n`;
const groupB = (port: string, id: string) =>
  `host: ${port}\r\nconnection: keep-alive\r\naccept-encoding: gzip, br\r\ncontent-type: application/json\r\naccept: application/json\r\nx-request-id: ${id}\r\nauthorization: Bearer token-for-group-b\r\n`;
const idOf = (request: string | undefined) => /x-request-id: ([0-9a-f-]{36})\r\n/.exec(request ?? "")?.[1] ?? "none";

test("spec 4.9: listing wallets is a GET of /wallet with group A's headers and no body", async () => {
  const { requests, port, stdout, exit } = await ask("wallets list --json", answer("200 OK", "[]"));
  expect(requests).toEqual([`GET /tembo/v1/wallet HTTP/1.1\r\n${groupA(port, idOf(requests[0]))}\r\n`]);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "[]\n" });
});

test("spec 4.8: a wallet's balance is a POST with its number", async () => {
  const body = '{"accountNo":"0042"}';
  const { requests, port } = await ask("wallet balance 0042 --json", answer("200 OK", "{}"));
  const head = `POST /tembo/v1/wallet/balance HTTP/1.1\r\n${groupA(port, idOf(requests[0]))}`;
  expect(requests).toEqual([`${head}content-length: ${body.length}\r\n\r\n${body}`]);
});

test("spec 4.6: a wallet's statement is a POST with its number and both days", async () => {
  const body = '{"accountNo":"0042","startDate":"2026-02-01","endDate":"2026-02-28"}';
  const { requests, port } = await ask("wallet statement 0042 --month 2026-02 --csv", answer("200 OK", "[]"));
  const head = `POST /tembo/v1/wallet/statement HTTP/1.1\r\n${groupA(port, idOf(requests[0]))}`;
  expect(requests).toEqual([`${head}content-length: ${body.length}\r\n\r\n${body}`]);
});

test("spec 4.3: a merchant account's balance is a GET at group B's address with the bearer token alone", async () => {
  const { requests, port } = await ask("account balance 0560066551200 --json", answer("200 OK", '{"result":{}}'));
  expect(requests).toEqual([
    `GET /bank/account/0560066551200/balance HTTP/1.1\r\n${groupB(port, idOf(requests[0]))}\r\n`,
  ]);
  expect(requests[0]).not.toMatch(/x-account-id|x-secret-key|c2VjcmV0/);
});

test("spec 4.4: a merchant account's statement has its days in the query", async () => {
  const empty =
    '{"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-01T08:00:00+03:00","result":{"accountNo":"015A8XX787600","statement":[]}}';
  const { requests, port } = await ask(
    "account statement 015A8XX787600 --date 2026-02-28 --json",
    answer("200 OK", empty),
  );
  expect(requests).toEqual([
    `GET /bank/account/015A8XX787600/statement?startDate=2026-02-28&endDate=2026-02-28 HTTP/1.1\r\n${groupB(port, idOf(requests[0]))}\r\n`,
  ]);
});

test("spec 4.2: the institutions are a GET of /payment/institutions", async () => {
  const { requests, port } = await ask("institutions --json", answer("200 OK", '{"result":[]}'));
  expect(requests).toEqual([`GET /tembo/v1/payment/institutions HTTP/1.1\r\n${groupA(port, idOf(requests[0]))}\r\n`]);
});

test("an account number with a slash or a question mark stays one part of the path", async () => {
  const { requests } = await ask("account balance a/b?c%d --json", answer("200 OK", '{"result":{}}'));
  expect(requests[0]).toMatch(/^GET \/bank\/account\/a%2Fb%3Fc%25d\/balance HTTP\/1\.1\r\n/);
});

test("every attempt of a read has a request id of its own", async () => {
  const down = answer("500 Internal Server Error", '{"statusCode":500,"reason":"SERVER_ERROR"}');
  const { requests, exit } = await ask("wallets list --json", down, down, answer("200 OK", "[]"));
  expect(exit).toBe(0);
  expect(new Set(requests.map(idOf)).size).toBe(3);
});

const refusals: readonly [string, string, string, number, RegExp][] = [
  [
    "wallets list",
    "401 Unauthorized",
    '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}',
    3,
    /did not accept the account id and secret key \(401 INVALID_CREDENTIALS\)/,
  ],
  [
    "wallets list",
    "500 Internal Server Error",
    '{"statusCode":500,"reason":"SERVER_ERROR"}',
    5,
    /a problem of its own \(500 SERVER_ERROR\)/,
  ],
  [
    "wallet balance 77",
    "404 Not Found",
    '{"statusCode":404,"reason":"NOT_FOUND","details":{}}',
    4,
    /found no wallet 77 of yours \(404 NOT_FOUND\)/,
  ],
  [
    "wallet balance 77",
    "400 Bad Request",
    '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"accountNo":"accountNo is required"},"message":"{\\"accountNo\\":\\"accountNo is required\\"}"}',
    4,
    /\(400 VALIDATION_ERROR\)\.\n {2}accountNo: accountNo is required\n/,
  ],
  [
    "account balance 77",
    "400 Bad Request",
    '{"statusCode":400,"message":"validation failed","error":"Validation Error","details":{"accountNumber":"must be digits"}}',
    4,
    /\(400 Validation Error\)\. It says: validation failed\n {2}accountNumber: must be digits\n/,
  ],
  [
    "account balance 77",
    "401 Unauthorized",
    '{"statusCode":401,"message":"Unauthorized","error":"The token is invalid or missing"}',
    3,
    /did not accept the access token \(401 The token is invalid or missing\)/,
  ],
  [
    "account balance 77",
    "403 Forbidden",
    '{"message":"Forbidden resource","error":"Forbidden","statusCode":403}',
    3,
    /did not accept the access token \(403 Forbidden\)/,
  ],
  ["account balance 77", "404 Not Found", "", 4, /found no account 77 of yours \(404\)/],
  [
    "account balance 77",
    "500 Internal Server Error",
    '{"statusCode":500,"message":"bank connectivity","error":"Internal Server Error"}',
    5,
    /\(500 Internal Server Error\)\. It says: bank connectivity/,
  ],
  ["wallet balance 77", "502 Bad Gateway", "upstream is gone", 5, /a problem of its own \(502\)/],
  [
    "wallet balance 77",
    "400 Bad Request",
    '{"error":"Bad Request","message":"2 faults","details":[{"field":"a","message":"is odd"},{"field":"b","message":"is even"}]}',
    4,
    /a: is odd\n {2}b: is even\n/,
  ],
  ["wallet balance 77", "400 Bad Request", '{"accountNo":"is not yours"}', 4, /\n {2}accountNo: is not yours\n/],
  ["wallet balance 77", "307 Temporary Redirect", "", 5, /another address/],
];

test.each(refusals)("%s answered by %s and %s", async (line, status, body, exit, says) => {
  const result = await ask(line, answer(status, body));
  expect(result).toMatchObject({ exit, stdout: "" });
  expect(result.stderr).toMatch(says);
  expect(result.stderr).toMatch(`Request id: ${idOf(result.requests.at(-1))}\n`);
});

const unreadable: readonly [string, string][] = [
  ["a page of HTML", "<!doctype html><html></html>"],
  ["nothing", ""],
  ["half a JSON", '[{"accountNo":"1","acco'],
  ["a text", '"hello"'],
  ["a number", "42"],
  ["null", "null"],
  ["a list of numbers", "[1,2]"],
  ["an object where a list should be", '{"wallets":1}'],
];

test.each(unreadable)("wallets answered by %s: one sentence, exit 5 and nothing on stdout", async (_, body) => {
  const result = await ask("wallets list --json", answer("200 OK", body));
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toMatch(/^Error: The service's answer could not be read\. /);
  expect(result.stderr).not.toMatch(/\n\s+at /);
});

test.each(unreadable)("a statement answered by %s: one sentence, exit 5 and nothing on stdout", async (_, body) => {
  const result = await ask("wallet statement 42 --month 2026-02 --csv --quiet", answer("200 OK", body));
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toMatch(/^Error: The service's answer could not be read\. /);
});

test("an answer that is cut off is tried again and then given up, with nothing on stdout", async () => {
  const cut = answer("200 OK", '[{"accountNo":"1"}]').slice(0, -4);
  const result = await ask("wallets list --json", cut);
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.requests).toHaveLength(3);
});
