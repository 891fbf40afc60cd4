import { expect, test } from "vitest";
import { breakingOff, endings, positionsOf, referenceOf, testBrokenCommands, wholeAnswer } from "./broken-answers.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { openMoneyPath, performAll } from "./money-path.ts";
import type { Teller } from "./teller.ts";
import { teller } from "./teller.ts";

// An answer that breaks off after each of its bytes, in each of the ways in which a connection ends.

/** Long enough for every exchange of a test to begin, and for none of them to be given up before. */
const silenceMs = 3000;

for (const kind of kinds) {
  for (const ending of ["end", "reset", "silence"] as const) {
    test(`${kind.kind}: whatever byte the answer breaks off after by ${ending}, it is unknown and never sent again`, async () => {
      const service = await teller({ react: breakingOff(kind, ending) });
      const path = await openMoneyPath(service.origin, ending === "silence" ? silenceMs : undefined);
      const positions = positionsOf(kind);
      const results = await performAll(positions, ending === "silence" ? positions.length : 8, (position) =>
        path.perform(kind, referenceOf(position)),
      );
      const whole = positions.length - 1;
      const expected: readonly string[] = endings[ending].whole;
      const wrong = results.filter(({ movement: { state } }, position) =>
        position === whole ? !expected.includes(state) : state !== "unknown",
      );
      expect(wrong).toEqual([]);
      expect(results.every(({ sentNow }) => sentNow)).toBe(true);
      expectOneEach(service, kind, positions);
      // On a network that is well again.
      service.react((socket, { body }) => socket.end(wholeAnswer(kind, kind.referenceIn(body) ?? "")));
      for (const _ of [1, 2]) {
        const again = await performAll(positions, 8, (position) => path.perform(kind, referenceOf(position)));
        expect(again.map(({ movement }) => movement)).toEqual(results.map(({ movement }) => movement));
      }
      expectOneEach(service, kind, positions);
      expect(await path.movements()).toHaveLength(positions.length);
    });
  }
}

testBrokenCommands(16);

function expectOneEach(service: Teller, kind: Kind, positions: readonly number[]): void {
  const references = service.requests.map(({ body }) => kind.referenceIn(body) ?? "");
  expect(references.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(positions.map(referenceOf));
}
