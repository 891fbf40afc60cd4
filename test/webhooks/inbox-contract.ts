import { expect, test } from "vitest";
import type { Arrival, Inbox, Kept } from "../../src/webhooks/inbox/inbox.ts";
import { forgedMaxBytes, forgedMaxCount } from "../../src/webhooks/inbox/rejected.ts";

/** Inboxes of one store, each opened as by a process of its own. */
export type InboxStore = () => Promise<Inbox>;

const now = Date.UTC(2026, 2, 31, 9, 0, 0);

function arrivalOf(id: string, changes: Partial<Arrival> = {}): Arrival {
  const body = Buffer.from(`{"payload":"${id}"}`);
  return {
    id,
    receivedAt: now,
    requestId: `r-${id}`,
    timestamp: "2026-03-31T12:00:00+03:00",
    body,
    dueAt: null,
    ...changes,
  };
}

function oddityOf(text: string, receivedAt = now) {
  return {
    receivedAt,
    requestId: null,
    timestamp: null,
    body: Buffer.from(text),
    problem: "the signature does not match",
  };
}

async function idsOf(kept: AsyncIterable<Kept> | readonly Kept[]): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of kept) ids.push(id);
  return ids;
}

const nobodyIsGone = () => "running" as const;
const everybodyIsGone = () => "ended" as const;
const large = (index: number) => `${index}${" ".repeat(1024 * 1024)}`;

/** What every inbox has to do, whatever stores its events. */
export function inboxContract(name: string, makeStore: () => InboxStore): void {
  test(`${name}: a delivered event stays delivered, whatever the outcome of an earlier attempt`, async () => {
    const inbox = await makeStore()();
    const number = (await inbox.store(arrivalOf("A", { dueAt: now }))) ?? 0;
    await inbox.settle(number, { state: "delivered", dueAt: null, problem: null });
    await inbox.settle(number, { state: "new", dueAt: now + 20, problem: "it answered 500" });
    expect(await inbox.find("A")).toMatchObject({ state: "delivered", dueAt: null, attempts: 2 });
    await inbox.requeue(number, now);
    expect(await inbox.find("A")).toMatchObject({ state: "new", dueAt: now });
    await inbox.close();
  });

  test(`${name}: an event is kept exactly as it was received, and found by its id`, async () => {
    const inbox = await makeStore()();
    const number = await inbox.store(arrivalOf("A", { body: Buffer.from([0x7b, 0x22, 0xc3, 0xa9, 0x22, 0x7d]) }));
    const kept = await inbox.find("A");
    expect(kept).toMatchObject({
      number,
      id: "A",
      state: "new",
      receivedAt: now,
      requestId: "r-A",
      attempts: 0,
      dueAt: null,
    });
    expect(Buffer.from(kept?.body ?? []).toString("hex")).toBe("7b22c3a9227d");
    expect(await inbox.find("B")).toBeUndefined();
    await inbox.close();
  });

  test(`${name}: a repeated event is recognised, in the same moment and by other processes`, async () => {
    const store = makeStore();
    const [one, other] = [await store(), await store()];
    const numbers = await Promise.all([
      one.store(arrivalOf("A")),
      one.store(arrivalOf("A")),
      one.store(arrivalOf("B")),
    ]);
    expect(numbers.map((number) => number === undefined)).toEqual([false, true, false]);
    expect(await other.store(arrivalOf("A", { body: Buffer.from("another body") }))).toBeUndefined();
    expect(await idsOf(other.list())).toEqual(["A", "B"]);
    await Promise.all([one.close(), other.close()]);
  });

  test(`${name}: ids that differ only in characters hard to store are two ids`, async () => {
    const inbox = await makeStore()();
    const ids = ["a", "a\0", "a\0b", "A", " a", "ä", "-a", "quarantined-1", "__proto__"];
    for (const id of ids) expect(await inbox.store(arrivalOf(id))).toBeTypeOf("number");
    for (const id of ids) expect(await inbox.store(arrivalOf(id))).toBeUndefined();
    for (const id of ids) expect(await inbox.find(id)).toMatchObject({ requestId: expect.any(String) });
    await inbox.close();
  });

  test(`${name}: signed but unreadable events are quarantined, forged ones are separate, each body once`, async () => {
    const inbox = await makeStore()();
    expect(await inbox.quarantine({ ...oddityOf("odd"), timestamp: "2026-03-31T12:00:00+03:00" })).toBeTypeOf("number");
    expect(await inbox.quarantine({ ...oddityOf("odd"), timestamp: "2026-03-31T12:00:00+03:00" })).toBeUndefined();
    await inbox.keepForged(oddityOf("forged"));
    await inbox.keepForged(oddityOf("forged"));
    await inbox.store(arrivalOf("A"));
    const states = async (filter?: Parameters<Inbox["list"]>[0]) => {
      const found: string[] = [];
      for await (const { state } of inbox.list(filter)) found.push(state);
      return found;
    };
    expect(await states()).toEqual(["quarantined", "new", "forged"]);
    expect(await states({ states: ["quarantined"] })).toEqual(["quarantined"]);
    expect(await states({ states: ["forged"] })).toEqual(["forged"]);
    expect(await states({ states: ["new", "failed"] })).toEqual(["new"]);
    const [id = ""] = await idsOf(inbox.list({ states: ["forged"] }));
    expect(await inbox.find(id)).toMatchObject({ state: "forged", problem: "the signature does not match" });
    await inbox.close();
  });

  test(`${name}: forged bodies never take more than their limit, and the newest stay`, async () => {
    const inbox = await makeStore()();
    await Promise.all(
      Array.from({ length: forgedMaxCount + 10 }, (_, index) => inbox.keepForged(oddityOf(`forged ${index}`))),
    );
    expect(await idsOf(inbox.list({ states: ["forged"] }))).toHaveLength(forgedMaxCount);
    const count = forgedMaxBytes / (1024 * 1024) + 4;
    for (let index = 0; index < count; index += 1) await inbox.keepForged(oddityOf(large(index)));
    let bytes = 0;
    let last = "";
    for await (const { body } of inbox.list({ states: ["forged"] })) {
      bytes += body.length;
      last = Buffer.from(body).toString();
    }
    expect(bytes).toBeLessThanOrEqual(forgedMaxBytes);
    expect(last).toBe(large(count - 1));
    await inbox.close();
  });

  test(`${name}: an event that was shown is not shown again, and others are shown by the next receiver`, async () => {
    const store = makeStore();
    const first = await store();
    const watch = await first.watch("first", everybodyIsGone);
    const numbers = [
      await first.store(arrivalOf("A")),
      await first.store(arrivalOf("B")),
      await first.store(arrivalOf("C")),
    ];
    expect(await idsOf(await watch.unshown(0, 10))).toEqual(["A", "B", "C"]);
    watch.noteShown(numbers[0] ?? 0);
    await watch.flush();
    // It is killed here: nothing is closed.
    const second = await store();
    const heir = await second.watch("second", (mark) => (mark === "first" ? "ended" : "running"));
    expect(await idsOf(await heir.unshown(0, 1))).toEqual(["B"]);
    expect(await idsOf(await heir.unshown(numbers[1] ?? 0, 10))).toEqual(["C"]);
    heir.noteShown(numbers[2] ?? 0);
    await second.store(arrivalOf("D"));
    await second.close();
    const third = await store();
    expect(await idsOf(await (await third.watch("third", nobodyIsGone)).unshown(0, 10))).toEqual(["D"]);
    await Promise.all([first.close(), third.close()]);
  });

  test(`${name}: a receiver shows its own events and leaves those of another running one`, async () => {
    const store = makeStore();
    const [one, other] = [await store(), await store()];
    const [left, right] = [await one.watch("one", nobodyIsGone), await other.watch("other", nobodyIsGone)];
    await one.store(arrivalOf("A", { dueAt: now }));
    await other.store(arrivalOf("B", { dueAt: now }));
    await right.adopt(now, now);
    expect(await idsOf(await left.unshown(0, 10))).toEqual(["A"]);
    expect(await idsOf(await right.unshown(0, 10))).toEqual(["B"]);
    expect(await idsOf(await left.due(now, 10))).toEqual(["A"]);
    expect(await idsOf(await right.due(now, 10))).toEqual(["B"]);
    await one.close();
    await right.adopt(now, now);
    expect(await idsOf(await right.due(now, 10))).toEqual(["A", "B"]);
    await other.close();
  });

  test(`${name}: events are due at their time, and every process reads what became of them`, async () => {
    const store = makeStore();
    const inbox = await store();
    const watch = await inbox.watch("one", nobodyIsGone);
    const number = (await inbox.store(arrivalOf("A", { dueAt: now }))) ?? 0;
    await inbox.store(arrivalOf("B", { dueAt: now + 10 }));
    await inbox.store(arrivalOf("C"));
    expect(await idsOf(await watch.due(now, 10))).toEqual(["A"]);
    expect(await watch.nextDueAt(now)).toBe(now + 10);
    await inbox.settle(number, { state: "new", dueAt: now + 20, problem: "it answered 500" });
    expect(await inbox.find("A")).toMatchObject({ state: "new", attempts: 1, tries: 1, problem: "it answered 500" });
    expect(await idsOf(await watch.due(now + 20, 10))).toEqual(["B", "A"]);
    await inbox.settle(number, { state: "delivered", dueAt: null, problem: null });
    expect(await (await store()).find("A")).toMatchObject({
      state: "delivered",
      attempts: 2,
      dueAt: null,
      problem: null,
    });
    await inbox.requeue(number, now + 5);
    expect(await inbox.find("A")).toMatchObject({ state: "new", attempts: 2, tries: 0, wantedAt: now + 5 });
    expect(await idsOf(await watch.due(now + 5, 10))).toEqual([]);
    await inbox.store(arrivalOf("before the clock went back", { dueAt: now + 900 }));
    await watch.adopt(now + 5, now + 300);
    expect(await idsOf(await watch.due(now + 5, 10))).toEqual(["A", "before the clock went back"]);
    await inbox.close();
  });

  test(`${name}: old events are removed and stay known, except those still to be delivered`, async () => {
    const inbox = await makeStore()();
    const day = 86_400_000;
    await inbox.store(arrivalOf("old", { receivedAt: now - 3 * day }));
    await inbox.store(arrivalOf("waiting", { receivedAt: now - 3 * day, dueAt: now }));
    await inbox.store(arrivalOf("young"));
    await inbox.keepForged(oddityOf("old", now - 3 * day));
    expect((await inbox.size()).oldestAt).toBe(now - 3 * day);
    expect(await inbox.prune(now - day)).toBe(2);
    expect(await idsOf(inbox.list())).toEqual(["waiting", "young"]);
    expect(await inbox.prune(now + day)).toBe(1);
    for (const id of ["old", "young", "waiting"]) expect(await inbox.store(arrivalOf(id))).toBeUndefined();
    expect(await idsOf(inbox.list())).toEqual(["waiting"]);
    expect((await inbox.size()).bytes).toBeGreaterThan(0);
    await inbox.close();
  });

  test(`${name}: a late event is shown and delivered once it is released, under a new number`, async () => {
    const open = makeStore();
    const receiver = await open();
    const watch = await receiver.watch("here", nobodyIsGone);
    expect(watch.isFirst).toBe(true);
    const late = (await receiver.store(arrivalOf("late", { problem: "it is old", dueAt: now }))) ?? 0;
    const young = (await receiver.store(arrivalOf("young"))) ?? 0;
    expect(await receiver.find("late")).toMatchObject({ state: "quarantined", dueAt: null, problem: "it is old" });
    expect(await idsOf(await watch.unshown(0, 10))).toEqual(["young"]);
    watch.noteShown(young);
    const clerk = await open();
    await clerk.release(late, now);
    await clerk.release(young, now);
    await clerk.close();
    const [released] = await watch.unshown(young, 10);
    expect(released).toMatchObject({ id: "late", state: "new", dueAt: now, problem: null });
    expect(released?.number).toBeGreaterThan(young);
    expect(await receiver.store(arrivalOf("late"))).toBeUndefined();
    expect((await receiver.store(arrivalOf("next"))) ?? 0).toBeGreaterThan(released?.number ?? 0);
    await watch.adopt(now, now);
    expect(await idsOf(await watch.due(now, 10))).toEqual(["late"]);
    await receiver.close();
  });

  test(`${name}: an event released without a receiver is shown by the next one`, async () => {
    const open = makeStore();
    const receiver = await open();
    const first = await receiver.watch("here", nobodyIsGone);
    const late = (await receiver.store(arrivalOf("late", { problem: "it is old" }))) ?? 0;
    first.noteShown((await receiver.store(arrivalOf("young"))) ?? 0);
    await receiver.close();
    const clerk = await open();
    await clerk.release(late, now);
    await clerk.close();
    const next = await open();
    const watch = await next.watch("there", nobodyIsGone);
    expect(watch.isFirst).toBe(false);
    expect(await idsOf(await watch.unshown(0, 10))).toEqual(["late"]);
    await next.close();
  });

  test(`${name}: thousands of events are listed in order, page by page`, async () => {
    const inbox = await makeStore()();
    const ids = Array.from({ length: 6_000 }, (_, index) => `E${index}`);
    await Promise.all(ids.map((id) => inbox.store(arrivalOf(id))));
    expect(await idsOf(inbox.list())).toEqual(ids);
    const numbers = await Promise.all(["E5", "E5990"].map(async (id) => (await inbox.find(id))?.number ?? 0));
    for (const number of numbers) await inbox.settle(number, { state: "failed", dueAt: null, problem: "gone" });
    expect(await idsOf(inbox.list({ states: ["failed"] }))).toEqual(["E5", "E5990"]);
    expect(await idsOf(inbox.list({ states: ["new"] }))).toHaveLength(5_998);
    await inbox.close();
  });
}
