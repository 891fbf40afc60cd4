import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import type { Reaction } from "./teller.ts";
import { teller } from "./teller.ts";
import { expectInvariants } from "./invariants.ts";
import { environmentAt, honest } from "./service.ts";
import { openTill } from "./till.ts";

/** How the connection ends after the last byte sent, and which other states a complete answer may lead to then. */
export const endings = {
  end: { end: (socket) => socket.destroySoon(), mayBe: [] },
  // A reset can overtake the bytes before it.
  reset: { end: (socket) => socket.resetAndDestroy(), mayBe: ["unknown"] },
  silence: { end: () => undefined, mayBe: [] },
} as const satisfies Record<string, { end: (socket: Socket) => void; mayBe: readonly string[] }>;

/** `before` is what comes before the answer's own head. */
export const wholeAnswer = (kind: Kind, reference: string, before = "") =>
  before + answer(kind.status, kind.answer(reference));

/** References that contain the position and all have the same length. */
export const referenceOf = (position: number) => `R-${String(position).padStart(4, "0")}`;

/** Answers each request up to the byte in its reference, and ends the connection that way. */
export function breakingOff(kind: Kind, end: (socket: Socket) => void, before = ""): Reaction {
  return (socket, { body }) => {
    const reference = kind.referenceIn(body) ?? "";
    const part = wholeAnswer(kind, reference, before).slice(0, Number(reference.slice(2)));
    if (part === "") end(socket);
    else socket.write(part, () => end(socket));
  };
}

/** After nothing, after each byte, and after all of it. */
export const positionsOf = (kind: Kind, before = "") =>
  Array.from({ length: wholeAnswer(kind, referenceOf(0), before).length + 1 }, (_, at) => at);

/** Runs the commands themselves against answers that break off at every so many bytes, by kind. */
export function testBrokenCommands(strideOf: (kind: Kind) => number): void {
  for (const kind of kinds) {
    test(`${kind.kind}: the command reports unknown as well when the answer breaks off`, async () => {
      const service = await teller();
      for (const ending of ["end", "reset"] as const) {
        const till = openTill(environmentAt(service.origin));
        for (const position of positionsOf(kind).slice(0, -1)) {
          if (position % strideOf(kind) > 0) continue;
          const reference = `${referenceOf(position)}-${ending}`;
          service.react((socket, request) =>
            breakingOff(kind, endings[ending].end)(socket, {
              ...request,
              body: request.body.replace(`-${ending}`, ""),
            }),
          );
          const first = await till.run(`${kind.line(reference)} --again`);
          expect(first.exit).toBe(6);
          await expectInvariants(first, { kind, reference, till, service: honest(service) });
        }
      }
    });
  }
}
