import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Callback } from "../../src/contract/callback.ts";
import { readCollectionCallback, readRemittanceCallback } from "../../src/contract/callback.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import type { FinalCallback, Match } from "../../src/movements/waiting/callback-matcher.ts";
import { CallbackMatcher, keptMaxCount } from "../../src/movements/waiting/callback-matcher.ts";
import { isJsonObject } from "../../src/values/json.ts";

const ours = { reference: "INV-1", transactionId: "a1B2c3D4e5F6" };

const words = fc.constantFrom(
  ...(["accepted", "refused", "reversed", "unknown", "pending", undefined] as const).map((outcome) => ({
    word: String(outcome),
    outcome,
  })),
);

/** Callbacks as they arrive: mostly ours, some about other orders, some without an id. */
const callbacks: fc.Arbitrary<Callback> = fc
  .tuple(
    words,
    fc.constantFrom(ours.reference, ours.reference, ours.reference, "INV-2", ""),
    fc.constantFrom(ours.transactionId, ours.transactionId, ours.transactionId, "anotherOne12", "", null),
  )
  .map(([said, reference, transactionId]) => ({ ...said, reference, transactionId }));

/** A payment that came back was paid first. */
const fate = ({ outcome }: Callback) => (outcome === "reversed" ? "accepted" : outcome);

/** What becomes of a movement, worked out without a matcher from the whole story. */
function oracle(early: readonly Callback[], late: readonly Callback[], answeredId: string | undefined) {
  const kept = early.filter(({ reference }) => reference === ours.reference).slice(0, keptMaxCount);
  const finals = [...kept, ...late].filter(
    ({ reference, transactionId, outcome }) =>
      reference === ours.reference &&
      (answeredId === undefined || transactionId === null || transactionId === answeredId) &&
      ["accepted", "refused", "reversed", "unknown"].includes(String(outcome)),
  );
  const [first] = finals;
  const same = finals.filter((callback) => first !== undefined && fate(callback) === fate(first));
  return {
    first,
    return: first?.outcome === "accepted" ? same.find(({ outcome }) => outcome === "reversed") : undefined,
    contradictions: [
      ...new Map(
        finals
          .filter((callback) => !same.includes(callback))
          .toReversed()
          .map((callback) => [callback.outcome, callback]),
      ).values(),
    ].toSorted((one, other) => finals.indexOf(one) - finals.indexOf(other)),
  };
}

/** The same, as the matcher reports it while callbacks arrive. */
function told(early: readonly Callback[], late: readonly Callback[], answeredId: string | undefined) {
  const matcher = new CallbackMatcher(ours.reference);
  const before = early.map((callback) => matcher.take(callback));
  const after = [...matcher.answered(answeredId), ...late.map((callback) => matcher.take(callback))];
  const kinds = new Set(before.map(({ kind }) => kind));
  expect([...kinds].filter((kind) => kind !== "kept" && kind !== "foreign" && kind !== "dropped")).toEqual([]);
  expect(before.filter(({ kind }) => kind === "kept").length).toBeLessThanOrEqual(keptMaxCount);
  const [[first, ...more], [back, ...again]] = [finalsOf(after, "first"), finalsOf(after, "return")];
  expect([...more, ...again]).toEqual([]);
  return { first, return: back, contradictions: finalsOf(after, "contradiction") };
}

function finalsOf(matches: readonly Match[], kind: "first" | "return" | "contradiction"): FinalCallback[] {
  return matches.flatMap((match) => (match.kind === kind ? [match.callback] : []));
}

const answeredIds = fc.constantFrom(ours.transactionId, ours.transactionId, undefined);

test("our final callbacks are recognised among early, lost, doubled, reordered, contradictory and forged ones", () => {
  const few = fc.array(callbacks, { maxLength: 8 });
  fc.assert(
    fc.property(few, few, answeredIds, (early, late, answeredId) => {
      expect(told(early, late, answeredId)).toEqual(oracle(early, late, answeredId));
    }),
    { numRuns: 10_000 },
  );
});

test("at most a hundred callbacks are kept before the answer", () => {
  const many = fc.array(callbacks, { minLength: 90, maxLength: 400, size: "max" });
  fc.assert(
    fc.property(many, fc.array(callbacks, { maxLength: 3 }), answeredIds, (early, late, answeredId) => {
      expect(told(early, late, answeredId)).toEqual(oracle(early, late, answeredId));
    }),
    { numRuns: 200 },
  );
});

function read(json: string, reader = readCollectionCallback): Callback | undefined {
  const body = decodeJson(json);
  return isJsonObject(body) ? reader(body) : undefined;
}

test.each([
  ["PENDING_ACK", "pending"],
  ["PAYMENT_ACCEPTED", "accepted"],
  ["PAYMENT_REJECTED", "refused"],
  ["INSUFFICIENT_FUNDS", "refused"],
  ["PROVIDER_FAILED", "refused"],
  ["GENERIC_ERROR", "unknown"],
  ["GENERIC_FAILURE", "unknown"],
  ["SESSION_EXPIRED", undefined],
  ["SUCCESS", undefined],
  ["payment_accepted", undefined],
  ["constructor", undefined],
])("spec 3, 6.1: %s means %s", (word, outcome) => {
  const json = `{"statusCode":"${word}","transactionId":"a1B2c3D4e5F6","transactionRef":"INV-1","meta":{}}`;
  expect(read(json)).toEqual({ ...ours, word, outcome });
});

test.each([
  "{}",
  '{"statusCode":"PAYMENT_ACCEPTED"}',
  '{"statusCode":200,"transactionRef":"INV-1"}',
  '{"statusCode":"","transactionRef":"INV-1"}',
  '{"statusCode":"PAYMENT_ACCEPTED","transactionRef":["INV-1"]}',
  '{"statusCode":"PAYMENT_ACCEPTED","transactionRef":""}',
  `{"statusCode":"${"A".repeat(201)}","transactionRef":"INV-1"}`,
])("%s isn't a valid callback", (json) => {
  expect(read(json)).toBeUndefined();
});

const torn = "unknown";

test.each([
  [`"status":"CREATED"`, "CREATED", "pending"],
  [`"status":"SUBMITTED","statusCode":"PENDING_ACK"`, "SUBMITTED", "pending"],
  [`"status":"waiting_ack"`, "waiting_ack", "pending"],
  [`"status":"PENDING","statusCode":200`, "PENDING", "pending"],
  [`"statusCode":"PROCESSING"`, "PROCESSING", "pending"],
  [`"status":"COMPLETED"`, "COMPLETED", "accepted"],
  [`"status":"Completed","statusCode":"PAYMENT_SUCCESS","error":null`, "Completed", "accepted"],
  [`"status":"FAILED"`, "FAILED", "refused"],
  [`"status":"FAILED","statusCode":"INVALID_ACCOUNT","error":"closed"`, "FAILED", "refused"],
  [`"statusCode":"PAYMENT_CANCELED"`, "PAYMENT_CANCELED", "refused"],
  [`"status":"CANCELLED"`, "CANCELLED", "refused"],
  [`"status":"REVERSED"`, "REVERSED", "reversed"],
  [`"status":"HELD"`, "HELD", undefined],
  [`"status":"HELD","statusCode":"ALSO_HELD"`, "HELD and ALSO_HELD", undefined],
  [`"status":"CREATED","statusCode":"HELD"`, "CREATED and HELD", undefined],
  [`"status":"GENERIC_ERROR"`, "GENERIC_ERROR", "unknown"],
  [`"status":"COMPLETED","statusCode":"PAYMENT_FAILED"`, "COMPLETED and PAYMENT_FAILED", torn],
  [`"status":"CREATED","statusCode":"FAILED"`, "CREATED and FAILED", torn],
  [`"status":"COMPLETED","statusCode":"HELD"`, "COMPLETED and HELD", torn],
  [`"status":"COMPLETED","success":false`, "COMPLETED", torn],
  [`"status":"COMPLETED","error":{"code":1}`, "COMPLETED", torn],
  [`"status":"COMPLETED","reason":"PAYMENT_REJECTED"`, "COMPLETED", torn],
])("a remittance's record with %s means %s: %s, and names no id", (fields, word, outcome) => {
  const json = `{"partnerReference":"REM-1",${fields},"createdAt":"2026-03-31T12:00:00+03:00"}`;
  expect(read(json, readRemittanceCallback)).toEqual({ reference: "REM-1", transactionId: null, word, outcome });
});

test.each([
  `{"partnerReference":"REM-1"}`,
  `{"partnerReference":"REM-1","statusCode":200}`,
  `{"partnerReference":"","status":"COMPLETED"}`,
  `{"status":"COMPLETED"}`,
  `{"partnerReference":"REM-1","status":"${"A".repeat(201)}"}`,
])("%s isn't a valid callback of a remittance", (json) => {
  expect(read(json, readRemittanceCallback)).toBeUndefined();
});

test.each([
  [`"success":false`, "unknown"],
  [`"error":"no funds"`, "unknown"],
  [`"status":"FAILED"`, "unknown"],
  [`"error":null,"success":true`, "accepted"],
])("a collection's callback with PAYMENT_ACCEPTED and %s means %s", (more, outcome) => {
  const json = `{"statusCode":"PAYMENT_ACCEPTED","transactionId":"a","transactionRef":"INV-1",${more}}`;
  expect(read(json)).toMatchObject({ outcome });
});
