import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterRequest, serveRefusingHttp2, serveSockets } from "../host/servers.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds, objectIn } from "./kinds.ts";
import { openMoneyPath } from "./money-path.ts";
import { accept, environmentAt, honest, secretKey } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// What can happen to a request that moves money on the wire, besides a broken connection.

const trust = `--ca-cert ${join(import.meta.dirname, "..", "host", "fixtures", "localhost-certificate.pem")}`;

const idOf = (head: string) => /x-request-id: (\S+)/.exec(head)?.[1];

for (const kind of kinds) {
  test.for(["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])(
    `${kind.kind}: a %s to another host is unknown, and the other host gets no connection`,
    async (status) => {
      let connections = 0;
      const strange = await serveSockets(() => (connections += 1));
      const location = `location: http://localhost:${strange}${kind.path}\r\n`;
      const service = await teller({ react: saying(status, "", location) });
      const till = openTill(environmentAt(service.origin));
      const first = await till.run(kind.line("R-1"));
      expect(first.exit).toBe(6);
      await expectInvariants(first, { kind, reference: "R-1", till, service: honest(service) });
      expect(connections).toBe(0);
    },
  );

  test(`${kind.kind}: the request has the credentials and an id of its own, without compression or keep-alive`, async () => {
    const service = await teller({ react: accept });
    const till = openTill(environmentAt(service.origin));
    const { stdout } = await till.run(kind.line("R-1"));
    await till.run(kind.line("R-2"));
    const [head = "", other = ""] = service.requests.map((request) => request.head);
    expect(head).toContain(`x-secret-key: ${secretKey}`);
    expect(idOf(head)).toBe(objectIn(stdout)["requestId"]);
    expect(head).toMatch(/\r\ncontent-type: application\/json\r\n/);
    expect(head).toMatch(/\r\nconnection: close/);
    expect(head).not.toMatch(/accept-encoding|expect:|upgrade/i);
    expect(idOf(head)).not.toBe(idOf(other));
  });

  test(`${kind.kind}: two orders never share a connection, even when the service keeps it open`, async () => {
    const sockets: Socket[] = [];
    const serve = (socket: Socket): void =>
      afterRequest(socket, (_, body) => {
        sockets.push(socket);
        const answer = kind.answer(kind.referenceIn(body) ?? "");
        serve(socket);
        socket.write(`HTTP/1.1 ${kind.status}\r\ncontent-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`);
      });
    const port = await serveSockets(serve);
    const path = await openMoneyPath(`http://127.0.0.1:${port}`);
    for (const reference of ["R-1", "R-2"])
      expect((await path.perform(kind, reference)).movement.state).toBe(kind.state);
    expect(new Set(sockets).size).toBe(2);
  });

  test(`${kind.kind}: a service with HTTP/2 still gets HTTP/1.1`, async () => {
    const spoken: string[] = [];
    const { url, streams } = await serveRefusingHttp2((request, response) => {
      spoken.push(`${request.httpVersion} ${request.url}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(request.method === "POST" ? kind.answer("R-1") : "[]");
    });
    const till = openTill(environmentAt(url));
    till.flags = trust;
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
    expect({ streams, last: spoken.at(-1) }).toEqual({ streams: [], last: `1.1 ${kind.path}` });
  });

  test(`${kind.kind}: after a reset before the request was read it is unknown or unsent, and no money moves`, async () => {
    let resets = 0;
    let isWell = false;
    const service = await teller({ react: accept });
    const port = await serveSockets((socket) => {
      if (isWell) {
        const behind = process.getBuiltinModule("node:net").connect(service.port, "127.0.0.1");
        behind.on("error", () => undefined);
        socket.pipe(behind).pipe(socket);
      } else {
        resets += 1;
        socket.resetAndDestroy();
      }
    });
    const till = openTill(environmentAt(`http://127.0.0.1:${port}`));
    const first = await till.run(kind.line("R-1"));
    expect([5, 6]).toContain(first.exit);
    expect(resets).toBeGreaterThan(0);
    const heal = () => {
      isWell = true;
    };
    await expectInvariants(first, { kind, reference: "R-1", till, service: { ...honest(service), heal } });
  });
}
