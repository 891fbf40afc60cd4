import { expect, test } from "vitest";
import type { Kept } from "../../src/webhooks/inbox/inbox.ts";
import { deliveryOutcome } from "../../src/webhooks/listen/forwarder.ts";
import { pruneHint } from "../../src/webhooks/inbox/prune-hint.ts";
import { RateLimitedLog } from "../../src/webhooks/listen/rate-limited-log.ts";

const now = Date.UTC(2026, 2, 31, 9, 0, 0);
const second = 1_000;
const hour = 3_600 * second;

function keptOf(changes: Partial<Kept>): Kept {
  return {
    number: 1,
    id: "A",
    state: "new",
    receivedAt: now,
    requestId: null,
    timestamp: null,
    body: Buffer.from("{}"),
    attempts: 0,
    dueAt: now,
    wantedAt: now,
    tries: 0,
    problem: null,
    ...changes,
  };
}

const down = { problem: "it answered 500", isUnreachable: false };

test("an event without a receiver is tried again after a second, then doubling, at most five minutes apart", () => {
  const waits = Array.from({ length: 12 }, (_, tries) => deliveryOutcome(keptOf({ tries }), down, now).dueAt ?? 0);
  expect(waits.map((dueAt) => (dueAt - now) / second)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  expect((deliveryOutcome(keptOf({ tries: 5_000 }), down, now).dueAt ?? 0) - now).toBe(300 * second);
});

test("an event fails after 24 hours, counted from the last request for it", () => {
  const day = 24 * hour;
  expect(deliveryOutcome(keptOf({ tries: 290 }), down, now + day - 1).state).toBe("new");
  expect(deliveryOutcome(keptOf({ tries: 290 }), down, now + day)).toEqual({
    state: "failed",
    dueAt: null,
    problem: "it answered 500",
  });
  const replayed = keptOf({ tries: 0, attempts: 290, wantedAt: now + 40 * day });
  expect(deliveryOutcome(replayed, down, now + 40 * day)).toMatchObject({
    state: "new",
    dueAt: now + 40 * day + second,
  });
  expect(deliveryOutcome(keptOf({}), undefined, now + 9 * day)).toEqual({
    state: "delivered",
    dueAt: null,
    problem: null,
  });
});

test("a lasting problem is reported once a minute, and at once when it starts again", () => {
  let passedMs = 0;
  const said: string[] = [];
  const notes = new RateLimitedLog({ elapsed: () => passedMs }, (line) => said.push(line));
  for (; passedMs < 120 * second; passedMs += second) notes.say("down", `down at ${passedMs / second}`);
  expect(said).toEqual(["down at 0", "down at 60"]);
  notes.say("other", "other");
  expect(notes.isOver("down")).toBe(true);
  expect(notes.isOver("down")).toBe(false);
  notes.say("down", "down again");
  expect(said.slice(2)).toEqual(["other", "down again"]);
});

function hint(bytes: number, ageMs: number): Promise<string | undefined> {
  return pruneHint({ size: () => Promise.resolve({ bytes, oldestAt: now - ageMs }) }, now);
}

test("a large or old inbox leads to a hint how to make it smaller", async () => {
  expect(await hint(1024, 400 * 24 * hour)).toBeUndefined();
  expect(await hint(1024, 401 * 24 * hour)).toContain("partner webhook inbox prune --older-than 400d");
  expect(await hint(2 * 1024 ** 3, hour)).toContain("The inbox takes 2048 MiB");
});
