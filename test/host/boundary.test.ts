import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { WireError } from "../../src/host/http/transport.ts";
import { stopTime } from "../stopped-time.ts";
import type { Sending } from "./servers.ts";
import { afterRequest, send, serveProxy, serveSockets, serveTls } from "./servers.ts";

/** What the caller learns; `calls` counts the reports that sending begins. */
async function fateOf(sending: Sending): Promise<{ trouble: string; sent: boolean; calls: number; message: string }> {
  let calls = 0;
  const onSending = () => void calls++;
  const request = { method: "POST" as const, body: "{}", freshConnection: true, onSending, ...sending };
  const error: unknown = await send(request).then(
    () => "an answer",
    (failure: unknown) => failure,
  );
  if (!(error instanceof WireError)) throw new Error("A WireError was expected", { cause: error });
  return { trouble: error.kind, sent: error.sent, calls, message: error.message };
}

const unusedPort = 1;
const hush = () => undefined;
/** Node can reset only a bare socket; under TLS the end is as abrupt, without the closing message. */
const reset = (socket: Socket) => void ("encrypted" in socket ? socket.destroy() : socket.resetAndDestroy());

const unsent: Record<string, { trouble: string; make: () => Promise<Sending> }> = {
  "nobody listens": {
    trouble: "connection",
    make: async () => ({ url: `http://127.0.0.1:${unusedPort}/` }),
  },
  "nobody listens, with TLS": {
    trouble: "connection",
    make: async () => ({ url: `https://127.0.0.1:${unusedPort}/` }),
  },
  "the name does not exist": {
    trouble: "address",
    make: async () => ({ url: "https://nothing.invalid/" }),
  },
  "the certificate is self-signed": {
    trouble: "tls",
    make: async () => ({ url: `https://localhost:${await serveTls("localhost", hush)}/` }),
  },
  "the certificate has expired": {
    trouble: "tls",
    make: async () => ({ url: `https://localhost:${await serveTls("expired", hush)}/`, trusting: "expired" }),
  },
  "the certificate is for another host": {
    trouble: "tls",
    make: async () => ({ url: `https://localhost:${await serveTls("elsewhere", hush)}/`, trusting: "elsewhere" }),
  },
  "the server speaks no TLS": {
    trouble: "tls",
    make: async () => {
      const port = await serveSockets((socket) => socket.on("data", () => socket.write("what?\r\n")));
      return { url: `https://localhost:${port}/` };
    },
  },
  "the connection is reset in the TLS handshake": {
    trouble: "tls",
    make: async () => ({
      url: `https://localhost:${await serveSockets((socket) => socket.once("data", () => reset(socket)))}/`,
    }),
  },
  "the server stays silent in the TLS handshake": {
    trouble: "connection",
    make: async () => ({ url: `https://localhost:${await serveSockets(hush)}/`, limits: { connectTimeoutMs: 100 } }),
  },
  "the deadline passes in the TLS handshake": {
    trouble: "timeout",
    make: async () => ({ url: `https://localhost:${await serveSockets(hush)}/`, limits: { deadlineMs: 100 } }),
  },
  "there is no proxy": {
    trouble: "proxy",
    make: async () => ({
      url: "https://elsewhere.example/",
      environment: { HTTPS_PROXY: `http://127.0.0.1:${unusedPort}` },
    }),
  },
  "the proxy refuses": {
    trouble: "proxy",
    make: async () => {
      const port = await serveSockets((socket) =>
        afterRequest(socket, () =>
          socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
        ),
      );
      return { url: "https://elsewhere.example/", environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` } };
    },
  },
  "the proxy hangs up": {
    trouble: "proxy",
    make: async () => ({
      url: "https://elsewhere.example/",
      environment: {
        HTTPS_PROXY: `127.0.0.1:${await serveSockets((socket) => afterRequest(socket, () => reset(socket)))}`,
      },
    }),
  },
  "the proxy is none": {
    trouble: "proxy",
    make: async () => ({
      url: "https://elsewhere.example/",
      environment: { HTTPS_PROXY: `127.0.0.1:${await serveSockets((socket) => socket.write("220 mail ready\r\n"))}` },
    }),
  },
  "the proxy says nothing": {
    trouble: "connection",
    make: async () => ({
      url: "https://elsewhere.example/",
      environment: { HTTPS_PROXY: `127.0.0.1:${await serveSockets(hush)}` },
      limits: { connectTimeoutMs: 100 },
    }),
  },
  "the certificate behind the proxy is not trusted": {
    trouble: "tls",
    make: async () => ({
      url: "https://elsewhere.example/",
      environment: { HTTPS_PROXY: `127.0.0.1:${await serveProxy(await serveTls("elsewhere", hush))}` },
    }),
  },
  "the address is none": {
    trouble: "address",
    make: async () => ({ url: "ftp://127.0.0.1/" }),
  },
  "it is aborted before": {
    trouble: "aborted",
    make: async () => ({ url: `http://127.0.0.1:${unusedPort}/`, signal: AbortSignal.abort("SIGINT") }),
  },
};

for (const [name, { trouble, make }] of Object.entries(unsent)) {
  test(`nothing is sent when ${name}`, async () => {
    expect(await fateOf(await make())).toMatchObject({ trouble, sent: false, calls: 0 });
  });
}

type Act = (socket: Socket, pass: (ms: number) => void) => void;

const sent: Record<string, { trouble: string; act: Act; more?: Partial<Sending> }> = {
  "the connection is reset after the request": {
    trouble: "reset",
    act: (socket) => afterRequest(socket, () => reset(socket)),
  },
  "the connection is reset at the request's first byte": {
    trouble: "reset",
    act: (socket) => socket.once("data", () => reset(socket)),
  },
  "the server hangs up after the request": {
    trouble: "reset",
    act: (socket) => afterRequest(socket, () => socket.end()),
  },
  "no answer comes": {
    trouble: "timeout",
    act: hush,
    more: { limits: { headersTimeoutMs: 100 } },
  },
  "the deadline passes before the answer": {
    trouble: "timeout",
    act: (socket, pass) => afterRequest(socket, () => pass(200)),
    more: { limits: { deadlineMs: 200 } },
  },
  "the answer isn't HTTP": {
    trouble: "protocol",
    act: (socket) => afterRequest(socket, () => socket.write("220 mail ready\r\n")),
  },
  "the answer falls silent": {
    trouble: "timeout",
    act: (socket) => afterRequest(socket, () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhal")),
    more: { limits: { bodyTimeoutMs: 100 } },
  },
  "the answer breaks off": {
    trouble: "reset",
    act: (socket) => afterRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhal")),
  },
  "a chunked answer breaks off": {
    trouble: "reset",
    act: (socket) =>
      afterRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhal\r\n")),
  },
  "the answer's headers never end": {
    trouble: "too large",
    act: (socket) => afterRequest(socket, () => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}`)),
  },
};

for (const [name, { trouble, act, more }] of Object.entries(sent)) {
  test(`it counts as sent when ${name}`, async () => {
    const pass = more?.limits?.deadlineMs === undefined ? () => undefined : stopTime();
    const url = `http://127.0.0.1:${await serveSockets((socket) => act(socket, pass))}/`;
    expect(await fateOf({ url, ...more })).toMatchObject({ trouble, sent: true, calls: 1 });
  });

  test(`it counts as sent behind a proxy when ${name}`, async () => {
    const pass = more?.limits?.deadlineMs === undefined ? () => undefined : stopTime();
    const proxy = await serveProxy(await serveTls("elsewhere", (socket) => act(socket, pass)));
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${proxy}` };
    const sending: Sending = { url: "https://elsewhere.example/", trusting: "elsewhere", environment, ...more };
    expect(await fateOf(sending)).toMatchObject({ trouble, sent: true, calls: 1 });
  });
}

test("an answer that trickles in ends at the deadline", async () => {
  const pass = stopTime();
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      const drip = setInterval(() => {
        socket.write(".");
        pass(20);
      }, 1);
      socket.on("close", () => clearInterval(drip));
    }),
  );
  const fate = await fateOf({ url: `http://127.0.0.1:${port}/`, limits: { bodyTimeoutMs: 100, deadlineMs: 300 } });
  expect(fate).toMatchObject({ trouble: "timeout", sent: true, message: expect.stringContaining("took longer") });
});

test("an abort during the wait for the answer reports the request as sent", async () => {
  const interruption = new AbortController();
  const port = await serveSockets((socket) => afterRequest(socket, () => interruption.abort("SIGINT")));
  const fate = await fateOf({ url: `http://127.0.0.1:${port}/`, signal: interruption.signal });
  expect(fate).toMatchObject({ trouble: "aborted", sent: true, calls: 1 });
});

test("an abort in the TLS handshake reports the request as not sent", async () => {
  const interruption = new AbortController();
  const port = await serveSockets((socket) => socket.once("data", () => interruption.abort("SIGINT")));
  const fate = await fateOf({ url: `https://localhost:${port}/`, signal: interruption.signal });
  expect(fate).toMatchObject({ trouble: "aborted", sent: false, calls: 0 });
});

test("an error thrown when sending begins reaches the caller, and no byte is sent", async () => {
  const received = Promise.withResolvers<string>();
  const port = await serveSockets((socket) => {
    let text = "";
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    socket.on("close", () => received.resolve(text));
  });
  const refusal = new Error("the journal is full");
  const sending = send({
    url: `http://127.0.0.1:${port}/`,
    method: "POST",
    body: "{}",
    onSending() {
      throw refusal;
    },
  });
  await expect(sending).rejects.toBe(refusal);
  expect(await received.promise).toBe("");
});

test("the start of sending is reported once, before the server has any byte", async () => {
  const order: string[] = [];
  const port = await serveSockets((socket) => {
    socket.once("data", () => order.push("the server hears"));
    afterRequest(socket, () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
  });
  await send({ url: `http://127.0.0.1:${port}/`, onSending: () => order.push("sending begins") });
  expect(order).toEqual(["sending begins", "the server hears"]);
});

test("the message names the certificate's fault and its code", async () => {
  const url = `https://localhost:${await serveTls("expired", hush)}/`;
  expect((await fateOf({ url, trusting: "expired" })).message).toBe(
    "The certificate of localhost has expired (CERT_HAS_EXPIRED)",
  );
});

test("an invalid address is not quoted", async () => {
  expect((await fateOf({ url: "s3cret-in-the-wrong-place" })).message).not.toContain("s3cret");
});
