import { expect, onTestFinished, test } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import { run } from "../partner.ts";
import { now } from "../simulated.ts";
import { atTerminal, draftFile, remittance, remittanceWith } from "./remittance.ts";
import { environmentAt, errorIn, ok } from "./served.ts";

// These answers are written by hand: the specification has no example of a remittance or of the list of institutions.

const institutions = '[{"institutionCode":"TZ-TIGO-B2C","name":"Tigo Pesa","channel":"MOBILE"}]';
const record =
  '{"partnerReference":"INV-42","status":"CREATED","statusCode":"CREATED","statusMessage":"Created","createdAt":"2026-03-31T12:00:00+03:00","updatedAt":"2026-03-31T12:00:00+03:00"}';

/** Sends a remittance to a service that answers first the list and then the remittance with these bytes. */
async function send(listed: string, answered: string, body: unknown = remittance) {
  const service = await recorder(listed, answered);
  onTestFinished(() => service.stop());
  const argv = ["remit", "--from-file", draftFile(body), "--reference", "INV-42", "--yes", "--json"];
  const ended = await run(argv, { environment: environmentAt(service.origin), now });
  return { ...ended, requests: service.requests };
}

test.each([
  ["200 OK", record],
  ["201 Created", record],
  ["202 Accepted", "{}"],
  ["200 OK", '{"success":true,"result":{"id":"7"}}'],
  ["200 OK", '{"statusCode":"PENDING_ACK"}'],
])("%s %s: the remittance is pending, exit 0, and the answer is kept", async (status, body) => {
  const { exit, stdout, stderr, requests } = await send(ok(institutions), answer(status, body));
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ state: "pending", settledAt: null, response: JSON.parse(body) });
  expect(requests.map((request) => request.split(" HTTP/")[0])).toEqual([
    "GET /payment/institutions",
    "POST /payment/remittance",
  ]);
});

test.each([
  ["400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"sender.idNumber":"too short"}}', 4],
  ["404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}', 4],
  ["200 OK", '{"statusCode":"PAYMENT_REJECTED","partnerReference":"INV-42"}', 4],
  ["401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}', 3],
])("%s %s: the remittance is refused, exit %d", async (status, body, exit) => {
  const ended = await send(ok(institutions), answer(status, body));
  expect(ended.exit).toBe(exit);
  expect(JSON.parse(ended.stdout)).toMatchObject({ state: "refused" });
  expect(errorIn(ended)).toMatchObject({ money: "not moved", reference: "INV-42" });
});

test.each([
  ["429 Too Many Requests", '{"statusCode":429,"message":"Duplicate reference"}'],
  ["409 Conflict", '{"statusCode":409,"reason":"DUPLICATE_REQUEST"}'],
  ["500 Internal Server Error", '{"statusCode":500,"reason":"SERVER_ERROR"}'],
  ["400 Bad Request", ""],
  ["200 OK", "<html>"],
  ["204 No Content", ""],
  ["200 OK", '{"statusCode":"GENERIC_ERROR"}'],
  ["200 OK", "[]"],
  ["200 OK", '"queued"'],
  ["200 OK", '{"statusCode":"SUCCESS"}'],
  ["200 OK", '{"statusCode":"WHATEVER_THEY_SAY"}'],
  ["200 OK", '{"statusCode":"PAYMENT_REJECTED"}'],
  ["200 OK", record.replace("INV-42", "INV-43")],
])("%s %s: the remittance is unknown, exit 6", async (status, body) => {
  const ended = await send(ok(institutions), answer(status, body));
  expect(ended.exit).toBe(6);
  expect(JSON.parse(ended.stdout)).toMatchObject({ state: "unknown" });
  expect(errorIn(ended)).toMatchObject({ ending: "unknown", money: "unknown", reference: "INV-42" });
});

const unlisted = "Warning: The list of institutions could not be fetched; the code was not compared with it.\n";
const codeless = "Warning: The list of institutions names no code; the code was not compared with it.\n";

test.each([
  ["a list that fails", answer("500 Internal Server Error", '{"statusCode":500,"reason":"SERVER_ERROR"}'), unlisted],
  ["a list that is none", ok("<html>"), unlisted],
  ["a connection that breaks", "", unlisted],
  ["a list without codes", ok('[{"title":"Tigo"}]'), codeless],
  ["an empty list", ok("[]"), codeless],
])("%s only causes a warning", async (_, listed, warning) => {
  expect(await send(listed, ok(record))).toMatchObject({ exit: 0, stderr: warning });
});

test.each([
  ['{"result":[{"code":"TZ-TIGO-B2C","name":"Tigo"}]}', 0],
  ['{"mobile":[{"code":"TZ-TIGO-B2C"}],"bank":[{"code":"CORUTZTZ"}]}', 0],
  ['{"mobile":[{"code":"OTHER"}],"bank":[{"code":"TZ-TIGO-B2C"}]}', 2],
  ['{"data":{"institutions":[{"operatorCode":"TZ-TIGO-B2C","countryCode":"TZ","currencyCode":"TZS"}]}}', 0],
  ['[{"countryCode":"TZ","bankCode":"TZ-TIGO-B2C","type":"Mobile Money"}]', 0],
  ['[{"bankCode":"TZ-TIGO-B2C","type":"BANK"}]', 2],
  ['[{"code":"OTHER","name":"TZ-TIGO-B2C"}]', 2],
])("the institution code is looked up in a list of any form: %s, exit %d", async (listed, exit) => {
  const ended = await send(ok(listed), ok(record));
  expect(ended).toMatchObject({ exit });
  expect(ended.requests).toHaveLength(exit === 0 ? 2 : 1);
});

test("an institution's name is shown at the question with control characters escaped", async () => {
  const service = await recorder(ok('[{"code":"TZ-TIGO-B2C","name":"Tigo\\u001b[2J"}]'), ok(record));
  onTestFinished(() => service.stop());
  const person = atTerminal([(message) => message.startsWith("Send")]);
  const environment = { ...environmentAt(service.origin), ...person.environment };
  const argv = ["remit", "--from-file", draftFile(remittance), "--reference", "INV-42"];
  const ended = await run(argv, { ...person, environment, now });
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toContain(String.raw`through      Tigo\u001b[2J (TZ-TIGO-B2C, MOBILE)`);
});

test("an institution code listed as a number equals the text of its digits", async () => {
  const body = remittanceWith({ institutionCode: "0501" });
  expect(await send(ok('[{"code":"0501","channel":"MOBILE"}]'), ok(record), body)).toMatchObject({ exit: 0 });
  const other = remittanceWith({ institutionCode: "501" });
  expect(await send(ok('[{"code":501,"channel":"MOBILE"}]'), ok(record), other)).toMatchObject({ exit: 0 });
});

test.each([
  [100, 2500.004, ""],
  [100, 2500.01, ""],
  [100.01, 2500, "250,025.00"],
  [100, 2499.98, "249,998.00"],
])(
  "a sender amount of %d at rate %d for 250000 shillings warns when more than a shilling off",
  async (senderAmount, exchangeRate, converted) => {
    const { exit, stderr } = await send(ok(institutions), ok(record), remittanceWith({ senderAmount, exchangeRate }));
    const said = `Warning: At that rate the sender's amount is ${converted} TZS; the receiver would get 250,000.00 TZS.\n`;
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: converted === "" ? "" : said });
  },
);

test.each([
  ["TZS", 1000, 250_000_000, "and the rate is 1000: for 250,000.00 TZS the receiver would get 250,000,000.00 TZS."],
  ["TZS", 0.5, 125_000, "and the rate is 0.5: for 250,000.00 TZS the receiver would get 125,000.00 TZS."],
  ["TZS", 1, 250_000, ""],
])(
  "a sender in %s with rate %d gets a warning unless the rate is 1",
  async (senderCurrency, exchangeRate, receiverAmount, said) => {
    const amounts = { senderCurrency, senderAmount: 250_000, exchangeRate, receiverAmount };
    const { exit, stderr } = await send(ok(institutions), ok(record), remittanceWith(amounts));
    const warning = said === "" ? "" : `Warning: The sender pays in shillings as well, ${said}\n`;
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: warning });
  },
);
