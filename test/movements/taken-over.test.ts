import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterRequest, serveProxy, serveSockets } from "../host/servers.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds, objectIn } from "./kinds.ts";
import { errorIn } from "../commands/served.ts";
import { accept, environmentAt, honest } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// A process that sleeps before it has sent anything can look dead to another machine or container. Another process
// takes its order over and sends it; after waking up the first one must not.

const trust = `--ca-cert ${join(import.meta.dirname, "..", "host", "fixtures", "elsewhere-certificate.pem")}`;

for (const kind of kinds) {
  test(`${kind.kind}: a process that wakes up after its order was taken over sends nothing, and reports the outcome`, async () => {
    const service = await teller({ react: accept, certificate: "elsewhere" });
    const till = openTill(environmentAt("https://elsewhere.example"));
    till.flags = trust;
    const slow = await slowProxy(service.port, kind.readsBefore);
    till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${slow.port}`;
    const sleeper = till.run(kind.line("R-1"));
    await slow.reached;
    till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${await serveProxy(service.port)}`;
    const machine = { processMark: () => "another machine", processFate: () => "ended" as const };
    const other = await till.run(kind.line("R-1"), { machine });
    expect(other).toMatchObject({ exit: 0 });
    expect(service.requests).toHaveLength(1);
    slow.release();
    const woken = await sleeper;
    expect(woken).toMatchObject({ exit: 0, stdout: other.stdout });
    expect(objectIn(woken.stdout)["state"]).toBe(kind.state);
    expect(service.requests).toHaveLength(1);
    await expectInvariants(woken, { kind, reference: "R-1", till, service: honest(service) });
  });
}

test("an order that another process has claimed is not called unsent: it may still be sent", async () => {
  const [kind] = kinds;
  const service = await teller({ react: accept, certificate: "elsewhere" });
  const till = openTill(environmentAt("https://elsewhere.example"));
  till.flags = trust;
  const slow = await slowProxy(service.port, kind.readsBefore);
  till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${slow.port}`;
  const sleeper = till.run(kind.line("R-1"));
  await slow.reached;
  till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${await serveProxy(service.port)}`;
  const other = await till.run(kind.line("R-1"));
  expect(other).toMatchObject({ exit: 6 });
  expect(errorIn(other)).toMatchObject({ ending: "unknown", money: "unknown", reference: "R-1" });
  slow.release();
  expect(await sleeper).toMatchObject({ exit: 0 });
  expect(service.requests).toHaveLength(1);
});

test("a journal that breaks while another process is sending the order leaves its money unknown", async () => {
  const [kind] = kinds;
  const sent = Promise.withResolvers<() => void>();
  const service = await teller({ react: (socket, request) => sent.resolve(() => accept(socket, request)) });
  const till = openTill(environmentAt(service.origin));
  const sender = till.run(kind.line("R-1"));
  const answerIt = await sent.promise;
  const journal = join(till.stateFolder, "journal.db");
  const meanwhile = () => writeFileSync(journal, "not a journal any more".repeat(1000));
  const other = await till.run(kind.line("R-1"), { meanwhile });
  expect(other).toMatchObject({ exit: 6 });
  expect(errorIn(other)).toMatchObject({ ending: "unknown", money: "unknown", reference: "R-1" });
  answerIt();
  await sender;
});

test("no sentence says that no money moved when the reference belongs to another order that is unknown", async () => {
  const [kind] = kinds;
  const service = await teller({ react: saying("500 Internal Server Error", "") });
  const till = openTill(environmentAt(service.origin));
  expect(await till.run(kind.line("R-1"))).toMatchObject({ exit: 6 });
  const other = await till.run(kind.line("R-1", kind.amounts[1]));
  expect(other).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(other)).toMatchObject({ ending: "usage", money: "unknown", reference: "R-1" });
  expect(service.requests).toHaveLength(1);
});

test("the sentence about a reference that another accepted order has says that its money moved", async () => {
  const [kind] = kinds;
  const service = await teller({ react: accept });
  const till = openTill(environmentAt(service.origin));
  expect(await till.run(kind.line("R-1"))).toMatchObject({ exit: 0 });
  const other = await till.run(kind.line("R-1", kind.amounts[1]).replace(" --json", ""));
  expect(other).toMatchObject({ exit: 2, stdout: "" });
  expect(other.stderr).toContain("\nThis run moved no money. The earlier one did.\n");
});

/** A proxy to one port that lets so many connections through and holds the next one until it is released. */
async function slowProxy(port: number, passes: number) {
  const waiting = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let connections = 0;
  const proxy = await serveSockets((socket) =>
    afterRequest(socket, () => {
      connections += 1;
      if (connections <= passes) return lead(socket, port);
      waiting.resolve();
      return void released.promise.then(() => lead(socket, port));
    }),
  );
  return { port: proxy, reached: waiting.promise, release: released.resolve };
}

function lead(socket: Socket, port: number): void {
  const behind = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(behind).pipe(socket);
  });
  behind.on("error", () => undefined);
}
