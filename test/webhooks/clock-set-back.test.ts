import { expect, onTestFinished, test } from "vitest";
import { newMachine, send } from "./listening.ts";
import { receiver } from "./receiver.ts";

// An event is money that a person waits for: it is not delayed when the machine's clock is set back.

const hour = 3_600_000;
const tenWeeks = 10 * 7 * 24 * hour;
/** How often a receiver looks for events that others have left, and for requested deliveries. */
const look = 5_000;

test.each([
  ["an hour", hour],
  ["ten weeks", tenWeeks],
])("a refused event is sent again although the clock went back %s", async (_, backMs) => {
  const { receiving, sent, again } = await withOneEvent(500);
  receiving.setClockBack(backMs, look);
  await send(receiving.url, "B");
  await again;
  await receiving.stop();
  expect(sent.toSorted()).toEqual(["req-A", "req-A", "req-B"]);
});

test("a replayed event is sent although the clock went back an hour", async () => {
  const { machine, receiving, sent, again } = await withOneEvent(200);
  receiving.setClockBack(hour, look);
  expect(await machine.type("webhook inbox replay A", {}, look - hour)).toMatchObject({ exit: 0 });
  receiving.setClockBack(0, look);
  await send(receiving.url, "B");
  await again;
  await receiving.stop();
  expect(sent.toSorted()).toEqual(["req-A", "req-A", "req-B"]);
});

test("an event whose receiver was away for a day is tried more than once before it fails", async () => {
  const { machine, receiving, sent, again } = await withOneEvent(500, 2);
  receiving.setClockBack(-24 * hour, look);
  await send(receiving.url, "B");
  await again;
  for (let attempts = ""; !attempts.includes("A,2\n");)
    attempts = (await machine.type("webhook inbox list --csv --columns id,attempts")).stdout;
  receiving.setClockBack(0, look);
  await send(receiving.url, "C");
  await receiving.stop();
  expect(sent.filter((id) => id === "req-A")).toHaveLength(3);
  const { stdout } = await machine.type("webhook inbox list --csv --columns id,state");
  expect(stdout).toContain("A,delivered\n");
});

/**
 * A receiver that has forwarded event A once, to a program that answers so many times with that status and then
 * accepts all.
 */
async function withOneEvent(status: number, times = 1) {
  const sent: string[] = [];
  const { promise: again, resolve: cameAgain } = Promise.withResolvers<void>();
  const target = await receiver((_, { headers }) => {
    sent.push(String(headers["x-request-id"]));
    const ofA = sent.filter((id) => id === "req-A").length;
    if (ofA === 2) cameAgain();
    return sent.at(-1) === "req-A" && ofA <= times ? status : 200;
  });
  onTestFinished(() => target.stop());
  const machine = newMachine();
  const receiving = await machine.listen(`--forward-to ${target.url}`);
  await send(receiving.url, "A");
  for (let attempts = ""; !attempts.includes("\n1\n");)
    attempts = (await machine.type("webhook inbox list --csv --columns attempts")).stdout;
  return { machine, receiving, sent, again };
}
