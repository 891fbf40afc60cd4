import { expect, test } from "vitest";
import type { Around } from "../../src/journal/journal.ts";
import type { Clock } from "../../src/host/host.ts";
import { memoryHost } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import { wayTo } from "./broken-way.ts";
import { claimOf, orderOf, send } from "./orders.ts";
import { newShared, openShared } from "./shared-places.ts";

const requestOf = (amount: number) => `{"amount":${amount},"from":"1042","to":"1043","description":"rent"}`;
const secondOrder = orderOf({ reference: "INV-2", request: requestOf(6) });

withPostgres("when the connection to a shared journal breaks", (server) => {
  async function world() {
    const address = await newShared(server);
    const way = await wayTo(address);
    return { way, address, journal: await openShared(way.address) };
  }

  const commits = ["the order", "sending", "the outcome"].flatMap((what, index) =>
    (["done", "never"] as const).map((fate) => [what, fate, index + 1] as const),
  );
  test.each(commits)(
    "a commit of %s whose answer is lost, and which was %s, is recorded once",
    async (_what, fate, commit) => {
      const { way, journal } = await world();
      way.breakAt(commit, fate);
      const claim = claimOf(await journal.open(orderOf()));
      await send(claim, "request-1");
      const settled = await claim.settle({ state: "accepted", response: "{}" });
      expect(settled).toMatchObject({ state: "accepted", requestIds: ["request-1"] });
      const steps = (await journal.events(settled.id)).map(({ step }) => step);
      expect(steps).toEqual(["claim", "send", "settle"]);
      expect(await journal.verify()).toEqual({ movements: 1, events: 3 });
      await journal.close();
    },
  );

  test.each(commits)(
    "a commit of %s after another order's, whose answer is lost, and which was %s, is recorded once",
    async (_what, fate, commit) => {
      const { way, journal } = await world();
      const before = claimOf(await journal.open(orderOf()));
      await before.settle({ state: "unsent" });
      way.breakAt(commit, fate);
      const claim = claimOf(await journal.open(secondOrder));
      await send(claim, "request-2");
      const settled = await claim.settle({ state: "accepted", response: "{}" });
      expect(settled).toMatchObject({ state: "accepted", requestIds: ["request-2"] });
      expect((await journal.events(settled.id)).map(({ step }) => step)).toEqual(["claim", "send", "settle"]);
      expect(await journal.verify()).toEqual({ movements: 2, events: 5 });
      await journal.close();
    },
  );

  test("three round trips take an order from its claim to its outcome", async () => {
    const { way, journal } = await world();
    const before = claimOf(await journal.open(orderOf()));
    await before.settle({ state: "unsent" });
    way.gather();
    const { roundTrips } = way;
    const claim = claimOf(await journal.open(secondOrder));
    await send(claim, "request-2");
    await claim.settle({ state: "accepted", response: "{}" });
    expect(way.roundTrips - roundTrips).toBeLessThanOrEqual(3);
    expect(await journal.verify()).toEqual({ movements: 2, events: 5 });
    await journal.close();
  });

  test("another host's changes to an order are found, and not overwritten", async () => {
    const { journal, address } = await world();
    const before = claimOf(await journal.open(orderOf()));
    await before.settle({ state: "unsent" });
    const claim = claimOf(await journal.open(secondOrder));
    await send(claim, "request-2");
    const gone = memoryHost({ seed: 2, machine: { processFate: () => "ended" } });
    const other = await openShared(address, { host: gone });
    const decision = { state: "refused", evidence: "person", note: "the bank says so" } as const;
    expect(await other.resolve(claim.movement, decision)).toMatchObject({ outcome: "resolved" });
    expect(await claim.settle({ state: "accepted", response: "{}" })).toMatchObject({ state: "unknown" });
    const steps = (await journal.events(claim.movement.id)).map(({ step }) => step);
    expect(steps).toEqual(["claim", "send", "abandon", "resolve", "contradict", "dispute"]);
    expect(await journal.verify()).toEqual({ movements: 2, events: 8 });
    await other.close();
    await journal.close();
  });

  test("an order that another host stored first is not stored again, and a like one is seen", async () => {
    const { journal, address } = await world();
    await claimOf(await journal.open(orderOf())).settle({ state: "unsent" });
    const other = await openShared(address, { host: memoryHost({ seed: 2 }) });
    const first = claimOf(await other.open(secondOrder));
    expect(await journal.open(secondOrder)).toMatchObject({ outcome: "exists", movement: { id: first.movement.id } });
    const seen: string[] = [];
    const check = ({ like }: Around) => void seen.push(...like.map(({ id }) => id));
    await journal.open({ ...secondOrder, reference: "INV-3", check });
    expect(seen).toEqual([first.movement.id]);
    await other.close();
    await journal.close();
  });

  test("an outcome that cannot be recorded is reported as unknown", async () => {
    const { way, journal, address } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    await send(claim, "request-1");
    way.close();
    await expect(claim.settle({ state: "accepted", response: "{}" })).rejects.toMatchObject({
      name: "OutcomeUnrecorded",
      reason: expect.stringContaining("cannot be reached"),
    });
    const other = await openShared(address, { host: memoryHost({ seed: 2, machine: { processFate: () => "ended" } }) });
    expect(await other.find(orderOf())).toMatchObject({ state: "unknown" });
    await other.close();
    await journal.close();
  });

  test("an outcome that could not be recorded is written by the same process once the server is back", async () => {
    const { way, journal, address } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    await send(claim, "request-1");
    way.close();
    await expect(claim.settle({ state: "pending", response: "{}" })).rejects.toThrow("could not be recorded");
    way.open();
    const other = await openShared(address, { host: memoryHost({ seed: 2 }) });
    await expect.poll(() => other.find(orderOf())).toMatchObject({ state: "pending", evidence: "answer" });
    expect(await other.verify()).toEqual({ movements: 1, events: 3 });
    await other.close();
    await journal.close();
  });

  test("an outcome recorded late is kept next to a person's decision, and is in the history once", async () => {
    const { way, journal, address } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    await send(claim, "request-1");
    way.close();
    const other = await openShared(address, { host: memoryHost({ seed: 2, machine: { processFate: () => "ended" } }) });
    const decision = { state: "refused", evidence: "person", note: "the bank says no" } as const;
    const { movement } = await other.resolve(claim.movement, decision);
    await expect(claim.settle({ state: "accepted", response: "{}" })).rejects.toThrow("could not be recorded");
    way.open();
    const steps = async () => (await other.events(movement.id)).map(({ step }) => step);
    await expect.poll(steps).toContain("dispute");
    await journal.close();
    expect(await steps()).toEqual(["claim", "send", "abandon", "resolve", "contradict", "dispute"]);
    expect(await other.read(movement.id)).toMatchObject({ state: "unknown", response: "{}" });
    await other.close();
  });

  test("a silent network does not stop a run from ending once it has its outcome", async () => {
    const { way, journal } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    await send(claim, "request-1");
    expect(await claim.settle({ state: "accepted", response: "{}" })).toMatchObject({ state: "accepted" });
    way.swallow();
    await journal.close();
  });

  test("an order stored without an answer can be sent by the same process once the server is back", async () => {
    const { way, journal } = await world();
    way.breakAt(1, "last");
    await expect(journal.open(orderOf())).rejects.toThrow("cannot be reached");
    way.open();
    const claim = claimOf(await journal.open(orderOf()));
    await send(claim, "request-1");
    expect(await claim.settle({ state: "accepted" })).toMatchObject({ requestIds: ["request-1"] });
    expect(await journal.verify()).toEqual({ movements: 1, events: 4 });
    await journal.close();
  });

  test("an order that may be marked as sending is unknown to its own process, and never sent again", async () => {
    const { way, journal } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    way.breakAt(1, "last");
    await expect(claim.beforeDialling("request-1")).rejects.toThrow("cannot be reached");
    way.open();
    expect(await journal.open(orderOf())).toMatchObject({ outcome: "exists", movement: { state: "unknown" } });
    await journal.close();
  });

  test("a read that still looks for the server when the journal is closed fails", async () => {
    const address = await newShared(server);
    const way = await wayTo(address);
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
    const { promise: isClosed, resolve: closes } = Promise.withResolvers<void>();
    const clock: Clock = {
      now: () => 0,
      elapsed: () => 0,
      sleep: (_ms, signal) => {
        waits();
        signal?.addEventListener("abort", () => closes(), { once: true });
        return isClosed;
      },
    };
    const journal = await openShared(way.address, { host: { ...memoryHost(), clock } });
    way.close();
    const reading = Promise.allSettled([journal.read("x")]);
    await isWaiting;
    way.open();
    await journal.close();
    expect(await reading).toMatchObject([{ status: "rejected", reason: { ending: "setup" } }]);
    const connections =
      "SELECT FROM pg_stat_activity WHERE application_name = 'partner' AND datname = current_database()";
    await expect.poll(() => server.sql(address, connections)).toEqual([]);
  });

  test("an order whose sending cannot be recorded is not sent", async () => {
    const { way, journal } = await world();
    const claim = claimOf(await journal.open(orderOf()));
    way.close();
    await expect(claim.beforeDialling("request-1")).rejects.toMatchObject({ ending: "setup", money: "not moved" });
    expect(() => claim.beforeFirstByte("request-1")).toThrow("no longer this process's own");
    await journal.close();
  });

  test("a process that paused between sending and its first byte does not send", async () => {
    const { address } = await world();
    const host = memoryHost();
    const journal = await openShared(address, { host });
    const claim = claimOf(await journal.open(orderOf()));
    await claim.beforeDialling("request-1");
    host.clock.advance(60_001);
    expect(() => claim.beforeFirstByte("request-1")).toThrow("too much time passed");
    await journal.close();
  });
});
