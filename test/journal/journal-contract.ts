import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import type { ClaimCheck, Journal, Order, SettledState } from "../../src/journal/journal.ts";
import { ClaimLost } from "../../src/journal/claim-errors.ts";
import { isInFlight } from "../../src/journal/movement.ts";
import { lateMarginMs } from "../../src/journal/lease.ts";
import type { Day } from "../../src/values/time/day.ts";
import { dayInDarEsSalaam } from "../../src/values/time/day.ts";
import { Decimal } from "../../src/values/money/decimal.ts";
import { lookupsContract } from "./lookups-contract.ts";
import { claimOf, collect, deadlineMs, fakeProcesses, orderOf, send, sendOrder } from "./orders.ts";

/** Journals of one store, each opened as by a process of its own. */
export type Store = (host: Host) => Promise<Journal>;

const dayMs = 86_400_000;
const aMinuteMs = 60_000;

/** What every journal has to do, whatever stores its orders. */
export function journalContract(name: string, makeStore: () => Store): void {
  lookupsContract(name, makeStore);

  const world = async () => {
    const processes = fakeProcesses();
    const store = makeStore();
    const host = processes.start("first");
    return { processes, store, host, journal: await store(host) };
  };

  test(`${name}: an order is stored before it is sent, and is found by its key, its id and its reference`, async () => {
    const { journal, host } = await world();
    const order = orderOf({ profile: "shop", batch: { id: "march", row: 7 } });
    const { movement } = claimOf(await journal.open(order));
    expect(movement).toMatchObject({
      state: "prepared",
      scope: order.scope,
      kind: "transfer",
      reference: "INV-1",
      profile: "shop",
      request: order.request,
      response: null,
      evidence: null,
      requestIds: [],
      openedAt: host.clock.now(),
      settledAt: null,
      batch: { id: "march", row: 7 },
    });
    expect(movement.who).toMatchObject({ user: "tester", host: "test-machine" });
    expect(await journal.find(order)).toEqual(movement);
    const { kind, reference, scope } = order;
    const wanted = [{ kind, reference }, { kind, reference: "INV-2" }, { kind: "withdraw", reference } as const];
    expect(await journal.findAll(scope, wanted)).toEqual([movement]);
    expect(await journal.findAll("another account", wanted)).toEqual([]);
    expect(await journal.findAll(scope, [{ kind, reference: "\0" }])).toEqual([]);
    expect(await journal.read(movement.id)).toEqual(movement);
    expect(await journal.search(movement.id)).toEqual([movement]);
    expect(await journal.search("INV-1", order.scope)).toEqual([movement]);
    expect(await journal.search("INV-1", "another account")).toEqual([]);
    expect(await journal.read("nobody")).toBeUndefined();
  });

  test(`${name}: a history longer than one read is read to its end, and verified`, async () => {
    const { journal } = await world();
    const settle = async (index: number) => {
      const claim = claimOf(await journal.open(orderOf({ reference: `INV-${index}` })));
      await claim.settle({ state: "accepted", evidence: "statement" });
    };
    const atOnce = 250;
    await Promise.all(Array.from({ length: atOnce }, (_, index) => settle(index)));
    const numbers = async () => (await collect(journal.history())).map(({ number }) => number);
    expect(await numbers()).toEqual(Array.from({ length: 2 * atOnce }, (_, index) => index + 1));
    await settle(atOnce);
    expect(await numbers()).toEqual(Array.from({ length: 2 * atOnce + 2 }, (_, index) => index + 1));
    const [last] = await collect(journal.history({ line: 2 * atOnce + 1, event: 2 * atOnce + 1, fact: 0 }));
    expect(last).toMatchObject({ number: 2 * atOnce + 2, reference: `INV-${atOnce}`, kind: "transfer" });
    expect(await journal.verify()).toEqual({ movements: atOnce + 1, events: 2 * atOnce + 2 });
  });

  test(`${name}: a request is sent once, and every process reads its outcome`, async () => {
    const { journal, store, processes } = await world();
    const claim = await sendOrder(journal, "INV-1");
    expect(await journal.read(claim.movement.id)).toMatchObject({ state: "sending", requestIds: ["request-INV-1"] });
    const settled = await claim.settle({ state: "accepted", response: `{"id":"T-1"}`, transactionId: "T-1" });
    expect(settled).toMatchObject({
      state: "accepted",
      evidence: "answer",
      transactionId: "T-1",
      response: `{"id":"T-1"}`,
    });
    expect(settled.settledAt).not.toBeNull();
    const other = await store(processes.start("second"));
    expect(await other.open(orderOf())).toEqual({ outcome: "exists", movement: settled, isSameRequest: true });
  });

  test(`${name}: a request is the same with other field order and clock values, but not with another digit`, async () => {
    const { journal } = await world();
    const volatile = ["date"];
    const first = orderOf({ request: `{"amount":5000.00,"to":{"b":1,"a":[2]},"date":"2026-03-31"}`, volatile });
    await claimOf(await journal.open(first)).settle({ state: "unsent" });
    await (await sendAgain(journal, first)).settle({ state: "pending" });
    const same = `{"date":"2026-04-01","to":{"a":[2],"b":1},"amount":5000.00}`;
    expect(await journal.open({ ...first, request: same })).toMatchObject({ isSameRequest: true });
    const other = `{"date":"2026-04-01","to":{"a":[2],"b":1},"amount":5000.0}`;
    expect(await journal.open({ ...first, request: other })).toMatchObject({ outcome: "exists", isSameRequest: false });
  });

  const outcomes: readonly (readonly [SettledState, "claimed" | "exists"])[] = [
    ["accepted", "exists"],
    ["pending", "exists"],
    ["unknown", "exists"],
    ["refused", "claimed"],
    ["unsent", "claimed"],
  ];
  test.each(outcomes)(`${name}: after %s the same reference is %s`, async (state, outcome) => {
    const { journal, store, processes } = await world();
    await (await sendOrder(journal, "INV-1")).settle({ state, note: "as it was" });
    processes.end("first");
    const other = await store(processes.start("second"));
    const opening = await other.open(orderOf({ request: `{"amount":6000}` }));
    const before = { state, note: "as it was" };
    expect(opening).toMatchObject({ outcome, ...(outcome === "claimed" ? { again: before } : { movement: before }) });
  });

  test(`${name}: a guard sees the orders of other processes, and an order is not stored when it throws`, async () => {
    const { journal, store, processes, host } = await world();
    const other = await store(processes.start("second"));
    const today = dayInDarEsSalaam(host.clock.now());
    const seen: string[] = [];
    const guardedBy = (most: number): Partial<Order> => ({
      guard: {
        day: today,
        decide(spent) {
          const sum = spent.get("wallet 1042") ?? Decimal.zero;
          seen.push(sum.toString());
          if (sum.compare(new Decimal(most, 0)) >= 0) throw new Error("That is enough");
        },
      },
    });
    const open = (reference: string, most: number) => orderOf({ reference, ...guardedBy(most) });
    // Both at once: the store decides on the order, and the second one sees the first.
    const both = await Promise.allSettled([journal.open(open("INV-1", 5000)), other.open(open("INV-2", 5000))]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await collect(journal.list())).toHaveLength(1);
    const [taken = ""] = (await collect(journal.list())).map(({ reference }) => reference);
    // A known reference is not sent, so the guard is not asked.
    expect(await other.open(open(taken, 0))).toMatchObject({ outcome: "exists" });
    expect(seen).toEqual(expect.arrayContaining(["0", "5000"]));
    claimOf(await other.open(open("INV-3", 10000)));
    await expect(journal.open(open("INV-4", 10000))).rejects.toThrow("That is enough");
  });

  test(`${name}: a guard that looks again sees the latest state of all other orders`, async () => {
    const { journal, store, processes, host } = await world();
    const other = await store(processes.start("second"));
    const weights: string[] = [];
    const guard: ClaimCheck = {
      day: dayInDarEsSalaam(host.clock.now()),
      decide: (spent) => void weights.push((spent.get("wallet ") ?? Decimal.zero).toString()),
    };
    const amounting = (reference: string, amount: number): Order =>
      orderOf({ reference, guard, request: `{"amount":${amount}}` });
    const look = async (reference: string) => {
      const claim = claimOf(await journal.open(amounting(reference, 1)));
      await claim.settle({ state: "unsent" });
      return weights.at(-1);
    };
    expect(await look("LOOK-1")).toBe("0");
    const claim = claimOf(await other.open(amounting("INV-1", 20)));
    expect(await look("LOOK-2")).toBe("20");
    await send(claim, "request-1");
    expect(await look("LOOK-3")).toBe("20");
    await claim.settle({ state: "refused" });
    expect(await look("LOOK-4")).toBe("0");
    const again = claimOf(await other.open(amounting("INV-1", 300)));
    expect(await look("LOOK-4")).toBe("300");
    await send(again, "request-2");
    const unsure = await again.settle({ state: "unknown" });
    expect(await look("LOOK-5")).toBe("300");
    await other.resolve(unsure, { state: "refused", evidence: "person" });
    expect(await look("LOOK-6")).toBe("0");
    await other.resolve(unsure, { state: "accepted", evidence: "statement" });
    expect(await look("LOOK-7")).toBe("300");
    claimOf(await other.open(amounting("INV-2", 4000)));
    expect(await look("LOOK-8")).toBe("4300");
    // It ends before it sends anything, and records nothing about it.
    processes.end("second");
    expect(await look("LOOK-9")).toBe("300");
  });

  test(`${name}: an abandoned order that is ordered again counts on its new day, with its new amount`, async () => {
    const { journal, store, processes, host } = await world();
    const sumOn = async (day: Day) => [...(await journal.spent(orderOf().scope, day))].map(([, sum]) => sum.toString());
    const today = dayInDarEsSalaam(host.clock.now());
    claimOf(await journal.open(orderOf()));
    expect(await sumOn(today)).toEqual(["5000"]);
    processes.end("first");
    const other = await store(processes.start("second", { now: host.clock.now() + dayMs }));
    const request = orderOf().request.replace("5000", "7000");
    const claim = claimOf(await other.open(orderOf({ request })));
    await send(claim, "request-again");
    await claim.settle({ state: "pending" });
    expect(await sumOn(today.addDays(1))).toEqual(["7000"]);
    // Later days count, too: a clock may have been ahead.
    expect(await sumOn(today)).toEqual(["7000"]);
  });

  test(`${name}: while a process works on an order, others see that and cannot claim it`, async () => {
    const { journal, store, processes } = await world();
    const other = await store(processes.start("second"));
    const claim = claimOf(await journal.open(orderOf()));
    const early = await other.open(orderOf());
    expect(early).toMatchObject({ outcome: "exists", movement: { state: "prepared" }, isSameRequest: true });
    expect(early.outcome === "exists" && isInFlight(early.movement)).toBe(true);
    await send(claim, "request-1");
    expect(await other.open(orderOf())).toMatchObject({ outcome: "exists", movement: { state: "sending" } });
  });

  test(`${name}: an order abandoned before sending is taken over, and its first process cannot send it any more`, async () => {
    const { journal, store, processes } = await world();
    const late = claimOf(await journal.open(orderOf()));
    processes.end("first");
    const other = await store(processes.start("second"));
    expect(await other.find(orderOf())).toMatchObject({ state: "unsent" });
    const claim = claimOf(await other.open(orderOf()));
    await expect(send(late, "request-late")).rejects.toThrow(ClaimLost);
    await send(claim, "request-other");
    expect((await claim.settle({ state: "accepted" })).requestIds).toEqual(["request-other"]);
    await expect(late.settle({ state: "unsent" })).rejects.toThrow(ClaimLost);
    expect(await journal.find(orderOf())).toMatchObject({ state: "accepted" });
  });

  test(`${name}: a process whose order was taken over cannot change its state`, async () => {
    for (const isSending of [false, true]) {
      const { journal, store, processes } = await world();
      const late = claimOf(await journal.open(orderOf()));
      processes.end("first");
      const other = await store(processes.start("second"));
      const claim = claimOf(await other.open(orderOf()));
      if (isSending) await send(claim, "request-other");
      // Otherwise the next process would send it a second time.
      await expect(late.settle({ state: "unsent" })).rejects.toThrow(ClaimLost);
      expect(await other.find(orderOf())).toMatchObject({ state: isSending ? "sending" : "prepared" });
      if (!isSending) await send(claim, "request-other");
      expect(await claim.settle({ state: "accepted" })).toMatchObject({ state: "accepted" });
    }
  });

  test(`${name}: an order abandoned while sending is unknown to every process, and is never sent again`, async () => {
    const { journal, store, processes } = await world();
    const { movement } = await sendOrder(journal, "INV-1");
    await sendOrder(journal, "INV-2");
    processes.end("first");
    const other = await store(processes.start("second"));
    expect(await other.read(movement.id)).toMatchObject({ state: "unknown" });
    expect(await collect(other.list({ states: ["unknown"] }))).toHaveLength(2);
    expect(await collect(other.list({ states: ["sending"] }))).toEqual([]);
    expect(await other.open(orderOf())).toMatchObject({ outcome: "exists", movement: { state: "unknown" } });
    expect(await other.open(orderOf())).toMatchObject({ outcome: "exists", movement: { state: "unknown" } });
    expect((await other.events(movement.id)).map(({ step }) => step)).toEqual(["claim", "send", "abandon"]);
  });

  test(`${name}: a process of uncertain fate counts as alive until its deadline`, async () => {
    const { journal, store, processes } = await world();
    await sendOrder(journal, "INV-1");
    processes.lose("first");
    const host = processes.start("second");
    const other = await store(host);
    expect(await other.find(orderOf())).toMatchObject({ state: "sending" });
    // The time of a shared journal's server goes on by itself meanwhile. On one machine, the millisecond counts.
    const aroundMs = name === "postgres" ? aMinuteMs : 0;
    host.clock.advance(deadlineMs + lateMarginMs - aroundMs);
    expect(await other.find(orderOf())).toMatchObject({ state: "sending" });
    host.clock.advance(2 * aroundMs + 1);
    expect(await other.find(orderOf())).toMatchObject({ state: "unknown" });
  });

  test(`${name}: a late answer settles an order that others have called unknown`, async () => {
    const { journal, store, processes } = await world();
    const claim = await sendOrder(journal, "INV-1");
    processes.end("first");
    const other = await store(processes.start("second"));
    await other.open(orderOf());
    expect(await claim.settle({ state: "accepted", response: "{}" })).toMatchObject({ state: "accepted" });
    expect(await other.find(orderOf())).toMatchObject({ state: "accepted", evidence: "answer", note: null });
  });

  test(`${name}: an outcome left on a slip is entered by another process, once`, async () => {
    const { journal, store, processes } = await world();
    const { movement, token } = await sendOrder(journal, "INV-1");
    processes.end("first");
    const other = await store(processes.start("second"));
    const left = {
      movement: movement.id,
      claim: token,
      settlement: { state: "accepted", response: "{}", transactionId: "T-1" },
    } as const;
    expect(await other.claimOf(movement.id)).toBe(token);
    for (const _ of ["first", "again"])
      expect(await other.enter(left)).toMatchObject({ outcome: "entered", movement: { state: "accepted" } });
    expect((await other.events(movement.id)).map(({ step }) => step)).toEqual(["claim", "send", "settle"]);
    expect(await other.verify()).toEqual({ movements: 1, events: 3 });
  });

  test(`${name}: an outcome left on a slip counts for its own claim, and yields to later decisions`, async () => {
    const { journal, store, processes } = await world();
    const { movement, token } = await sendOrder(journal, "INV-1");
    processes.end("first");
    const other = await store(processes.start("second"));
    const left = { movement: movement.id, claim: token, settlement: { state: "accepted", response: "{}" } } as const;
    expect(await other.enter({ ...left, movement: "nobody" })).toEqual({ outcome: "no movement", movement: undefined });
    expect(await other.claimOf("nobody")).toBeUndefined();
    for (const claim of ["1.guessed", "2.guessed"])
      expect(await other.enter({ ...left, claim })).toMatchObject({ outcome: "foreign" });
    expect((await other.events(movement.id)).map(({ step }) => step)).toEqual(["claim", "send"]);
    await other.resolve(movement, { state: "refused", evidence: "person" });
    const again = await sendOrder(other, "INV-1");
    await expect(other.enter(left)).rejects.toMatchObject({ ending: "unavailable" });
    await again.settle({ state: "refused", response: "{}" });
    const no = { ...left, settlement: { state: "refused", response: "{}" } } as const;
    expect(await other.enter(no)).toMatchObject({ outcome: "lost", movement: { state: "refused" } });
    expect(await other.enter(left)).toMatchObject({ outcome: "lost", movement: { state: "unknown" } });
    const said = { state: "refused", evidence: "callback" } as const;
    expect(await other.resolve(again.movement, said)).toMatchObject({ outcome: "contradicted" });
    expect((await other.open(orderOf())).outcome).toBe("exists");
    const history = (await other.events(movement.id)).map(({ step, to }) => `${step} ${to}`);
    expect(history.slice(-5)).toEqual([
      "settle refused",
      "contradict refused",
      "contradict accepted",
      "dispute unknown",
      "contradict refused",
    ]);
    expect(await other.verify()).toMatchObject({ movements: 1 });
  });

  test(`${name}: an answer that contradicts a person's word leaves the order unknown, and both are kept`, async () => {
    const { journal, store, processes } = await world();
    const claim = await sendOrder(journal, "INV-1");
    processes.end("first");
    const other = await store(processes.start("second"));
    await other.resolve(claim.movement, { state: "refused", evidence: "person", note: "the bank said so" });
    const settled = await claim.settle({ state: "accepted", response: "{}", note: "it was paid" });
    expect(settled).toMatchObject({ state: "unknown", response: "{}", note: "the bank said so. it was paid" });
    const history = (await other.events(claim.movement.id)).map(({ step, to }) => `${step} ${to}`);
    expect(history.slice(-3)).toEqual(["resolve refused", "contradict accepted", "dispute unknown"]);
  });

  test(`${name}: each attempt keeps its request id, and the history keeps what was replaced`, async () => {
    const { journal } = await world();
    const first = orderOf();
    const claim = await sendOrder(journal, "INV-1");
    await claim.settle({ state: "refused", response: `{"reason":"NO_FUNDS"}`, note: "no funds" });
    const second = orderOf({ request: `{"amount":4000}` });
    const again = await sendAgain(journal, second);
    const settled = await again.settle({ state: "accepted", response: `{"id":"T-2"}` });
    expect(settled).toMatchObject({
      id: claim.movement.id,
      requestIds: ["request-INV-1", "request-again"],
      note: null,
    });
    expect(settled.request).toBe(second.request);
    const events = await journal.events(settled.id);
    expect(events.map(({ from, step, to }) => [from, step, to])).toEqual([
      [null, "claim", "prepared"],
      ["prepared", "send", "sending"],
      ["sending", "settle", "refused"],
      ["refused", "claim", "prepared"],
      ["prepared", "send", "sending"],
      ["sending", "settle", "accepted"],
    ]);
    expect(events[2]).toMatchObject({ requestId: "request-INV-1", evidence: "answer", note: "no funds" });
    expect(JSON.parse(events[3]?.replaced ?? "")).toMatchObject({
      request: first.request,
      response: `{"reason":"NO_FUNDS"}`,
      note: "no funds",
    });
  });

  test(`${name}: a reference counts once for each account and kind`, async () => {
    const { journal } = await world();
    await (await sendOrder(journal, "INV-1")).settle({ state: "accepted" });
    for (const other of [
      { kind: "withdraw" as const },
      { scope: "live https://elsewhere 1" },
      { reference: "inv-1" },
    ]) {
      expect((await journal.open(orderOf(other))).outcome).toBe("claimed");
    }
    expect((await journal.search("INV-1")).map(({ kind }) => kind)).toEqual(["transfer", "withdraw", "transfer"]);
  });

  test(`${name}: of several processes that order one reference at the same moment, one gets it`, async () => {
    const { journal, store, processes } = await world();
    const journals = [journal, await store(processes.start("second")), await store(processes.start("third"))];
    const openings = await Promise.all([...journals, ...journals].map((each) => each.open(orderOf())));
    expect(openings.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
  });

  test(`${name}: an unknown order is decided by evidence, and confirmed by a stronger one`, async () => {
    const { journal, host } = await world();
    const { id } = await (await sendOrder(journal, "INV-1")).settle({ state: "unknown", note: "the answer broke off" });
    host.clock.advance(1000);
    const said = await journal.resolve(
      { id, attempt: 1 },
      { state: "accepted", evidence: "callback", transactionId: "T-9" },
    );
    expect(said.outcome).toBe("resolved");
    expect(said.movement).toMatchObject({ state: "accepted", evidence: "callback", transactionId: "T-9" });
    expect(said.movement.settledAt).toBe(host.clock.now());
    const seen = await journal.resolve(
      { id, attempt: 1 },
      { state: "accepted", evidence: "statement", note: "row 12" },
    );
    expect(seen).toMatchObject({ outcome: "confirmed", movement: { evidence: "statement", note: "row 12" } });
    expect(seen.movement.settledAt).toBe(said.movement.settledAt);
    const weaker = await journal.resolve({ id, attempt: 1 }, { state: "accepted", evidence: "person" });
    expect(weaker).toMatchObject({ outcome: "confirmed", movement: { evidence: "statement", note: "row 12" } });
    expect((await journal.events(id)).at(3)).toMatchObject({ from: "unknown", to: "accepted", evidence: "callback" });
  });

  test(`${name}: a contradiction without proof leaves the order unknown, and no further callback decides it`, async () => {
    const { journal } = await world();
    const { id } = await (await sendOrder(journal, "INV-1")).settle({ state: "pending", response: "{}" });
    await journal.resolve({ id, attempt: 1 }, { state: "refused", evidence: "callback", note: "the first" });
    const other = await journal.resolve(
      { id, attempt: 1 },
      { state: "accepted", evidence: "callback", note: "the second" },
    );
    expect(other).toMatchObject({
      outcome: "disputed",
      movement: { state: "unknown", evidence: "callback", note: "the first. the second", settledAt: null },
    });
    const late = await journal.resolve(
      { id, attempt: 1 },
      { state: "accepted", evidence: "callback", note: "the third" },
    );
    expect(late).toMatchObject({ outcome: "contradicted", movement: { state: "unknown", evidence: "callback" } });
    expect((await journal.events(id)).slice(3).map(({ step, to, note }) => `${step} ${to}: ${note}`)).toEqual([
      "resolve refused: the first",
      "contradict accepted: the second",
      "dispute unknown: the first. the second",
      "contradict accepted: the third",
    ]);
    expect((await journal.open(orderOf({ reference: "INV-1" }))).outcome).toBe("exists");
    const seen = await journal.resolve({ id, attempt: 1 }, { state: "accepted", evidence: "statement" });
    expect(seen).toMatchObject({ outcome: "resolved", movement: { state: "accepted", evidence: "statement" } });
    expect(await journal.verify()).toMatchObject({ movements: 1 });
  });

  test.each([
    ["accepted", "answer", "refused", "disputed", "unknown"],
    ["accepted", "answer", "unknown", "disputed", "unknown"],
    ["accepted", "answer", "reversed", "resolved", "reversed"],
    ["accepted", "answer", "accepted", "confirmed", "accepted"],
    ["refused", "answer", "accepted", "disputed", "unknown"],
    ["refused", "answer", "reversed", "disputed", "unknown"],
    ["refused", "answer", "unknown", "disputed", "unknown"],
    ["reversed", "answer", "accepted", "contradicted", "reversed"],
    ["reversed", "answer", "refused", "disputed", "unknown"],
    ["accepted", "person", "refused", "disputed", "unknown"],
    ["refused", "person", "accepted", "disputed", "unknown"],
    ["refused", "person", "unknown", "contradicted", "refused"],
    ["accepted", "statement", "refused", "contradicted", "accepted"],
    ["accepted", "statement", "reversed", "contradicted", "accepted"],
  ] as const)(
    `${name}: %s by %s, and a callback that says %s: the callback is %s, and the order is %s`,
    async (state, evidence, said, outcome, then) => {
      const { journal } = await world();
      const claim = await sendOrder(journal, "INV-1");
      const { id } = await claim.settle({ state, evidence, response: "{}" });
      const callback = { state: said, evidence: "callback", note: "it said so" } as const;
      expect(await journal.resolve({ id, attempt: 1 }, callback)).toMatchObject({ outcome, movement: { state: then } });
      expect((await journal.events(id)).filter(({ note }) => note?.includes("it said so"))).not.toEqual([]);
    },
  );

  test(`${name}: an answer that contradicts an earlier callback leaves the order unknown, and both are kept`, async () => {
    const { journal, store, processes } = await world();
    const claim = await sendOrder(journal, "INV-1");
    const { id } = claim.movement;
    processes.end("first");
    const other = await store(processes.start("second"));
    await other.resolve({ id, attempt: 1 }, { state: "accepted", evidence: "callback", note: "it was paid" });
    const settled = await claim.settle({ state: "refused", response: '{"no":1}', note: "it was not" });
    expect(settled).toMatchObject({
      state: "unknown",
      evidence: "callback",
      response: '{"no":1}',
      note: "it was paid. it was not",
    });
  });

  test(`${name}: an answer after contradicting callbacks is kept, and decides nothing`, async () => {
    const { journal, store, processes } = await world();
    const claim = await sendOrder(journal, "INV-1");
    const { id } = claim.movement;
    processes.end("first");
    const other = await store(processes.start("second"));
    await other.resolve({ id, attempt: 1 }, { state: "unknown", evidence: "callback", note: "an error" });
    const settled = await claim.settle({ state: "accepted", response: '{"yes":1}', note: "it was paid" });
    expect(settled).toMatchObject({ state: "unknown", evidence: "callback", response: '{"yes":1}' });
    expect((await journal.events(id)).map(({ step, to }) => `${step} ${to}`)).toContain("contradict accepted");
  });

  test(`${name}: a person's word alone is overruled by a statement`, async () => {
    const { journal } = await world();
    const unsure = await (await sendOrder(journal, "INV-2")).settle({ state: "unknown" });
    await journal.resolve(unsure, { state: "refused", evidence: "person", note: "they said no" });
    const corrected = await journal.resolve(unsure, { state: "accepted", evidence: "statement" });
    expect(corrected).toMatchObject({ outcome: "resolved", movement: { state: "accepted", evidence: "statement" } });
  });

  test(`${name}: an order resolved as refused may be sent again, and one resolved as accepted may not`, async () => {
    const { journal } = await world();
    const one = await (await sendOrder(journal, "INV-1")).settle({ state: "unknown" });
    const two = await (await sendOrder(journal, "INV-2")).settle({ state: "unknown" });
    await journal.resolve(one, { state: "refused", evidence: "person" });
    await journal.resolve(two, { state: "accepted", evidence: "person" });
    expect((await journal.open(orderOf({ reference: "INV-1" }))).outcome).toBe("claimed");
    expect((await journal.open(orderOf({ reference: "INV-2" }))).outcome).toBe("exists");
  });

  test(`${name}: an order in flight cannot be decided, and an abandoned one can`, async () => {
    const { journal, store, processes } = await world();
    const { movement } = await sendOrder(journal, "INV-1");
    const other = await store(processes.start("second"));
    const decision = { state: "accepted", evidence: "statement" } as const;
    expect(await other.resolve(movement, decision)).toMatchObject({ outcome: "in flight" });
    processes.end("first");
    expect(await other.resolve(movement, decision)).toMatchObject({ outcome: "resolved" });
    await expect(other.resolve({ id: "nobody", attempt: 1 }, decision)).rejects.toMatchObject({ ending: "usage" });
  });

  test(`${name}: a list contains what its filter selects, in either order`, async () => {
    const { journal, host } = await world();
    const states = ["accepted", "refused", "unknown", "pending", "unsent"] as const;
    for (const [index, state] of states.entries()) {
      await (await sendOrder(journal, `R${index}`)).settle({ state });
      host.clock.advance(1000);
    }
    const batch = { id: "march", row: 1 };
    await journal.open(orderOf({ reference: "R5", kind: "remit", scope: "another", batch }));
    const listed = async (filter: Parameters<Journal["list"]>[0]) =>
      (await collect(journal.list(filter))).map(({ reference }) => reference).join(" ");
    expect(await listed({})).toBe("R0 R1 R2 R3 R4 R5");
    expect(await listed({ newestFirst: true, limit: 2 })).toBe("R5 R4");
    expect(await listed({ states: ["unknown", "pending"] })).toBe("R2 R3");
    expect(await listed({ states: ["unsent"] })).toBe("R4");
    expect(await listed({ states: ["prepared"] })).toBe("R5");
    expect(await listed({ states: [] })).toBe("");
    expect(await listed({ kinds: ["remit", "collect"] })).toBe("R5");
    expect(await listed({ scope: "another" })).toBe("R5");
    expect(await listed({ batch: "march" })).toBe("R5");
    expect(await listed({ since: host.clock.now() - 2000 })).toBe("R3 R4 R5");
    expect(await listed({ limit: 0 })).toBe("");
  });

  test(`${name}: an answer of any bytes is stored without harm`, async () => {
    const { journal } = await world();
    for (const [index, text] of ["a\0b", "\ud800", "\ufeffa", "\u2028\u{1f600}", "'; --"].entries()) {
      const claim = await sendOrder(journal, `R${index}`);
      const settled = await claim.settle({ state: "unknown", response: text, note: text, transactionId: text });
      expect(settled.response).toBe(text.toWellFormed().replace("\0", "\u2400"));
      expect(await journal.read(settled.id)).toEqual(settled);
      await journal.resolve(settled, { state: "accepted", evidence: "person", note: text });
    }
    expect(await journal.verify()).toEqual({ movements: 5, events: 20 });
    await expect(journal.open(orderOf({ reference: "a\0b" }))).rejects.toThrow(/cannot be put on record/);
  });

  test(`${name}: a process cannot send money under a claim that it has settled`, async () => {
    const { journal } = await world();
    const claim = await sendOrder(journal, "INV-1");
    await claim.settle({ state: "unsent" });
    await expect(send(claim, "request-2")).rejects.toThrow(ClaimLost);
    expect(await journal.verify()).toEqual({ movements: 1, events: 3 });
  });
}

async function sendAgain(journal: Journal, order: ReturnType<typeof orderOf>) {
  const claim = claimOf(await journal.open(order));
  await send(claim, "request-again");
  return claim;
}
