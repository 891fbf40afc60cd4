import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { stopTime } from "../stopped-time.ts";
import { breakingOff, endings, positionsOf, referenceOf, testBrokenCommands, wholeAnswer } from "./broken-answers.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { openMoneyPath, patientMs, performAll } from "./money-path.ts";
import { teller } from "./teller.ts";

// An answer that breaks off after each of its bytes, in each way a connection can end.

for (const kind of kinds) {
  test.for(["end", "reset"] as const)(
    `${kind.kind}: an answer cut off after any byte by %s is unknown, and the order is never sent again`,
    async (ending) => {
      const stride = kinds.indexOf(kind) < 2 ? 1 : size(4, 1);
      const positions = positionsOf(kind).filter((at) => at % stride === 0);
      expect(await breakOff(kind, ending, positions)).toEqual([]);
    },
  );
}

test("an answer that falls silent after any byte is unknown, and the order is never sent again", async () => {
  // They all wait at the same time; how a silence ends does not depend on the kind of order.
  const tables = kinds.map((kind) => {
    const stride = kind === kinds[0] ? 1 : 16;
    return [kind, positionsOf(kind).filter((at) => at % stride === 0)] as const;
  });
  const pass = stopTime();
  let coming = tables.flatMap(([, positions]) => positions).length;
  const onSilence = () => {
    coming -= 1;
    // What was written last is read in the next turn of the loop.
    if (coming === 0) setImmediate(() => setImmediate(pass, patientMs));
  };
  const silent = tables.map(([kind, positions]) => breakOff(kind, "silence", positions, { onSilence }));
  expect((await Promise.all(silent)).flat()).toEqual([]);
});

/** Comes before the answer and is not the answer. */
const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

for (const kind of kinds) {
  test.for(["end", "reset"] as const)(
    `${kind.kind}: interim answers cut off after any byte by %s leave it unknown, and it is never sent again`,
    async (ending) => {
      const stride = kind === kinds[0] ? 1 : size(8, 1);
      const positions = positionsOf(kind, interim).filter(
        (at, _, { length }) => (at <= interim.length && at % stride === 0) || at === length - 1,
      );
      expect(await breakOff(kind, ending, positions, { before: interim })).toEqual([]);
    },
  );

  test(`${kind.kind}: interim answers and the answer may arrive in any two pieces without changing the outcome`, async () => {
    const service = await teller({
      react(socket, { body }) {
        const reference = kind.referenceIn(body) ?? "";
        const [bytes, at] = [wholeAnswer(kind, reference, interim), Number(reference.slice(2))];
        socket.setNoDelay(true);
        socket.write(bytes.slice(0, at), () => setImmediate(() => socket.end(bytes.slice(at))));
      },
    });
    const path = await openMoneyPath(service.origin);
    const stride = kind === kinds[0] ? 1 : size(8, 1);
    const positions = positionsOf(kind, interim).filter((at) => at % stride === 0);
    const results = await performAll(positions, 8, (position) => path.perform(kind, referenceOf(position)));
    expect(results.map(({ movement }) => movement.state).filter((state) => state !== kind.state)).toEqual([]);
  });
}

testBrokenCommands((kind) => size(kind === kinds[0] ? 16 : 64, 1));

/** Breaks an answer off after so many bytes, for each of the positions, and returns what is wrong. */
async function breakOff(
  kind: Kind,
  ending: keyof typeof endings,
  positions: readonly number[],
  { before = "", onSilence }: { readonly before?: string; readonly onSilence?: () => void } = {},
): Promise<unknown[]> {
  const service = await teller({ react: breakingOff(kind, onSilence ?? endings[ending].end, before) });
  const path = await openMoneyPath(service.origin);
  const performEach = (atOnce: number) =>
    performAll(positions, atOnce, (position) => path.perform(kind, referenceOf(position)));
  const results = await performEach(ending === "silence" ? positions.length : 8);
  const whole = wholeAnswer(kind, referenceOf(0), before).length;
  const wholeMayBe = new Set<string>([kind.state, ...endings[ending].mayBe]);
  const wrong: unknown[] = results.filter(({ movement: { state }, sentNow }, index) => {
    const isRight = (positions[index] ?? 0) < whole ? state === "unknown" : wholeMayBe.has(state);
    return !isRight || !sentNow;
  });
  // On a network that works again.
  service.react((socket, { body }) => socket.end(wholeAnswer(kind, kind.referenceIn(body) ?? "", before)));
  for (const _ of [1, 2]) {
    const again = await performEach(8);
    wrong.push(...again.filter(({ movement }, index) => !isDeepStrictEqual(movement, results[index]?.movement)));
  }
  const arrived = service.requests.map(({ body }) => kind.referenceIn(body) ?? "");
  const once = new Set(arrived).size === arrived.length && arrived.length === positions.length;
  const { length } = await path.movements();
  return [
    ...wrong,
    ...(once && length === positions.length ? [] : ["requests or movements of another number", arrived]),
  ];
}
