import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { afterRequest, certificate, serveRefusingHttp2, serveSockets } from "../host/servers.ts";
import { size } from "../journal/long.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import type { MoneyPath } from "./money-path.ts";
import { openMoneyPath, performAll } from "./money-path.ts";

// What reused connections do to money, with enough requests to see it: on kept-alive connections about one of
// thirteen got lost, and with HTTP/2 some arrived twice. PARTNER_REQUESTS sets how many there are.

const count = Number(process.env["PARTNER_REQUESTS"] ?? size(60, 20_000));
const atOnce = 8;
const longMs = 3_600_000;
const references = Array.from({ length: count }, (_, index) => `R-${index}`);

const kindOf = (reference: string): Kind => kinds[Number(reference.slice(2)) % kinds.length] ?? kinds[0];

/** Sends them all, and returns in words those without success. */
async function harmed(path: MoneyPath): Promise<readonly string[]> {
  const states = await performAll(references, atOnce, async (reference) => {
    const kind = kindOf(reference);
    const { movement } = await path.perform(kind, reference);
    return movement.state === kind.state ? "" : `${reference} is ${movement.state}: ${movement.note}`;
  });
  return states.filter((state) => state !== "");
}

test(
  `none of ${count} orders is lost or doubled when the service closes connections that it promised to keep`,
  async () => {
    const arrived: string[] = [];
    const serve = (socket: Socket): void =>
      afterRequest(socket, (head, body) => {
        const kind = kinds.find(({ path }) => head.startsWith(`POST ${path} `)) ?? kinds[0];
        const reference = kind.referenceIn(body) ?? "";
        arrived.push(reference);
        const text = kind.answer(reference);
        const line = `HTTP/1.1 ${kind.status}\r\ncontent-length: ${Buffer.byteLength(text)}`;
        socket.write(`${line}\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\n${text}`);
        // By the time of the next use it is closed, or is being closed.
        if (arrived.length % 2 === 0) socket.once("data", () => socket.resetAndDestroy());
        else setImmediate(() => socket.end());
      });
    const path = await openMoneyPath(`http://127.0.0.1:${await serveSockets(serve)}`);
    expect(await harmed(path)).toEqual([]);
    expect(arrived.toSorted()).toEqual(references.toSorted());
    expect(await path.movements()).toHaveLength(count);
  },
  longMs,
);

test(
  `none of ${count} orders is sent twice when the service would refuse every HTTP/2 stream`,
  async () => {
    const arrived: string[] = [];
    const { url, streams } = await serveRefusingHttp2((request, response) => {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.on("end", () => {
        const kind = kinds.find(({ path }) => path === request.url) ?? kinds[0];
        const reference = kind.referenceIn(body) ?? "";
        arrived.push(reference);
        response.writeHead(Number.parseInt(kind.status, 10), { "content-type": "application/json" });
        response.end(kind.answer(reference));
      });
    });
    const path = await openMoneyPath(url, {}, certificate("localhost"));
    expect(await harmed(path)).toEqual([]);
    expect(streams).toEqual([]);
    expect(arrived.toSorted()).toEqual(references.toSorted());
    expect(await path.movements()).toHaveLength(count);
  },
  longMs,
);
