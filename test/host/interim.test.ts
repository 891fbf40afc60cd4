import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { interimMaxCount } from "../../src/host/http/interim.ts";
import { WireError } from "../../src/host/http/transport.ts";
import { stopTime } from "../stopped-time.ts";
import type { Sending } from "./servers.ts";
import { afterRequest, send, serveProxy, serveSockets, serveTls } from "./servers.ts";

// Interim answers come before the answer itself. On the money path the program ignores 100, 102 and 103, and nothing
// else.

const money = { method: "POST", body: "{}", freshConnection: true } as const;
const whole = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npaid";
const goOn = "HTTP/1.1 100 Continue\r\n\r\n";
const processing = "HTTP/1.1 102 Processing\r\n\r\n";
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\nlink: </b>\r\n\r\n";

/** What the caller learns from an exchange with a server that does so after the request. */
async function learns(sending: Sending): Promise<string> {
  try {
    const { status, text } = await send({ ...money, ...sending });
    return `${status} ${text}`;
  } catch (error) {
    if (error instanceof WireError) return `${error.kind}, ${error.sent ? "sent" : "not sent"}: ${error.message}`;
    throw error;
  }
}

const answering = (bytes: string) => (socket: Socket) =>
  afterRequest(socket, () => void socket.end(Buffer.from(bytes, "latin1")));

const behind = (port: number): Sending => ({
  url: "https://elsewhere.example/",
  trusting: "elsewhere",
  environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` },
});

const tooEager = (socket: Socket): void => {
  socket.write(goOn);
  answering(whole)(socket);
};

/** Each byte in a piece of its own: the next one is written when the previous one has been sent. */
const dripping = (bytes: string) => (socket: Socket) =>
  afterRequest(socket, () => {
    socket.setNoDelay(true);
    const drip = (at: number): void => {
      if (at === bytes.length) socket.end();
      else socket.write(bytes.charAt(at), () => setImmediate(drip, at + 1));
    };
    drip(0);
  });

const passedOver: Readonly<Record<string, string>> = {
  "100 Continue": goOn,
  "102 Processing": processing,
  "103 Early Hints": hints,
  "one without a reason": "HTTP/1.1 100\r\n\r\n",
  "one of HTTP/1.0": "HTTP/1.0 100 Continue\r\n\r\n",
  "one with headers of an answer": "HTTP/1.1 100 Continue\r\ncontent-length: 7\r\nconnection: close\r\n\r\n",
  "one that would upgrade": "HTTP/1.1 103 Early Hints\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
  "all of them, twice": `${goOn}${processing}${hints}`.repeat(2),
  "as many as are allowed": goOn.repeat(interimMaxCount),
};

for (const [name, interim] of Object.entries(passedOver)) {
  test(`ignored: ${name}`, async () => {
    const port = await serveSockets(answering(interim + whole));
    expect(await learns({ url: `http://127.0.0.1:${port}/` })).toBe("200 paid");
  });

  test(`ignored byte by byte: ${name}`, async () => {
    const port = await serveSockets(dripping(interim + whole));
    expect(await learns({ url: `http://127.0.0.1:${port}/` })).toBe("200 paid");
  });
}

test("ignored under TLS, behind a proxy, and when the proxy itself sends them", async () => {
  const secure = await serveTls("localhost", answering(goOn + hints + whole));
  expect(await learns({ url: `https://localhost:${secure}/`, trusting: "localhost" })).toBe("200 paid");
  const elsewhere = await serveTls("elsewhere", answering(goOn + hints + whole));
  expect(await learns(behind(await serveProxy(elsewhere)))).toBe("200 paid");
  const talkative = await serveProxy(elsewhere, [], goOn + hints);
  expect(await learns(behind(talkative))).toBe("200 paid");
});

test("text in the answer's own body is not an interim answer", async () => {
  const body = `${goOn}${hints}`;
  const port = await serveSockets(answering(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`));
  expect(await learns({ url: `http://127.0.0.1:${port}/` })).toBe(`200 ${body}`);
});

test("an interim answer before the request is ignored, too", async () => {
  expect(await learns({ url: `http://127.0.0.1:${await serveSockets(tooEager)}/` })).toBe("200 paid");
  const secure = { url: `https://localhost:${await serveTls("localhost", tooEager)}/`, trusting: "localhost" } as const;
  expect(await learns(secure)).toBe("200 paid");
});

const notPassedOver: Readonly<Record<string, readonly [bytes: string, learned: RegExp]>> = {
  "101 Switching Protocols": [`HTTP/1.1 101 Switching Protocols\r\n\r\n${whole}`, /^protocol, sent/],
  "101 that does switch": [
    `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n${whole}`,
    /^protocol, sent/,
  ],
  "101 behind an interim answer": [`${goOn}HTTP/1.1 101 Switching Protocols\r\n\r\n${whole}`, /^protocol, sent/],
  "104, which is none of the three": [`HTTP/1.1 104 Upload Resumption Supported\r\n\r\n${whole}`, /^protocol, sent/],
  "199, which is none of the three": [`HTTP/1.1 199 What\r\n\r\n${whole}`, /^protocol, sent/],
  "1000, which is no status": [`HTTP/1.1 1000 What\r\n\r\n${whole}`, /^protocol, sent/],
  "an interim answer of HTTP/2.0": [`HTTP/2.0 100 Continue\r\n\r\n${whole}`, /^(protocol|reset), sent/],
  "one whose lines end in LF alone": [`HTTP/1.1 100 Continue\n\n${whole}`, /^(protocol|reset), sent/],
  "one whose body follows": [`HTTP/1.1 103 Early Hints\r\ncontent-length: 4\r\n\r\nhint${whole}`, /^protocol, sent/],
  "one whose head never ends": [`HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(100_000)}`, /^too large, sent/],
  "interim answers and nothing more": [goOn + hints, /^reset, sent/],
  "one more than are allowed": [
    goOn.repeat(interimMaxCount + 1) + whole,
    /^protocol, sent: 127.0.0.1:\d+ sent more than 100 interim answers/,
  ],
};

test.for(Object.entries(notPassedOver))("not ignored: %s", async ([, [bytes, learned]]) => {
  const port = await serveSockets(answering(bytes));
  expect(await learns({ url: `http://127.0.0.1:${port}/` })).toMatch(learned);
});

test("endless interim answers reach the limit, however slowly they come", async () => {
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      const flood = () => void socket.write(hints, () => setImmediate(flood));
      flood();
    }),
  );
  expect(await learns({ url: `http://127.0.0.1:${port}/` })).toMatch(/^protocol, sent/);
});

test("interim answers do not extend the time limit for the answer", async () => {
  const pass = stopTime();
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      const drip = setInterval(() => {
        socket.write(processing);
        pass(50);
      }, 1);
      socket.on("close", () => clearInterval(drip));
    }),
  );
  const url = `http://127.0.0.1:${port}/`;
  expect(await learns({ url, limits: { headersTimeoutMs: 500 } })).toMatch(/^timeout, sent/);
  expect(await learns({ url, limits: { deadlineMs: 300 } })).toMatch(/^timeout, sent/);
});

test("too many interim answers before the request count as not sent", async () => {
  const port = await serveSockets((socket) => void socket.write(goOn.repeat(interimMaxCount + 1)));
  const url = `https://localhost:${port}/`;
  expect(await learns({ url })).toMatch(/^tls, not sent/);
});
