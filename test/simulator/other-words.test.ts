import { expect, test } from "vitest";
import { readFaults } from "../../src/simulator/faults.ts";
import { groupA, say, small } from "./small-world.ts";

// Answers that do not say what was done, for each order that moves money.

const requests = {
  transfer: '/transaction/transfer-local {"amount":100,"from":"1042","to":"0043","description":"rent [R-1]"}',
  withdraw:
    '/transaction/withdraw {"amount":100,"accountNo":"1042","transactionDate":"2026-03-31","narration":"out","externalRef":"R-1"}',
  collect:
    '/collection {"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":100,"narration":"lunch","transactionRef":"R-1","transactionDate":"2026-03-31 11:59:00","callbackUrl":"http://127.0.0.1:9/"}',
  remit:
    '/payment/remittance {"paymentDate":"2026-03-31T11:59:00+03:00","partnerReference":"R-1","callbackUrl":"https://127.0.0.1:9/","description":"fees","senderCurrency":"USD","senderAmount":100,"receiverCurrency":"TZS","receiverAmount":250000,"exchangeRate":2500,"receiverChannel":"MOBILE","institutionCode":"TZ-TIGO-B2C","receiverAccount":"255712345678","sender":{"fullName":"Zoë Mwangá","nationality":"KE","countryCode":"KE","idType":"PASSPORT","idNumber":"A1","dateOfBirth":"1990-02-28","phoneNumber":"254700000000","address":"Nairobi","sourceOfFundsDeclaration":"salary","purposeOfTransaction":"education"},"receiver":{"fullName":"Amina Juma","phoneNumber":"255712345678","countryCode":"TZ"}}',
} as const;
type Kind = keyof typeof requests;
const kinds = ["transfer", "withdraw", "collect", "remit"] as const;
/** The field with the order's reference in an answer, its own value and another order's. */
const owners = {
  transfer: ["narration", "rent [R-1]", "rent [R-0]"],
  withdraw: ["transactionRef", "R-1", "R-0"],
  collect: ["transactionRef", "R-1", "R-0"],
  remit: ["partnerReference", "R-1", "R-0"],
} as const;

async function answered(kind: Kind, ...faults: readonly string[]) {
  const simulator = await small({ faults: readFaults(["drop-callback=any", ...faults]) });
  const [path = "", body = ""] = requests[kind].split(/ (.*)/s);
  const { status, body: text } = await say(simulator, `POST /partner/v1${path} HTTP/1.1\n${groupA}\n\n${body}`);
  await simulator.idle();
  const { world } = simulator;
  const rows = world.wallet("1042").entries.length - 3 + world.wallet("2001").entries.length / 2;
  return { status, text, done: rows + world.remittances.size };
}

test.for(kinds)("refuse-request does not book a %s, and the answer has its reference", async (kind) => {
  const [field, own] = owners[kind];
  const { status, text, done } = await answered(kind, "refuse-request=REJECTED");
  expect([status, done, JSON.parse(text)]).toEqual([
    200,
    0,
    { [field]: own, statusCode: "REJECTED", ...(kind === "remit" ? { status: "REJECTED" } : {}) },
  ]);
});

test.for(kinds)("say-answer changes the word about a booked %s", async (kind) => {
  const { text, done } = await answered(kind, "say-answer=PAYMENT_CANCELED");
  const { transactionId, [owners[kind][0]]: whose, statusCode, status } = JSON.parse(text);
  expect([done, whose, statusCode, status]).toEqual([
    1,
    owners[kind][1],
    "PAYMENT_CANCELED",
    kind === "remit" ? "PAYMENT_CANCELED" : undefined,
  ]);
  expect(transactionId === undefined).toBe(kind === "remit");
});

test("the two words of a remittance can contradict each other", async () => {
  const { text } = await answered("remit", "say-answer=COMPLETED/PAYMENT_FAILED");
  expect(JSON.parse(text)).toMatchObject({ status: "COMPLETED", statusCode: "PAYMENT_FAILED" });
});

test.for(kinds)("a booked %s is answered with a refusal of another order, or of none", async (kind) => {
  const [field, , other] = owners[kind];
  const swapped = await answered(kind, "swap-refusal=FAILED");
  expect([swapped.done, JSON.parse(swapped.text)]).toMatchObject([1, { [field]: other, statusCode: "FAILED" }]);
  const rejected = await answered(kind, "swap-refusal=400");
  expect([rejected.status, rejected.done, JSON.parse(rejected.text)]).toMatchObject([
    400,
    1,
    { statusCode: 400, reason: "VALIDATION_ERROR", [field]: other, message: "R-0 is not valid" },
  ]);
  const bare = await answered(kind, "bare-refusal=FAILED");
  expect([bare.done, JSON.parse(bare.text)]).toEqual([
    1,
    { statusCode: "FAILED", ...(kind === "remit" ? { status: "FAILED" } : {}) },
  ]);
});

test.for(kinds)("a booked %s is answered with an error beside its ids", async (kind) => {
  const [field, own] = owners[kind];
  const denied = await answered(kind, "deny-answer");
  expect([denied.done, JSON.parse(denied.text)]).toMatchObject([1, { [field]: own, success: false }]);
  const failed = await answered(kind, "error-answer");
  expect([failed.done, JSON.parse(failed.text)]).toMatchObject([1, { [field]: own, error: "Not processed" }]);
});

test.for(kinds)("the answer to a %s has a member twice", async (kind) => {
  const [field, own, other] = owners[kind];
  const plain = await answered(kind, "repeat-answer=plain");
  expect(plain.text.split(`"${field}":`)).toHaveLength(3);
  expect(JSON.parse(plain.text)).toMatchObject({ [field]: other });
  const escaped = await answered(kind, "repeat-answer=escaped");
  expect(escaped.text.split(`"${field}":`)).toHaveLength(2);
  expect(JSON.parse(escaped.text)).toMatchObject({ [field]: other });
  const nested = await answered(kind, "repeat-answer=nested");
  expect(nested.text).toContain('"meta":{"id":1,"id":2}');
  expect(JSON.parse(nested.text)).toMatchObject({ [field]: own });
});

const duplicates = [
  ["409", 409, '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}'],
  ["422", 422, '{"statusCode":422,"reason":"DUPLICATE_REFERENCE","details":{}}'],
  ["429", 429, '{"statusCode":429,"reason":"DUPLICATE_REQUEST"}'],
  ["200", 200, '{"statusCode":"DUPLICATE_REQUEST"}'],
  ["conflict", 409, '{"error":"Conflict","message":"Transaction already exists","requestId":"req_17"}'],
  [
    "unique",
    400,
    '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"<field>":"\\"<field>\\" must be unique"},"message":',
  ],
  ["used", 400, '{"statusCode":400,"message":"Reference Already Used","error":"Bad Request"}'],
  ["exists", 400, '{"statusCode":400,"reason":"BAD_REQUEST","message":"A transaction with it ALREADY EXISTS"}'],
  ["array", 400, '"details":[{"field":"<field>","message":"must be unique"}]}'],
  ["code", 400, '{"statusCode":400,"code":"DUPLICATE_TRANSACTION","message":"Not done","error":"Bad Request"}'],
  ["map", 400, '{"<field>":"<field> is a duplicate"}'],
] as const;
const fields = {
  transfer: "description",
  withdraw: "externalRef",
  collect: "transactionRef",
  remit: "partnerReference",
};

test.for(duplicates.flatMap((form) => kinds.map((kind) => [...form, kind] as const)))(
  "duplicate-answer=%s: %i with %s, for a booked %s",
  async ([how, status, body, kind]) => {
    const ended = await answered(kind, `duplicate-answer=${how}`);
    expect([ended.status, ended.done]).toEqual([status, 1]);
    expect(ended.text).toContain(body.replaceAll("<field>", fields[kind]));
  },
);

test("other faults do not change an internal error of the service", async () => {
  for (const fault of ["say-answer=FAILED", "deny-answer", "swap-refusal=FAILED", "duplicate-answer=409"]) {
    const { status, text } = await answered("withdraw", fault, "fail-request");
    expect([status, text]).toEqual([500, '{"statusCode":500,"reason":"SERVER_ERROR"}']);
  }
});

test("several faults apply to one answer", async () => {
  const { text } = await answered("collect", "say-answer=PAYMENT_ACCEPTED", "deny-answer", "repeat-answer=nested");
  expect(text).toMatch(/"statusCode":"PAYMENT_ACCEPTED".*"success":false,"meta":\{"id":1,"id":2\}\}$/);
});
