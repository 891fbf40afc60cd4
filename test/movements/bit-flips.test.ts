import { expect, test } from "vitest";
import { judgeAnswer } from "../../src/contract/answers/verdict.ts";
import { size } from "../journal/long.ts";
import { bits, contradictions, flipped, testFlippedAnswers } from "./bit-flips.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";

/**
 * Where an answer with a flipped bit is still a valid answer, by kind: the service's own ids and times, texts of ours
 * that
 * aren't valid references, and names of optional fields.
 */
const undetectable: Readonly<Record<Kind["kind"], readonly string[]>> = {
  transfer: ["transactionId", "transactionDate", "narration", "transactionRef", "from", "to", "amount"],
  withdraw: ["paymentRef", "transactionId", "transactionRef"],
  collect: ["transactionId"],
  payout: ["transactionId"],
  // A remittance takes any JSON as a success.
  remit: ["partnerReference", "status", "statusCode", "createdAt"],
};

/** The name of the member of the document that contains the byte. */
function memberAt(document: string, at: number): string {
  for (const member of document.matchAll(/"(\w+)":("[^"]*"|[\d.]+)/g))
    if (at >= member.index && at < member.index + member[0].length) return member[1] ?? "";
  return "between members";
}

for (const kind of kinds) {
  const body = kind.answer("R-1");

  test(`${kind.kind}: no flipped bit in the body makes it a success about another order`, () => {
    const order = kind.order("R-1");
    const believed = new Set<string>();
    for (let at = 0; at < Buffer.byteLength(body); at += 1) {
      for (const bit of bits) {
        // Decoded as it is read off the wire.
        const heard = new TextDecoder().decode(flipped(body, at, bit));
        const verdict = judgeAnswer(200, heard, order.endpoint.receipt, order.input);
        expect([kind.state, "unknown"]).toContain(verdict.outcome);
        if (verdict.outcome !== kind.state) continue;
        expect(contradictions(kind, "R-1", heard)).toEqual([]);
        believed.add(memberAt(body, at));
      }
    }
    expect([...believed].toSorted()).toEqual([...undetectable[kind.kind]].toSorted());
  });
}

// One bit of each byte, another one in each of eight neighbours; the long run flips them all.
testFlippedAnswers((at) => (size(0, 1) === 1 ? bits : [at % 8]));
