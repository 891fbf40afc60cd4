import { ServiceClock } from "../../src/values/time/service-clock.ts";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { Connection } from "../../src/client/connection.ts";
import { Mover } from "../../src/client/mover.ts";
import { Reader } from "../../src/client/reader.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { listWallets, transfer, withdraw } from "../../src/contract/wallets.ts";
import type { Claim } from "../../src/journal/journal.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { claimOf, newPlace, openPlace, orderOf } from "../journal/orders.ts";
import { memoryHost } from "../memory-host.ts";

// `test/tidy/past-the-journal` covers what the compiler stops. Here the types are bypassed.

let service: Recorder | undefined;
afterEach(() => service?.stop());

const timeoutMs = 10_000;
const credentials = { group: "A", accountId: "vendor-7", secretKey: "c2VjcmV0" } as const;
const order = orderOf();

async function atTheDoor() {
  service = await recorder(answer("200 OK", "{}"));
  const { origin, requests } = service;
  const host = memoryHost();
  const journal = await openPlace(newPlace(), { host });
  onTestFinished(() => journal.close());
  const opening = await journal.open(order);
  const there = {
    live: true,
    extensions: new Set<never>(),
    profile: undefined,
    address: (_group: "A" | "B", target: string) => origin + target,
    credentials: () => Promise.resolve(credentials),
  };
  const connection = new Connection(there, await host.transport({}));
  const mover = new Mover(connection, timeoutMs);
  const { signal, giveUp } = host;
  const consignment = { endpoint: transfer, credentials, requestId: "1", signal, giveUp, onLeaving: () => undefined };
  const movementNow = () => journal.read(claimOf(opening).movement.id);
  return { host, requests, connection, mover, claim: claimOf(opening), consignment, movementNow };
}

test("the journal's request is sent digit by digit, and is recorded as sending before the answer", async () => {
  const { mover, claim, consignment, requests, movementNow } = await atTheDoor();
  await mover.send(claim, consignment);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.split("\r\n\r\n")[1]).toBe(order.request);
  expect(await movementNow()).toMatchObject({ state: "sending", requestIds: ["1"] });
});

const fakes: readonly (readonly [string, (claim: Claim) => Claim])[] = [
  ["made of JSON", (claim) => JSON.parse(JSON.stringify(claim))],
  ["in the shape of one", (claim) => Object.assign({}, claim)],
  ["with the journal's as its prototype", (claim) => Object.create(claim, { beforeFirstByte: { value: silent } })],
  ["behind a proxy", (claim) => new Proxy(claim, { get: (from, name) => Reflect.get(from, name) })],
];

test.each(fakes)("nothing is sent with a claim %s", async (_, fake) => {
  const { mover, claim, consignment, requests, movementNow } = await atTheDoor();
  await expect(mover.send(fake(claim), consignment)).rejects.toThrow("Only an order that the journal has can be sent");
  expect(requests).toEqual([]);
  expect(await movementNow()).toMatchObject({ state: "prepared" });
});

test("nothing is sent twice with one claim, whatever became of the first time", async () => {
  const { mover, connection, claim, consignment, requests } = await atTheDoor();
  await mover.send(claim, consignment);
  await expect(new Mover(connection, timeoutMs).send(claim, consignment)).rejects.toThrow("was sent before");
  expect(requests).toHaveLength(1);
});

test("a claim cannot be changed to record nothing, or to send something else", async () => {
  const { claim } = await atTheDoor();
  expect(() => Object.assign(claim, { beforeFirstByte: silent })).toThrow(TypeError);
  expect(() => Object.assign(claim.movement, { request: "{}" })).toThrow(TypeError);
});

test("nothing is sent as another kind of movement than the journal has", async () => {
  const { mover, claim, consignment, requests, movementNow } = await atTheDoor();
  await expect(mover.send(claim, { ...consignment, endpoint: withdraw })).rejects.toThrow(
    "can't be sent as a withdraw",
  );
  expect(requests).toEqual([]);
  expect(await movementNow()).toMatchObject({ state: "prepared" });
});

test("nothing is sent to an endpoint that the specification doesn't have", async () => {
  const { mover, claim, consignment, requests } = await atTheDoor();
  const endpoint = Object.assign({}, transfer, { path: "/elsewhere" as const });
  await expect(mover.send(claim, { ...consignment, endpoint })).rejects.toThrow("Only an order");
  expect(requests).toEqual([]);
});

const reads: readonly (readonly [string, () => Endpoint<"reads">])[] = [
  ["a transfer called a read", () => JSON.parse(JSON.stringify({ ...transfer, effect: "reads" }))],
  ["a read that was given another path", () => Object.assign({}, listWallets, { path: transfer.path })],
  ["a transfer whose type was lost", () => Reflect.apply(() => transfer, undefined, [])],
];

test.each(reads)("nothing is sent for %s", async (_, endpoint) => {
  const { host, connection, requests } = await atTheDoor();
  const reader = new Reader(host, { connection, timeoutMs, retries: 0, serviceClock: new ServiceClock() });
  await expect(reader.read(endpoint(), {})).rejects.toThrow("not a read of the specification");
  expect(requests).toEqual([]);
});

function silent(): void {
  // Records nothing.
}
