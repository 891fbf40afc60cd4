import { expect, test } from "vitest";
import { readWebhookKeys } from "../../src/contract/webhooks/key.ts";
import type { Inbox } from "../../src/webhooks/inbox/inbox.ts";
import { RateLimitedLog } from "../../src/webhooks/listen/rate-limited-log.ts";
import { receiving } from "../../src/webhooks/listen/handler.ts";
import { documented, documentedBody } from "../contract/webhook-bytes.ts";
import { memoryHost } from "../memory-host.ts";

// After an answer of 200 the service never sends the event again. So the receiver answers once the event is on the
// disk.

const nothing = () => Promise.resolve(undefined);
const body = () => Promise.resolve(Buffer.from(documentedBody));

/** A receiver whose disk takes as long as the test wants. */
function receiverWith(store: Inbox["store"]) {
  const { clock } = memoryHost();

  const answer = receiving({
    path: "/webhook",
    keys: readWebhookKeys(documented.key),
    clock,
    inbox: { store, quarantine: nothing, keepForged: nothing },
    notes: new RateLimitedLog(clock, () => undefined),
    isStopping: () => false,
    dueAt: () => null,
    onStored: () => undefined,
    maxAgeMs: Infinity,
    counts: { add: () => undefined },
    metrics: async () => "",
    onUnsure: () => undefined,
  });
  return answer({ method: "POST", target: "/webhook", headers: {}, body });
}

test("an event is answered when it is on the disk, and not before", async () => {
  const order: string[] = [];
  const onDisk = Promise.withResolvers<number>();
  const answered = receiverWith(() => onDisk.promise).then(({ status }) => order.push(`answered ${status}`));
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  order.push("on the disk");
  onDisk.resolve(1);
  await answered;
  expect(order).toEqual(["on the disk", "answered 200"]);
});

test("an event that the disk does not take is answered with 503", async () => {
  const { status } = await receiverWith(() => Promise.reject(new Error("the disk is full")));
  expect(status).toBe(503);
});
