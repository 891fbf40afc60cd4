import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Callback } from "../../src/contract/callback.ts";
import { readCollectionCallback, readRemittanceCallback } from "../../src/contract/callback.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import type { FinalCallback, Match } from "../../src/movements/callback-matcher.ts";
import { CallbackMatcher, keptMaxCount } from "../../src/movements/callback-matcher.ts";
import { isJsonObject } from "../../src/values/json.ts";

const ours = { reference: "INV-1", transactionId: "a1B2c3D4e5F6" };

const words = fc.constantFrom(
  ...(["accepted", "refused", "unknown", "pending", undefined] as const).map((outcome) => ({
    word: String(outcome),
    outcome,
  })),
);

/** Callbacks as they come: mostly ours, some that speak of others, some without an id. */
const callbacks: fc.Arbitrary<Callback> = fc
  .tuple(
    words,
    fc.constantFrom(ours.reference, ours.reference, ours.reference, "INV-2", ""),
    fc.constantFrom(ours.transactionId, ours.transactionId, ours.transactionId, "anotherOne12", "", null),
  )
  .map(([said, reference, transactionId]) => ({ ...said, reference, transactionId }));

/** What becomes of a movement, said without a matcher: from the whole story, looked at from its end. */
function oracle(early: readonly Callback[], late: readonly Callback[], answeredId: string | undefined) {
  const kept = early.filter(({ reference }) => reference === ours.reference).slice(0, keptMaxCount);
  const finals = [...kept, ...late].filter(
    ({ reference, transactionId, outcome }) =>
      reference === ours.reference &&
      (answeredId === undefined || transactionId === null || transactionId === answeredId) &&
      ["accepted", "refused", "unknown"].includes(String(outcome)),
  );
  return { first: finals[0], contradictions: finals.filter(({ outcome }) => outcome !== finals[0]?.outcome) };
}

/** The same, as the matcher says it while callbacks come. */
function told(early: readonly Callback[], late: readonly Callback[], answeredId: string | undefined) {
  const matcher = new CallbackMatcher(ours.reference);
  const before = early.map((callback) => matcher.take(callback));
  const after = [...matcher.answered(answeredId), ...late.map((callback) => matcher.take(callback))];
  const kinds = new Set(before.map(({ kind }) => kind));
  expect([...kinds].filter((kind) => kind !== "kept" && kind !== "foreign" && kind !== "dropped")).toEqual([]);
  expect(before.filter(({ kind }) => kind === "kept").length).toBeLessThanOrEqual(keptMaxCount);
  const [first, ...more] = finalsOf(after, "first");
  expect(more).toEqual([]);
  return { first, contradictions: finalsOf(after, "contradiction") };
}

function finalsOf(matches: readonly Match[], kind: "first" | "contradiction"): FinalCallback[] {
  return matches.flatMap((match) => (match.kind === kind ? [match.callback] : []));
}

const answeredIds = fc.constantFrom(ours.transactionId, ours.transactionId, undefined);

test("callbacks early, lost, doubled, reordered, contradictory and forged: the first final one of ours decides", () => {
  const few = fc.array(callbacks, { maxLength: 8 });
  fc.assert(
    fc.property(few, few, answeredIds, (early, late, answeredId) => {
      expect(told(early, late, answeredId)).toEqual(oracle(early, late, answeredId));
    }),
    { numRuns: 10_000 },
  );
});

test("no more than a hundred are kept before the answer", () => {
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
])("%s is no callback", (json) => {
  expect(read(json)).toBeUndefined();
});

test.each([
  ["CREATED", "pending"],
  ["SUBMITTED", "pending"],
  ["WAITING_ACK", "pending"],
  ["COMPLETED", "accepted"],
  ["FAILED", "refused"],
  ["REVERSED", "refused"],
  ["CANCELED", "refused"],
  ["HELD", undefined],
])("a remittance's record that says %s means %s, and names no id", (status, outcome) => {
  const json = `{"partnerReference":"REM-1","status":"${status}","statusCode":"PENDING_ACK","createdAt":"2026-03-31T12:00:00+03:00"}`;
  expect(read(json, readRemittanceCallback)).toEqual({
    reference: "REM-1",
    transactionId: null,
    word: status,
    outcome,
  });
});
