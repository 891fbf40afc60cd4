import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import { flood } from "./flood.ts";
import { newMachine, send, sendNow } from "./listening.ts";
import { floodWithKills } from "./ordeal.ts";
import { keptIn, startReceiver } from "./process.ts";
import { receiver } from "./receiver.ts";

// Real processes: killed, flooded, short of sockets and of disk space.

test("a receiver that is killed under a flood loses no event that it answered", async () => {
  expect(await floodWithKills(2, 101)).toBeGreaterThan(300);
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "%s finishes the accepted events, and the run ends with 0",
  async (signal) => {
    const stateFolder = join(temporaryFolder(), "state");
    const process = await startReceiver({ stateFolder });
    const ids = Array.from({ length: 3_000 }, (_, index) => `T${index}`);
    const { promise: isUnderWay, resolve: underWay } = Promise.withResolvers<void>();
    process.child.stdout?.once("data", () => underWay());
    const flooding = flood(process.url, ids, 16);
    await isUnderWay;
    expect(await process.end(signal)).toBe(0);
    const { acknowledged, others } = await flooding;
    expect([...others.keys()].filter((status) => status !== 503)).toEqual([]);
    const kept = (await keptIn(stateFolder)).map(({ id }) => id);
    const printed = [...process.output.stdout.matchAll(/^\{"id":"(\w+)"/gm)].map((match) => match[1]);
    expect(printed).toEqual(kept);
    const found = new Set(kept);
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  },
  60_000,
);

test("two receivers share one inbox: each event is kept once and shown once", async () => {
  const stateFolder = join(temporaryFolder(), "state");
  const [one, other] = await Promise.all([startReceiver({ stateFolder }), startReceiver({ stateFolder })]);
  const ids = Array.from({ length: 300 }, (_, index) => `S${index}`);
  const floods = await Promise.all([flood(one.url, ids, 8), flood(other.url, ids, 8)]);
  for (const { acknowledged, others } of floods) expect([acknowledged.length, others.size]).toEqual([300, 0]);
  expect(await Promise.all([one.end("SIGTERM"), other.end("SIGINT")])).toEqual([0, 0]);
  expect(await keptIn(stateFolder)).toHaveLength(300);
  const shown = [...`${one.output.stdout}${other.output.stdout}`.matchAll(/^\{"id":"(\w+)"/gm)].map(
    (match) => match[1],
  );
  expect(shown.toSorted((a = "", b = "") => (a < b ? -1 : 1))).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
});

test("a receiver that is killed while it forwards tries again after its restart", async () => {
  const stateFolder = join(temporaryFolder(), "state");
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>();
  let isUp = false;
  const target = await receiver((_, { headers }) => {
    asked();
    if (isUp && headers["x-request-id"] === "req-A") taken();
    return isUp ? 200 : 503;
  });
  onTestFinished(() => target.stop());
  const first = await startReceiver({ stateFolder, flags: ["--forward-to", target.url] });
  await sendNow(first.url, "A");
  await isAsked;
  expect(await first.end("SIGKILL")).toBe("SIGKILL");
  isUp = true;
  const next = await startReceiver({ stateFolder, flags: ["--forward-to", target.url] });
  await isTaken;
  expect(await next.end("SIGTERM")).toBe(0);
  expect(await keptIn(stateFolder)).toMatchObject([{ id: "A", state: "delivered" }]);
});

test("five hundred silent or unfinished connections keep no event out", async () => {
  const stateFolder = join(temporaryFolder(), "state");
  const process = await startReceiver({ stateFolder });
  const { port, hostname } = new URL(process.url);
  const half = [
    "",
    "POST /webhook HTTP/1.1\r\nhost: x\r\n",
    "POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n{",
  ];
  const slow = Array.from({ length: 500 }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(half[index % half.length] ?? "");
    return socket;
  });
  onTestFinished(() => slow.forEach((socket) => socket.destroy()));
  await Promise.all(slow.map((socket) => once(socket, "connect")));
  const ids = Array.from({ length: 200 }, (_, index) => `G${index}`);
  const { acknowledged } = await flood(process.url, ids, 8);
  expect(acknowledged).toHaveLength(200);
  expect(await process.end("SIGTERM")).toBe(0);
});

test("a full disk is answered with 503, and repeated events are accepted once there is room", async ({ skip }) => {
  const disk = smallDisk(2048) ?? skip(noSmallDisk);
  const stateFolder = join(disk.folder, "state");
  const receiving = await startReceiver({ stateFolder });
  expect((await sendNow(receiving.url, "before")).status).toBe(200);
  disk.fill();
  const ids = Array.from({ length: 40 }, (_, index) => `F${index}`);
  const full = await flood(receiving.url, ids, 4);
  expect(full.others.get(503)).toBeGreaterThan(0);
  expect((await fetch(new URL("/health", receiving.url))).status).toBe(200);
  disk.empty();
  const again = await flood(receiving.url, ids, 4);
  expect([again.acknowledged.length, again.others.size]).toEqual([40, 0]);
  expect(await receiving.end("SIGTERM")).toBe(0);
  expect((await keptIn(stateFolder)).map(({ id }) => id).toSorted()).toEqual(["before", ...ids].toSorted());
  expect(receiving.output.stderr).toMatch(
    /Webhooks are answered with 503: The inbox .* cannot be used: the disk is full/,
  );
});

test("an output file cut off by a full disk has every event on a line of its own in the end", async ({ skip }) => {
  const disk = smallDisk(16) ?? skip(noSmallDisk);
  const stateFolder = join(temporaryFolder(), "state");
  const path = join(disk.folder, "events.ndjson");
  const stdout = openSync(path, "a");
  onTestFinished(() => closeSync(stdout));
  const first = await startReceiver({ stateFolder, stdout });
  const ids = Array.from({ length: 100 }, (_, index) => `H${index}`);
  const { acknowledged } = await flood(first.url, ids, 4);
  expect(acknowledged).toHaveLength(ids.length);
  expect(await first.end("SIGTERM")).toBe(5);
  expect(first.output.stderr).toContain("stdout cannot be written: the disk is full. Events are received and stored");
  expect(first.output.stderr).toContain("The result could not be written to the standard output completely");
  expect(readFileSync(path, "utf8")).toHaveLength(16 * 1024);
  disk.grow(1024);
  const next = await startReceiver({ stateFolder, stdout });
  expect(await next.end("SIGTERM")).toBe(0);
  const lines = readFileSync(path, "utf8").split("\n");
  expect(new Set(lines.map((line) => idOf(line)).filter((id) => id !== undefined))).toEqual(new Set(ids));
});

test("a replay that cannot be recorded reports that the event was accepted", async ({ skip }) => {
  const disk = smallDisk(2048) ?? skip(noSmallDisk);
  const machine = newMachine();
  const onDisk = { PARTNER_STATE_DIR: join(disk.folder, "state") };
  const { url, stop } = await machine.listen("", onDisk);
  await send(url, "A");
  await stop();
  const target = await receiver(() => {
    disk.fill();
    return 200;
  });
  onTestFinished(() => target.stop());
  const { exit, stderr } = await machine.type(`webhook inbox replay A --forward-to ${target.url}`, onDisk);
  expect([exit, target.received.length]).toEqual([3, 1]);
  expect(stderr).toContain('the disk is full. Event "A" was taken: only the record of it is missing.');
});

test("an event accepted while the disk was full is not sent there again and again", async ({ skip }) => {
  const disk = smallDisk(2048) ?? skip(noSmallDisk);
  const stateFolder = join(disk.folder, "state");
  const target = await receiver(() => {
    disk.fill();
    return 200;
  });
  onTestFinished(() => target.stop());
  const receiving = await startReceiver({ stateFolder, flags: ["--forward-to", target.url] });
  const { promise: isSaid, resolve: said } = Promise.withResolvers<void>();
  receiving.child.stderr?.on("data", () => receiving.output.stderr.includes("cannot be recorded") && said());
  await sendNow(receiving.url, "A");
  await isSaid;
  disk.empty();
  expect(await receiving.end("SIGTERM")).toBe(0);
  expect(target.received).toHaveLength(1);
  expect(await keptIn(stateFolder)).toMatchObject([{ id: "A", state: "delivered", attempts: 1 }]);
});

/** Undefined for a line that isn't an event, such as half of one. */
function idOf(line: string): string | undefined {
  try {
    return JSON.parse(line).id;
  } catch {
    return undefined;
  }
}
