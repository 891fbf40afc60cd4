import { expect, test } from "vitest";
import { endpoints } from "../../src/contract/endpoints.ts";
import { extensions } from "../../src/contract/extensions/extensions.ts";
import { rules } from "../../src/simulator/rules/rules.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, groupB, noon, say, small, smallWorld, started } from "./small-world.ts";

// Requests and expected bodies are written by hand from the specification, sections 5, 7.1 and 8.

const json = "application/json; charset=utf-8";

const requestsOfGroupA = [
  "GET /partner/v1/wallet HTTP/1.1",
  "POST /partner/v1/wallet/balance HTTP/1.1",
  "POST /partner/v1/wallet/statement HTTP/1.1",
  "POST /partner/v1/transaction/transfer-local HTTP/1.1",
  "POST /partner/v1/transaction/withdraw HTTP/1.1",
  "POST /partner/v1/payment/remittance HTTP/1.1",
  "GET /partner/v1/payment/institutions HTTP/1.1",
];
const headers = {
  "no headers at all": "accept: */*",
  "no account id": groupA.replace(/^x-account-id.*\n/, ""),
  "no secret key": groupA.replace(/\nx-secret-key.*/, ""),
  "another account id": groupA.replace("simulator", "vendor"),
  "another secret key": groupA.replace("c2lt", "C2lt"),
  "group B's token": groupB,
};

test.for(
  requestsOfGroupA.flatMap((line) => Object.entries(headers).map(([what, text]) => [line, what, text] as const)),
)("spec 7.1: %s with %s is refused before the body is read", async ([line, , text]) => {
  const simulator = await small();
  expect(await say(simulator, `${line}\n${text}\n\n{`)).toEqual({
    status: 401,
    type: json,
    body: '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}',
  });
});

test("spec 4.5: invalid credentials for a collection are refused without details", async () => {
  const simulator = await small();
  expect(await say(simulator, "POST /partner/v1/collection HTTP/1.1\naccept: */*\n\n{}")).toEqual({
    status: 401,
    type: json,
    body: '{"statusCode":401,"reason":"INVALID_CREDENTIALS"}',
  });
});

const invalid = (details: string) =>
  `{"statusCode":400,"reason":"VALIDATION_ERROR","details":${details},"message":${JSON.stringify(details)}}`;

test.for(requestsOfGroupA.slice(1))("spec 7.1: %s without x-request-id is a validation error", async (line) => {
  const simulator = await small();
  const request = `${line}\n${groupA.replace(/\nx-request-id.*/, "")}\n\n{}`;
  const body = invalid('{"x-request-id":"\\"x-request-id\\" is required"}');
  expect(await say(simulator, request)).toEqual({ status: 400, type: json, body });
});

test("spec 7.1: the list of wallets has no 400, so a missing x-request-id is a 401", async () => {
  const simulator = await small();
  const { status, body } = await say(simulator, "GET /partner/v1/wallet HTTP/1.1\n" + groupA.replace(/\nx-req.*/, ""));
  expect({ status, body }).toEqual({
    status: 401,
    body: '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}',
  });
});

const accountNo = "POST /partner/v1/wallet/balance HTTP/1.1";

test.for([
  ["a body that is cut", '{"accountNo":"10', '{"body":"\\"body\\" is not valid JSON"}'],
  ["a list", '["1042"]', '{"body":"\\"body\\" must be of type object"}'],
  ["an empty body", "", '{"accountNo":"\\"accountNo\\" is required"}'],
  ["an empty object", "{}", '{"accountNo":"\\"accountNo\\" is required"}'],
  ["an empty text", '{"accountNo":""}', '{"accountNo":"\\"accountNo\\" is not allowed to be empty"}'],
  ["null", '{"accountNo":null}', '{"accountNo":"\\"accountNo\\" must be a string"}'],
  ["a number", '{"accountNo":1042}', '{"accountNo":"\\"accountNo\\" must be a string"}'],
  ["an unknown field", '{"accountNo":"1042","page":1}', '{"page":"\\"page\\" is not allowed"}'],
] as const)("spec 7.1: %s is a validation error that names its fields", async ([, body, details]) => {
  const simulator = await small();
  const answer = await say(simulator, `${accountNo}\n${groupA}${body === "" ? "" : `\n\n${body}`}`);
  expect(answer).toEqual({ status: 400, type: json, body: invalid(details) });
});

test("a body without its content type is a validation error", async () => {
  const simulator = await small();
  const request = `${accountNo}\n${groupA.replace(/\ncontent-type.*/, "")}\n\n{"accountNo":"1042"}`;
  expect((await say(simulator, request)).body).toBe(
    invalid('{"Content-Type":"\\"Content-Type\\" must be application/json"}'),
  );
});

test("a body over 1 MiB is too large", async () => {
  const simulator = await small();
  const answer = await say(simulator, `${accountNo}\n${groupA}\ncontent-length: 1048577`);
  expect(answer).toEqual({
    status: 413,
    type: json,
    body: '{"message":"request entity too large","error":"Payload Too Large","statusCode":413}',
  });
});

test.for([
  ["GET /wallet HTTP/1.1", "Cannot GET /wallet"],
  ["GET /partner/v1 HTTP/1.1", "Cannot GET /partner/v1"],
  ["GET /partner/v1/ HTTP/1.1", "Cannot GET /partner/v1/"],
  ["GET /partner/v1//wallet HTTP/1.1", "Cannot GET /partner/v1//wallet"],
  ["GET /partner/v1/wallet/ HTTP/1.1", "Cannot GET /partner/v1/wallet/"],
  ["GET /partner/v1/wallets?page=1 HTTP/1.1", "Cannot GET /partner/v1/wallets"],
  ["POST /partner/v1/wallet HTTP/1.1", "Cannot POST /partner/v1/wallet"],
  ["GET /partner/v1/wallet/balance HTTP/1.1", "Cannot GET /partner/v1/wallet/balance"],
  ["PUT /partner/v1/collection HTTP/1.1", "Cannot PUT /partner/v1/collection"],
] as const)("an unknown route is a 404: %s", async ([line, message]) => {
  const simulator = await small();
  const body = `{"message":"${message}","error":"Not Found","statusCode":404}`;
  expect(await say(simulator, `${line}\n${groupA}`)).toEqual({ status: 404, type: json, body });
});

test.for([
  ["POST", "/partner/v1/payment/remittance"],
  ["GET", "/partner/v1/payment/institutions"],
] as const)("spec 8: a sandbox has no %s %s", async ([method, path]) => {
  const simulator = await small({ environment: "sandbox" });
  expect(await say(simulator, `${method} ${path} HTTP/1.1\n${groupA}`)).toEqual({
    status: 404,
    type: json,
    body: `{"message":"Cannot ${method} ${path}","error":"Not Found","statusCode":404}`,
  });
});

test.for([
  [`GET /partner/v1/wallet HTTP/1.1\n${groupA}`, '{"statusCode":500,"reason":"SERVER_ERROR"}'],
  [
    `GET /account/015A8XX787600/balance HTTP/1.1\n${groupB}`,
    '{"statusCode":500,"message":"Internal server error","error":"Retry after 1 to 2 minutes"}',
  ],
] as const)("spec 7: an internal error is a 500 of the service", async ([request, body]) => {
  let isBroken = false;
  const host = memoryHost({ now: noon });
  const elapsed = () => {
    if (isBroken) throw new Error("The clock stopped.");
    return 0;
  };
  const { simulator } = await started({ ...host, clock: { ...host.clock, elapsed } }, { seed: smallWorld });
  isBroken = true;
  expect(await say(simulator, request)).toEqual({ status: 500, type: json, body });
});

test("every endpoint of the specification and of the extensions has a rule", () => {
  expect([...endpoints, ...extensions].filter((endpoint) => !rules.has(endpoint))).toEqual([]);
  expect(rules.size).toBe(10 + 9);
});
