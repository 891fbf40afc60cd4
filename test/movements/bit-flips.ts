import { expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import type { Kind } from "./kinds.ts";
import { kinds, objectIn } from "./kinds.ts";
import { openMoneyPath, performAll } from "./money-path.ts";
import { teller } from "./teller.ts";

// One flipped bit makes another answer than the service sent. An answer that is still believed must be about this
// order.

export const bits = [0, 1, 2, 3, 4, 5, 6, 7] as const;

export const flipped = (text: string, at: number, bit: number): Buffer => {
  const bytes = Buffer.from(text);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  return bytes;
};

/** What an answer says that contradicts this order. */
export function contradictions(kind: Kind, reference: string, said: string): string[] {
  const { endpoint, input } = kind.order(reference);
  const document = objectIn(said);
  const { narration } = document;
  const tag = typeof narration === "string" ? / \[([^[\]]+)\]$/.exec(narration)?.[1] : undefined;
  const others = Object.entries(endpoint.receipt.echoes).filter(
    ([theirs, ours]) =>
      theirs in document && JSON.stringify(document[theirs]) !== JSON.stringify(Reflect.get(input, ours)),
  );
  return [...others.map(([name]) => name), ...((tag ?? reference) === reference ? [] : ["narration"])];
}

const referenceOf = (index: number) => `R-${String(index).padStart(4, "0")}`;

const wholeOf = (kind: Kind, index: number) => answer(kind.status, kind.answer(referenceOf(index)));

/** Flips bits of whole answers on the wire, head included; `bitsAt` chooses the bits of each byte. */
export function testFlippedAnswers(bitsAt: (at: number) => readonly number[]): void {
  for (const kind of kinds) {
    test(`${kind.kind}: no flipped bit of the answer on the wire makes it a success about another order`, async () => {
      const cases = Array.from(wholeOf(kind, 0), (_, at) => bitsAt(at).map((bit) => [at, bit] as const)).flat();
      const { origin, requests } = await teller({
        react: (socket, request) => {
          const index = Number(kind.referenceIn(request.body)?.slice(2));
          const [at = 0, bit = 0] = cases[index] ?? [];
          socket.end(flipped(wholeOf(kind, index), at, bit));
        },
      });
      const path = await openMoneyPath(origin);
      const results = await performAll([...cases.keys()], 8, (index) => path.perform(kind, referenceOf(index)));
      const states = results.map(({ movement }) => movement.state);
      expect(states.filter((state) => state !== kind.state && state !== "unknown")).toEqual([]);
      const believed = results.flatMap(({ movement }) => (movement.state === kind.state ? [movement] : []));
      expect(believed.flatMap(({ reference, response }) => contradictions(kind, reference, response ?? ""))).toEqual(
        [],
      );
      expect(requests).toHaveLength(cases.length);
      expect(await path.movements()).toHaveLength(cases.length);
    });
  }
}
