import { expect, test } from "vitest";
import type { Around, Journal, Order, SeenRow } from "../../src/journal/journal.ts";
import { ProofTaken } from "../../src/journal/claim-errors.ts";
import type { SettledState } from "../../src/journal/journal.ts";
import type { Store } from "./journal-contract.ts";
import { claimOf, collect, fakeProcesses, orderOf, send } from "./orders.ts";

const sandbox = "sandbox http://127.0.0.1:8080 ACC-1";
const corrected = "live http://127.0.0.1:8080 ACC-1";
const renamed = "live http://service.example ACC-1";
const stranger = "live http://service.example ACC-2";
const none: Around = { near: [], like: [], seen: [], accounts: [] };

const remit = (receiverAccount: string, institutionCode = "CORUTZTZ") =>
  `{"institutionCode":"${institutionCode}","receiverAccount":"${receiverAccount}","receiverAmount":5,"receiverChannel":"BANK"}`;
const payout = (msisdn: string) => `{"accountNo":"9000112233","amount":5,"msisdn":"${msisdn}"}`;

/**
 * What every journal has to find: orders under each name of their account, and orders that could be the same payment.
 */
export function lookupsContract(name: string, makeStore: () => Store): void {
  const world = async () => {
    const processes = fakeProcesses();
    const store = makeStore();
    const host = processes.start("first");
    return { processes, store, host, journal: await store(host) };
  };

  test(`${name}: orders are found by the beginning of their ids, in the order of their ids`, async () => {
    const { journal } = await world();
    const ids: string[] = [];
    for (const reference of ["INV-1", "INV-2", "INV-3"])
      ids.push((await settle(journal, orderOf({ reference }), "accepted")).id);
    for (const id of ids) {
      expect(await journal.beginningWith(id)).toEqual([await journal.read(id)]);
      const alike = ids.filter((other) => other.startsWith(id.charAt(0))).toSorted();
      expect((await journal.beginningWith(id.charAt(0))).map((found) => found.id)).toEqual(alike);
    }
    for (const start of ["", "x", "%", "_", `${ids[0] ?? ""}0`, "INV-1", "\u0000"])
      expect(await journal.beginningWith(start)).toEqual([]);
  });

  test(`${name}: an order is found under every name of its account, however many steps lead there`, async () => {
    const { journal } = await world();
    const order = orderOf({ scope: sandbox });
    const { id } = await settle(journal, order, "accepted", "T-1");
    // Nothing leads from the first name to the last one yet.
    expect(await journal.find({ ...order, scope: renamed })).toBeUndefined();
    await settle(journal, orderOf({ scope: corrected, reference: "INV-2", request: transferOf(7) }), "accepted");
    for (const scope of [sandbox, corrected, renamed]) {
      const found = { ...order, scope };
      expect(await journal.open(found)).toMatchObject({ outcome: "exists", movement: { id }, isSameRequest: true });
      expect(await journal.find(found)).toMatchObject({ id });
      expect(await journal.findAll(scope, [order])).toMatchObject([{ id }]);
      expect(await journal.search("INV-1", scope)).toMatchObject([{ id }]);
      expect(await journal.knownAs(scope, ["T-1"])).toMatchObject([{ id }]);
      expect(await journal.likes(found, order.request, 0)).toMatchObject([{ id }]);
      expect((await collect(journal.list({ scope }))).map(({ reference }) => reference)).toEqual(["INV-1", "INV-2"]);
      expect((await journal.lookAround({ ...found, reference: "inv-1" }, order.request)).near).toMatchObject([{ id }]);
    }
    const foreign = { ...order, scope: stranger };
    expect(await journal.find(foreign)).toBeUndefined();
    expect(await journal.findAll(stranger, [order])).toEqual([]);
    expect(await journal.knownAs(stranger, ["T-1", "INV-1"])).toEqual([]);
    expect(await journal.likes(foreign, order.request, 0)).toEqual([]);
    expect(await collect(journal.list({ scope: stranger }))).toEqual([]);
    expect(await journal.lookAround({ ...foreign, reference: "inv-1" }, order.request)).toEqual(none);
  });

  test.each([
    ["accepted", "refused"],
    ["refused", "accepted"],
    ["unknown", "unsent"],
    ["unsent", "pending"],
  ] as const)(
    `${name}: of one reference under two names, one %s and one %s, the order that may have moved money counts`,
    async (one, other) => {
      const { journal } = await world();
      await settle(journal, orderOf({ scope: sandbox }), one);
      await settle(journal, orderOf({ scope: renamed }), other);
      // Only now it turns out that they are one account.
      await settle(journal, orderOf({ scope: corrected, reference: "INV-2", request: transferOf(7) }), "accepted");
      const moved = [one, other].find((state) => state !== "refused" && state !== "unsent");
      for (const scope of [sandbox, corrected, renamed]) {
        expect(await journal.find(orderOf({ scope }))).toMatchObject({ state: moved });
        expect(await journal.findAll(scope, [orderOf()])).toMatchObject([{ state: moved }]);
        expect(await journal.open(orderOf({ scope }))).toMatchObject({ outcome: "exists", movement: { state: moved } });
      }
    },
  );

  test(`${name}: the accounts are those with orders, and those whose statements were read`, async () => {
    const { journal } = await world();
    expect(await journal.accounts()).toEqual([]);
    await settle(journal, orderOf({ scope: sandbox }), "refused");
    await settle(journal, orderOf({ scope: sandbox, reference: "INV-2" }), "accepted");
    await settle(journal, orderOf({ scope: stranger }), "accepted");
    await journal.keepSeen([seenRow({ scope: renamed })]);
    expect(await journal.accounts()).toEqual([stranger, renamed, sandbox].toSorted());
  });

  test(`${name}: an order is found by its references and by the service's ids`, async () => {
    const { journal } = await world();
    const one = await settle(journal, orderOf(), "accepted", "T-1");
    const two = await settle(journal, orderOf({ kind: "withdraw", request: transferOf(6) }), "accepted", "T-2");
    const knownAs = async (...words: readonly string[]) =>
      (await journal.knownAs(one.scope, words)).map(({ id }) => id).toSorted();
    expect(await knownAs("INV-1")).toEqual([one.id, two.id].toSorted());
    expect(await knownAs("T-2", "T-3", "\0")).toEqual([two.id]);
    expect(await knownAs("T-1", "INV-1")).toEqual([one.id, two.id].toSorted());
    expect(await knownAs("inv-1")).toEqual([]);
    expect(await knownAs()).toEqual([]);
  });

  test(`${name}: like orders share kind, account, payer, receiver and amount, since a given moment`, async () => {
    const { journal, host } = await world();
    const first = await settle(journal, orderOf({ reference: "A" }), "refused");
    host.clock.advance(1000);
    const later = await settle(
      journal,
      orderOf({ reference: "B", request: transferOf("5000.00", "food") }),
      "accepted",
    );
    for (const [index, request] of [transferOf(5001), transferOf(5000, "rent", "1044")].entries())
      await settle(journal, orderOf({ reference: `X${index}`, request }), "accepted");
    await settle(journal, orderOf({ reference: "X9", kind: "withdraw" }), "accepted");
    const likes = async (since: number) =>
      (await journal.likes(orderOf(), transferOf(5000), since)).map(({ id }) => id);
    expect(await likes(0)).toEqual([first.id, later.id]);
    expect(await likes(later.openedAt)).toEqual([later.id]);
    expect(await likes(later.openedAt + 1)).toEqual([]);
  });

  test(`${name}: an account at a bank is one receiver, however its number is written`, async () => {
    const { journal } = await world();
    const first = await settle(
      journal,
      orderOf({ kind: "remit", reference: "P-1", request: remit("0150-000.111 222") }),
      "accepted",
    );
    const zeros = await settle(
      journal,
      orderOf({ kind: "remit", reference: "P-2", request: remit("00-00") }),
      "accepted",
    );
    const paid = await settle(
      journal,
      orderOf({ kind: "payout", reference: "P-3", request: payout("CORUTZTZ:0150 000 111-222") }),
      "accepted",
    );
    const likes = async (kind: "remit" | "payout", request: string) =>
      (await journal.likes(orderOf({ kind, reference: "P-9" }), request, 0)).map(({ id }) => id);
    for (const spelled of [
      "0150000111222",
      "150000111222",
      "0150 000 111 222",
      "0150/000\u2013111_222",
      "0150-000.111 222",
    ])
      expect(await likes("remit", remit(spelled))).toEqual([first.id]);
    expect(await likes("payout", payout("CORUTZTZ:150000111222"))).toEqual([paid.id]);
    expect(await likes("remit", remit("00-00"))).toEqual([zeros.id]);
    for (const other of ["0000", "0150000111223", "1500001112220", ""])
      expect(await likes("remit", remit(other))).toEqual([]);
    expect(await likes("remit", remit("0150000111222", "NMIBTZTZ"))).toEqual([]);
    expect(await likes("payout", payout("NMIBTZTZ:150000111222"))).toEqual([]);
  });

  test(`${name}: a row of a statement proves one order and no other`, async () => {
    const { journal } = await world();
    const proofs = [{ key: "row-1", row: "{}" }];
    const one = await sendOrderOf(journal, orderOf({ reference: "A" }));
    const two = await sendOrderOf(journal, orderOf({ reference: "B" }));
    await one.settle({ state: "accepted", evidence: "statement", proofs });
    await expect(two.settle({ state: "accepted", evidence: "statement", proofs })).rejects.toThrow(ProofTaken);
    const { id } = await two.settle({ state: "unknown" });
    const decision = { state: "accepted", evidence: "statement" } as const;
    expect(await journal.resolve({ id, attempt: 1 }, { ...decision, proofs })).toMatchObject({
      outcome: "taken",
      movement: { state: "unknown" },
    });
    expect(await journal.provedBy(["row-1", "row-2"])).toEqual(new Map([["row-1", one.movement.id]]));
    const others = [...proofs, { key: "row-2", row: "{}" }];
    expect(await journal.resolve(one.movement, { ...decision, proofs: others })).toMatchObject({
      outcome: "confirmed",
    });
    expect(
      await journal.resolve({ id, attempt: 1 }, { ...decision, proofs: [{ key: "row-3", row: "{}" }] }),
    ).toMatchObject({
      outcome: "resolved",
    });
    expect(await journal.provedBy(["row-1", "row-2", "row-3", "row-4"])).toEqual(
      new Map([
        ["row-1", one.movement.id],
        ["row-2", one.movement.id],
        ["row-3", id],
      ]),
    );
    expect(await journal.provedBy([])).toEqual(new Map());
    expect(await journal.proofsOf(one.movement.id)).toEqual(["{}", "{}"]);
    expect(await journal.proofsOf("nobody's")).toEqual([]);
  });

  const spellings = [
    ["letter case", "inv 7", "INV 7"],
    ["spaces", "INV7", "IN V\u00a07"],
    ["leading zeros of the whole", "0007", "7"],
    ["scientific notation", "1E5", "100000"],
    ["scientific notation with a decimal comma", "1,5E+05", "150000"],
    ["scientific notation and leading zeros", "00100000", "1e+5"],
    ["composed letters", "Zo\u00eb", "zoe\u0308"],
  ] as const;
  test.each(spellings)(`${name}: references that differ only by %s are near each other`, async (_, one, other) => {
    const { journal } = await world();
    const { id } = await settle(journal, orderOf({ reference: one }), "pending");
    expect((await around(journal, { reference: other, request: transferOf(6) })).near).toMatchObject([{ id }]);
    expect((await around(journal, { reference: one, request: transferOf(6) })).near).toEqual([]);
    expect((await around(journal, { reference: other, kind: "collect" })).near).toEqual([]);
  });

  test.each([
    ["INV-007", "INV-7"],
    ["1", "10"],
    ["A-1", "A1"],
    ["1E5", "1E6"],
    ["1E-5", "0"],
    ["1.55E1", "155"],
  ])(`${name}: the references %s and %s are two different ones`, async (one, other) => {
    const { journal } = await world();
    await settle(journal, orderOf({ reference: one }), "accepted");
    expect((await around(journal, { reference: other, request: transferOf(6) })).near).toEqual([]);
  });

  test.each([
    ["accepted", true],
    ["pending", true],
    ["unknown", true],
    ["reversed", true],
    ["refused", false],
    ["unsent", false],
  ] as const)(`${name}: an order that is %s is shown next to others: %s`, async (state, isAround) => {
    const { journal } = await world();
    await settle(journal, orderOf({ reference: "inv-1" }), state);
    const { near, like } = await around(journal, {});
    expect([near.length, like.length]).toEqual(isAround ? [1, 1] : [0, 0]);
  });

  test.each(["refused", "unsent"] as const)(
    `${name}: %s orders never hide an earlier one, however many there are`,
    async (state) => {
      const { journal } = await world();
      const { id } = await settle(journal, orderOf({ reference: "inv-1" }), "accepted");
      for (let count = 1; count <= 30; count += 1)
        await settle(journal, orderOf({ reference: "inv-1".padStart(count + 5, "0") }), state);
      const { near, like } = await around(journal, {});
      expect([near, like]).toMatchObject([[{ id }], [{ id }]]);
    },
  );

  test(`${name}: an order without an outcome is found behind any number of like ones with an outcome`, async () => {
    const { journal } = await world();
    const { id } = await settle(journal, orderOf({ reference: "LOST" }), "unknown");
    for (let count = 1; count <= 30; count += 1)
      await settle(journal, orderOf({ reference: `R-${count}` }), "accepted");
    const { like } = await around(journal, {});
    expect(like.filter(({ state }) => state === "unknown")).toMatchObject([{ id }]);
    expect(like.map(({ reference }) => reference)).toContain("R-30");
    await journal.resolve({ id, attempt: 1 }, { state: "accepted", evidence: "statement" });
    expect((await around(journal, {})).like.filter(({ state }) => state === "unknown")).toEqual([]);
  });

  test(`${name}: the orders of a running process are shown, and those of a dead one are unsent or unknown`, async () => {
    const { journal, store, processes } = await world();
    await journal.open(orderOf({ reference: "prepared" }));
    await sendOrderOf(journal, orderOf({ reference: "sending" }));
    const other = await store(processes.start("second"));
    const statesAround = async () =>
      (await around(other, {})).like.map(({ reference, state }) => `${reference} ${state}`).toSorted();
    expect(await statesAround()).toEqual(["prepared prepared", "sending sending"]);
    processes.end("first");
    expect(await statesAround()).toEqual(["prepared unsent", "sending unknown"]);
  });

  test(`${name}: rows of one batch are not compared with each other, but with those of other batches`, async () => {
    const { journal } = await world();
    const row = (batch: string, number: number, state: SettledState) =>
      settle(journal, orderOf({ reference: `${batch}-${number}`, batch: { id: batch, row: number } }), state);
    for (let number = 1; number <= 30; number += 1)
      await row("march", number, number % 2 === 0 ? "accepted" : "unknown");
    expect(await around(journal, { batch: { id: "march", row: 31 } })).toEqual(none);
    expect((await around(journal, {})).like.length).toBeGreaterThan(1);
    await row("april", 1, "accepted");
    await row("april", 2, "pending");
    await settle(journal, orderOf({ reference: "alone" }), "accepted");
    const { like } = await around(journal, { batch: { id: "march", row: 31 } });
    expect(like.map(({ reference }) => reference).toSorted()).toEqual(["alone", "april-1", "april-2"]);
    const { near } = await around(journal, { reference: "MARCH-1", batch: { id: "march", row: 31 } });
    expect(near).toMatchObject([{ reference: "march-1" }]);
  });

  test(`${name}: an order that is sent again is found by its new request`, async () => {
    const { journal } = await world();
    await settle(journal, orderOf({ reference: "A" }), "refused");
    await settle(
      journal,
      orderOf({ reference: "A", request: transferOf(7), batch: { id: "may", row: 1 } }),
      "accepted",
    );
    expect((await around(journal, { request: transferOf(5000) })).like).toEqual([]);
    expect((await around(journal, { request: transferOf(7) })).like).toMatchObject([{ reference: "A" }]);
    expect(await around(journal, { request: transferOf(7), batch: { id: "may", row: 2 } })).toEqual(none);
  });

  test(`${name}: account ids that differ only in letter case are reported, until one of them is known`, async () => {
    const { journal } = await world();
    await settle(journal, orderOf(), "accepted");
    const ofSlip = (await around(journal, { scope: "live http://127.0.0.1:8080 acc-1" })).accounts;
    expect(ofSlip).toEqual(["ACC-1"]);
    for (const scope of [corrected, "live http://elsewhere.example acc-1", "simulator http://127.0.0.1:8080 ACC-2"])
      expect((await around(journal, { scope })).accounts).toEqual([]);
    await settle(journal, orderOf({ scope: "live http://127.0.0.1:8080 acc-1" }), "accepted");
    expect((await around(journal, { scope: "live http://127.0.0.1:8080 acc-1" })).accounts).toEqual([]);
  });

  test(`${name}: rows of statements are kept once, and found by references with another spelling`, async () => {
    const { journal } = await world();
    const rows = [seenRow({ reference: "0042" }), seenRow({ key: "row-2", reference: "INV 1" })];
    expect(await journal.keepSeen(rows)).toBe(2);
    expect(await journal.keepSeen([...rows, seenRow({ key: "row-3", reference: "INV1" })])).toBe(1);
    expect(await journal.keepSeen([])).toBe(0);
    // It would be another one when it is read again.
    expect(await journal.keepSeen([seenRow({ key: "row-4", row: "a\0b" })])).toBe(0);
    const seen = async (reference: string, scope?: string) =>
      (await around(journal, { reference, ...(scope === undefined ? {} : { scope }) })).seen;
    expect(await seen("42")).toEqual([rows[0]]);
    expect(await seen("0042")).toEqual([rows[0]]);
    expect(await seen("inv1", "live http://localhost:8080/ ACC-1")).toMatchObject([
      { reference: "INV 1" },
      { key: "row-3" },
    ]);
    expect(await seen("42", stranger)).toEqual([]);
    expect(await seen("43")).toEqual([]);
  });

  test(`${name}: kept rows are found under every name of their account, also before its first order`, async () => {
    const { journal } = await world();
    await journal.keepSeen([seenRow({ scope: sandbox })]);
    await journal.keepSeen([seenRow({ scope: corrected, key: "row-2", reference: "OTHER" })]);
    for (const scope of [sandbox, corrected, renamed])
      expect((await around(journal, { scope })).seen).toMatchObject([{ scope: sandbox }]);
    expect((await around(journal, { scope: stranger })).seen).toEqual([]);
  });

  test(`${name}: a last look sees like orders, and an order is not stored when it throws`, async () => {
    const { journal } = await world();
    const looks: Around[] = [];
    let empty = 0;
    // A journal may first assume that there are none, and then look.
    const check = (found: Around) => {
      if (found.like.length + found.near.length === 0) {
        empty += 1;
        return;
      }
      looks.push(found);
      throw new Error("There is one like it");
    };
    const first = await settle(journal, orderOf({ check }), "accepted");
    await expect(journal.open(orderOf({ reference: "INV-2", check }))).rejects.toThrow("There is one like it");
    await expect(journal.open(orderOf({ reference: "inv-1", request: transferOf(6), check }))).rejects.toThrow(
      "There is one like it",
    );
    expect(empty).toBeGreaterThan(0);
    expect(looks).toMatchObject([
      { near: [], like: [{ id: first.id }] },
      { near: [{ id: first.id }], like: [] },
    ]);
    expect(await collect(journal.list())).toHaveLength(1);
    // Known references are not looked at.
    expect(await journal.open(orderOf({ check }))).toMatchObject({ outcome: "exists" });
    expect(looks).toHaveLength(2);
    expect(await journal.verify()).toEqual({ movements: 1, events: 3 });
  });

  test(`${name}: of like orders at the same moment the second sees the first`, async () => {
    const { journal, store, processes } = await world();
    const others = [journal, await store(processes.start("second")), await store(processes.start("third"))];
    const openings = await Promise.allSettled(
      others.map((each, index) => each.open(orderOf({ reference: `R-${index}`, check: refuseLike }))),
    );
    expect(openings.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const spelled = await Promise.allSettled(
      others.map((each, index) =>
        each.open(
          orderOf({ reference: "7".padStart(index + 1, "0"), request: transferOf(index + 1), check: refuseNear }),
        ),
      ),
    );
    expect(spelled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test(`${name}: many orders are looked up together, with the same results as one by one`, async () => {
    const { journal } = await world();
    await settle(journal, orderOf({ reference: "A", batch: { id: "march", row: 1 } }), "accepted");
    await settle(journal, orderOf({ reference: "0007", request: transferOf(7), scope: sandbox }), "unknown");
    await journal.keepSeen([seenRow({ reference: "SEEN" })]);
    const asked: readonly Partial<Order>[] = [
      { reference: "7" },
      { reference: "A" },
      { reference: "B", request: transferOf(7) },
      { reference: "seen", request: transferOf(9) },
      { reference: "new", request: transferOf(9) },
      { reference: "new", kind: "withdraw" },
      { reference: "a\0b" },
      ...Array.from({ length: 300 }, (_, index) => ({ reference: `N-${index}`, request: transferOf(index + 10) })),
    ];
    for (const batch of [undefined, "march", "april"]) {
      const alone: Around[] = [];
      const orders = asked.map((changes) => orderOf({ scope: corrected, ...changes }));
      const row = batch === undefined ? undefined : { id: batch, row: 1 };
      for (const order of orders.slice(0, 10))
        alone.push(await journal.lookAround({ ...order, batch: row }, order.request));
      const together = await journal.lookAroundAll(corrected, orders, batch);
      expect(together).toHaveLength(orders.length);
      expect(together.slice(0, 10)).toEqual(alone);
      expect(together.slice(10)).toEqual(orders.slice(10).map(() => none));
    }
    expect(await journal.lookAroundAll(corrected, [])).toEqual([]);
  });
}

function transferOf(amount: number | string, description = "rent", to = "1043"): string {
  return `{"amount":${amount},"from":"1042","to":"${to}","description":"${description}"}`;
}

function seenRow(changes: Partial<SeenRow> = {}): SeenRow {
  const { scope } = orderOf();
  return { scope, accountNo: "1042", reference: "INV-1", key: "row-1", row: `{"tranRefNo":"INV-1"}`, ...changes };
}

/** What the journal has around an order that was never placed. */
function around(journal: Journal, changes: Partial<Order>): Promise<Around> {
  const order = orderOf(changes);
  return journal.lookAround(order, order.request);
}

async function sendOrderOf(journal: Journal, order: Order) {
  const claim = claimOf(await journal.open(order));
  await send(claim, `request of ${order.reference}`);
  return claim;
}

async function settle(journal: Journal, order: Order, state: SettledState, transactionId?: string) {
  return (await sendOrderOf(journal, order)).settle({ state, transactionId });
}

function refuseLike({ like }: Around): void {
  if (like.length > 0) throw new Error("There is one like it");
}

function refuseNear({ near }: Around): void {
  if (near.length > 0) throw new Error("There is one written like it");
}
