import { expect, test } from "vitest";
import { restored, storable } from "../../src/webhooks/inbox/stored-text.ts";
import { signed } from "./flood.ts";
import { newMachine, post, timestamp } from "./listening.ts";

/** As they are written in a payload, between quotes. */
const awkward = [
  String.raw`N\u0000a`,
  String.raw`N\\u0000a`,
  String.raw`N\\u005cu0000a`,
  String.raw`x\ud800`,
  String.raw`x\udbff`,
  String.raw`x\ufffd`,
  String.raw`x\\ud800`,
  String.raw`x\ud83d\udca1`,
];

function payloadOf(id: string): string {
  return `{"transaction":{"id":"${id}"}}`;
}

test("ids that a database might take for the same are separate events, and are listed unchanged", async () => {
  const machine = newMachine();
  const { url, stop } = await machine.listen();
  for (const id of awkward)
    expect((await post(url, signed(payloadOf(id), timestamp))).text).toMatch(/^\{"message":"received",/);
  await stop();
  const ids = awkward.map((id): unknown => JSON.parse(`"${id}"`));
  const { stdout } = await machine.type("webhook inbox list --output ndjson");
  const listed = stdout.trim().split("\n");
  expect(listed.map((line): unknown => JSON.parse(line).id)).toEqual(ids);
  const shown = await machine.type(String.raw`webhook inbox show 'x\ud800' --json`);
  expect(shown.exit).toBe(0);
});

test("every text is returned by the database unchanged, and all stay different", () => {
  const pieces = ["\0", "\\", "u0000", "u005c", "ud800", "uD800", "\ud800", "\udc00", "a"];
  const texts = new Set(pieces.flatMap((a) => pieces.flatMap((b) => pieces.map((c) => a + b + c))));
  const stored = [...texts].map((text) => storable(text));
  expect(stored.map((text) => restored(text))).toEqual([...texts]);
  expect(stored.every((text) => text.isWellFormed() && !text.includes("\0"))).toBe(true);
});
