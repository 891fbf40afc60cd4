import { expect, test } from "vitest";
import { webhookInstant } from "../../src/contract/webhooks/envelope.ts";
import { readWebhookKey, readWebhookKeys } from "../../src/contract/webhooks/key.ts";
import { signWebhook, verifyWebhook, webhookBody } from "../../src/contract/webhooks/webhook.ts";
import { Numeral } from "../../src/values/json.ts";
import { failureOf } from "../values/failure-of.ts";
import { documented, documentedBody } from "./webhook-bytes.ts";

const key = readWebhookKey(documented.key);
const other = readWebhookKey("YW5vdGhlci1rZXktb2YtMTY=");

function verify(body: string | Uint8Array, keys = [key]) {
  return verifyWebhook(typeof body === "string" ? Buffer.from(body) : body, keys);
}

/** A body that the service could have signed. */
function signed(payload: string, timestamp: string = documented.timestamp): string {
  return webhookBody({ timestamp, payload }, signWebhook({ timestamp, payload }, key));
}

test("the documented webhook is signed and written in the service's form", () => {
  expect(signWebhook(documented, key)).toBe(documented.signature);
  expect(webhookBody(documented, documented.signature)).toBe(documentedBody);
});

test("the documented webhook is genuine, and its amounts keep their digits", () => {
  const verified = verify(documentedBody);
  expect(verified).toMatchObject({
    verdict: "genuine",
    timestamp: documented.timestamp,
    payloadText: documented.payload,
    transactionId: "unique-transaction-id",
    payload: { transaction: { amountCredit: new Numeral("50000.00") } },
  });
});

test("while keys are exchanged either key is accepted, and a third one is not", () => {
  const both = readWebhookKeys(`YW5vdGhlci1rZXktb2YtMTY= ${documented.key}`);
  expect(verifyWebhook(Buffer.from(documentedBody), both).verdict).toBe("genuine");
  expect(verifyWebhook(Buffer.from(documentedBody), both.toReversed()).verdict).toBe("genuine");
  expect(verify(documentedBody, [other]).verdict).toBe("forged");
  expect(failureOf(() => readWebhookKeys(`${documented.key} ${documented.key} ${documented.key}`)).message).toBe(
    "The webhook key holds more than two keys.",
  );
});

test.each([
  ["partner-test-hash-key-0123456789", "The webhook key is not base64."],
  ["cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk", "The webhook key is not base64."],
  ["cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODl=", "The webhook key is not base64."],
  ["cGFydG5lci10ZXN0", "The webhook key is shorter than 16 bytes."],
  ["", "The webhook key is empty."],
  [" cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk=", "The webhook key begins or ends with white space."],
  ["cGFydG5lci10ZXN0LWhhc2gta2V5\nLTAxMjM0NTY3ODk=", "The webhook key is on more than one line."],
])("the key %j is refused without being repeated", (text, message) => {
  const failure = failureOf(() => readWebhookKey(text));
  expect([failure.ending, failure.message]).toEqual(["setup", message]);
});

// Other spellings of the same 32 bytes, which decoders accept: the specification requires the same text.
test.each([
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY",
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBZ=",
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBa=",
  "a22Nsrb1NF4Q0OuZ_qS9nc3YRLOhbJy_2Y9fe5k2BBY=",
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY==",
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=\\n",
  " a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=",
  "a22Nsrb1NF4Q0OuZ/qS9nc3Y RLOhbJy/2Y9fe5k2BBY=",
  "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=AAAA",
  "A22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=",
  "6b6d8db2b6f5345e10d0eb99fea4bd9dcdd844b3a16c9cbfd98f5f7b99360416",
  "",
])("the signature %j is forged", (signature) => {
  expect(verify(documentedBody.replace(documented.signature, signature)).verdict).toBe("forged");
});

test.each([
  ["", "it is not JSON"],
  ["[]", "it isn't a JSON object"],
  ["null", "it isn't a JSON object"],
  ["\uFEFF{}", "it is not JSON"],
  ["{}", "it has no text called timestamp and none called signature and none called payload"],
  [documentedBody.replace("payload", "__proto__"), "it has no text called payload"],
  ['{"timestamp":1,"signature":"","payload":""}', "it has no text called timestamp"],
  ['{"timestamp":"2025-09-15T12:34:56+03:00","signature":"","payload":{}}', "it has no text called payload"],
  [
    '{"timestamp":"2025-09-15T12:34:56","signature":"","payload":""}',
    "its timestamp isn't an ISO 8601 time with an offset",
  ],
  [
    '{"timestamp":"2025-02-30T12:34:56Z","signature":"","payload":""}',
    "its timestamp isn't an ISO 8601 time with an offset",
  ],
  ["[".repeat(600), "it is not JSON"],
])("the body %j is not the envelope: %s", (body, why) => {
  expect(verify(body)).toEqual({ verdict: "not the envelope", why });
});

test("a body that is not UTF-8 is not the envelope", () => {
  const body = Buffer.concat([Buffer.from(documentedBody.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(verify(body)).toEqual({ verdict: "not the envelope", why: "it is not UTF-8" });
});

test.each([
  ["", "the payload isn't a JSON object"],
  ["hello", "the payload isn't a JSON object"],
  ["[1]", "the payload isn't a JSON object"],
  ["{}", "the payload has no transaction.id"],
  ['{"transaction":{"id":7}}', "the payload has no transaction.id"],
  ['{"transaction":{"id":""}}', "the payload has no transaction.id"],
  ['{"transaction":null}', "the payload has no transaction.id"],
  ['{"transaction":{"__proto__":{"id":"a"}}}', "the payload has no transaction.id"],
  ['{"transaction":{"id":"\uD800"}}', "the payload holds half a character"],
])("the signed payload %j is kept apart: %s", (payload, why) => {
  expect(verify(signed(payload))).toEqual({
    verdict: "unreadable",
    timestamp: documented.timestamp,
    payloadText: payload,
    why,
  });
});

test("moving characters between timestamp and payload never makes another genuine pair", () => {
  const content = documented.timestamp + documented.payload;
  const genuine = Array.from({ length: content.length + 1 }, (_, at) => at).filter((at) => {
    const pair = { timestamp: content.slice(0, at), payload: content.slice(at) };
    return verify(webhookBody(pair, documented.signature)).verdict === "genuine";
  });
  expect(genuine).toEqual([documented.timestamp.length]);
});

test.each([
  ["2025-09-15T12:34:56+03:00", Date.UTC(2025, 8, 15, 9, 34, 56)],
  ["2025-09-15T09:34:56Z", Date.UTC(2025, 8, 15, 9, 34, 56)],
  ["2025-09-15T09:34:56.5Z", Date.UTC(2025, 8, 15, 9, 34, 56, 500)],
  ["2025-09-15T09:34:56.123456789Z", Date.UTC(2025, 8, 15, 9, 34, 56, 123)],
  ["2025-09-15T12:34+0300", Date.UTC(2025, 8, 15, 9, 34)],
  ["2025-09-15T12:34:56", undefined],
  ["2025-09-15", undefined],
  ["2025-09-15 12:34:56+03:00", undefined],
  ["2025-09-15T24:00:00Z", undefined],
  ["2025-09-15T12:34:56+03:00\n", undefined],
])("the timestamp %j is the instant %s", (timestamp, instant) => {
  expect(webhookInstant(timestamp)).toBe(instant);
});
