import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import type { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { UnsendableHeader } from "../../src/host/http/transport.ts";
import { createTransport } from "../../src/host/http/http-transport.ts";
import { stopTime } from "../stopped-time.ts";
import { afterRequest, certificate, privateKey, requestOf, send, serveProxy, serveSockets, start } from "./servers.ts";

/** A server that gives every request the same answer, and the heads of the requests it saw. */
async function serveAnswer(answer: string | Buffer, more: Record<string, string> = {}) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const bytes = Buffer.from(answer);
  const headers = Object.entries({ "content-length": String(bytes.length), ...more });
  const port = await serveSockets((socket) => {
    const next = () =>
      afterRequest(socket, (head) => {
        heads.push(head);
        sockets.add(socket);
        socket.write(`HTTP/1.1 200 OK\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
        socket.write(bytes);
        next();
      });
    next();
  });
  return { url: `http://127.0.0.1:${port}`, heads, sockets };
}

test("a server that prefers HTTP/2 gets HTTP/1.1", async () => {
  const versions: string[] = [];
  const server = createSecureServer({ allowHTTP1: true, cert: certificate("localhost"), key: privateKey() });
  server.on("request", (request, response) => {
    versions.push(request.httpVersion);
    response.end("ok");
  });
  const url = `https://localhost:${await start(server)}/`;
  await send({ url, trusting: "localhost" });
  await send({ url, trusting: "localhost", method: "POST", body: "{}", freshConnection: true });
  expect(versions).toEqual(["1.1", "1.1"]);
});

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} is an answer and is not followed`, async () => {
    const targets: string[] = [];
    const server = createServer((request, response) => {
      targets.push(request.url ?? "");
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    const url = `http://127.0.0.1:${await start(server)}/here`;
    const answer = await send({ url, method: "POST", body: "{}", headers: { "x-secret-key": "s3cret" } });
    expect(answer).toMatchObject({ status, headers: { location: "/elsewhere" } });
    expect(targets).toEqual(["/here"]);
  });
}

test("a path in the base address and the query are sent unchanged", async () => {
  const { url, heads } = await serveAnswer("ok");
  await send({ url: `${url}/tembo/v1/wallet/x?from=a%20b&to=%2F` });
  expect(heads[0]).toMatch(/^GET \/tembo\/v1\/wallet\/x\?from=a%20b&to=%2F HTTP\/1\.1\r\n/);
});

test("a body is sent with its length in bytes", async () => {
  const { url, heads } = await serveAnswer("ok");
  await send({ url, method: "POST", body: `{"name":"Zoë"}`, headers: { "content-type": "application/json" } });
  expect(heads[0]).toContain("content-length: 15");
});

test("repeated headers are joined by a comma", async () => {
  const { url } = await serveAnswer("ok", { "X-One": "a\r\nx-one: b" });
  expect((await send({ url })).headers["x-one"]).toBe("a, b");
});

test("an informational answer is not the answer itself", async () => {
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n");
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }),
  );
  expect(await send({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200, text: "ok" });
});

test("a header with a line break is refused before anything is sent, without quoting it", async () => {
  const { url, heads } = await serveAnswer("ok");
  const failure: unknown = await send({ url, headers: { "x-secret-key": "s3cret\n" } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(UnsendableHeader);
  expect(String(failure)).toContain("x-secret-key");
  expect(String(failure)).not.toContain("s3cret");
  expect(heads).toEqual([]);
});

test("reads share a connection, and a request for a fresh connection shares with none", async () => {
  const { url, heads, sockets } = await serveAnswer("ok");
  const transport = await createTransport({}, {});
  const one = { url, transport };
  await send(one);
  await send(one);
  expect(sockets.size).toBe(1);
  await send({ ...one, freshConnection: true });
  await send({ ...one, freshConnection: true });
  expect(sockets.size).toBe(3);
  await send(one);
  expect(sockets.size).toBe(3);
  expect(heads.map((head) => /connection: (\S+)/.exec(head)?.[1])).toEqual([
    "keep-alive",
    "keep-alive",
    "close",
    "close",
    "keep-alive",
  ]);
});

test("requests at the same time do not wait for each other", async () => {
  const waiting: Socket[] = [];
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      waiting.push(socket);
      if (waiting.length === 3) for (const each of waiting) each.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    }),
  );
  const transport = await createTransport({}, {});
  const one = { url: `http://127.0.0.1:${port}/`, transport };
  const answers = await Promise.all([send(one), send(one), send(one)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

const long = "hello ".repeat(100_000);

test.for<[string, string, (text: string) => Buffer]>([
  ["gzip", "gzip", gzipSync],
  ["br", "br", brotliCompressSync],
  ["deflate", "deflate", deflateSync],
  ["deflate at its lowest level", "deflate", (text) => deflateSync(text, { level: 0 })],
  ["deflate without zlib's header", "deflate", deflateRawSync],
  ["deflate without zlib's header at its lowest level", "deflate", (text) => deflateRawSync(text, { level: 0 })],
])("%s is decompressed", async ([, encoding, compress]) => {
  for (const text of ["hello", "", long]) {
    const { url } = await serveAnswer(compress(text), { "content-encoding": encoding });
    expect((await send({ url })).text).toBe(text);
  }
});

test("compression is requested, except on a connection of its own", async () => {
  const { url, heads } = await serveAnswer("ok");
  await send({ url });
  await send({ url, freshConnection: true });
  expect(heads[0]).toContain("accept-encoding: gzip, br");
  expect(heads[1]).not.toContain("accept-encoding");
});

test.for<[string, Buffer, string, string]>([
  ["a bomb", gzipSync(Buffer.alloc(50_000_000)), "gzip", "too large"],
  ["a body over the limit", Buffer.alloc(1_000_001), "identity", "too large"],
  ["broken compression", Buffer.from("hello"), "gzip", "protocol"],
  ["compression cut short", gzipSync("hello").subarray(0, 12), "gzip", "protocol"],
  ["a bomb of deflate", deflateRawSync(Buffer.alloc(50_000_000)), "deflate", "too large"],
  ["broken deflate", Buffer.from("hello"), "deflate", "protocol"],
  ["deflate cut short", deflateRawSync("hello").subarray(0, 3), "deflate", "protocol"],
  ["a compression that nobody asked for", Buffer.from("hello"), "zstd", "protocol"],
])("%s ends the reading", async ([, bytes, encoding, kind]) => {
  const { url } = await serveAnswer(bytes, { "content-encoding": encoding });
  await expect(send({ url })).rejects.toMatchObject({ name: "WireError", kind, sent: true });
});

test("an empty body doesn't count as broken compression", async () => {
  const { url } = await serveAnswer("", { "content-encoding": "gzip" });
  expect((await send({ url })).text).toBe("");
});

test("a body of exactly the limit is read", async () => {
  const { url } = await serveAnswer("12345");
  expect((await send({ url, limits: { responseMaxBytes: 5 } })).text).toBe("12345");
});

test("a slow reader holds the server back", async () => {
  const piece = Buffer.alloc(256 * 1024);
  const pieces = 400;
  let taken = 0;
  const stuck = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const push = () => {
      while (taken < pieces) {
        taken += 1;
        if (!response.write(piece)) {
          response.once("drain", push);
          // The next turns of the loop would drain it if the other side were reading.
          setTimeout(stuck.resolve, 300);
          return;
        }
      }
      response.end();
    };
    push();
  });
  const transport = await createTransport({}, {});
  const request = requestOf({ url: `http://127.0.0.1:${await start(server)}/`, limits: { responseMaxBytes: 1e9 } });
  const response = await transport(request);
  await stuck.promise;
  expect(taken).toBeLessThan(pieces / 4);
  let total = 0;
  for await (const bytes of response.body) total += bytes.length;
  expect(total).toBe(piece.length * pieces);
});

test("time during which the reader holds the answer back does not count against the limits", async () => {
  const body = Buffer.alloc(4 * 1024 * 1024);
  const server = createServer((_request, response) => response.end(body));
  const pass = stopTime();
  const transport = await createTransport({}, {});
  const limits = { responseMaxBytes: 1e9, deadlineMs: 500 };
  const response = await transport(requestOf({ url: `http://127.0.0.1:${await start(server)}/`, limits }));
  let total = 0;
  for await (const bytes of response.body) {
    if (total === 0) pass(2 * limits.deadlineMs);
    total += bytes.length;
  }
  expect(total).toBe(body.length);
});

test("time during which the reader works on a piece does not count against the limits", async () => {
  const ended = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.write("half, ");
    void ended.promise.then(() => response.end("half"));
  });
  const pass = stopTime();
  const transport = await createTransport({}, {});
  const limits = { deadlineMs: 500 };
  const response = await transport(requestOf({ url: `http://127.0.0.1:${await start(server)}/`, limits }));
  let text = "";
  for await (const bytes of response.body) {
    text += Buffer.from(bytes).toString();
    if (text === "half, ") pass(2 * limits.deadlineMs);
    ended.resolve();
  }
  expect(text).toBe("half, half");
});

test("a reader that stops closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.on("close", closed.resolve);
    response.write(Buffer.alloc(10_000));
  });
  const transport = await createTransport({}, {});
  const response = await transport(requestOf({ url: `http://127.0.0.1:${await start(server)}/` }));
  for await (const bytes of response.body) if (bytes.length > 0) break;
  await expect(closed.promise).resolves.toBeUndefined();
});

test("an abort within the answer ends the reading", async () => {
  const interruption = new AbortController();
  const server = createServer((_request, response) => response.write("half"));
  const transport = await createTransport({}, {});
  const url = `http://127.0.0.1:${await start(server)}/`;
  const response = await transport(requestOf({ url, signal: interruption.signal }));
  const parts = response.body[Symbol.asyncIterator]();
  await parts.next();
  interruption.abort("SIGTERM");
  await expect(parts.next()).rejects.toMatchObject({ kind: "aborted", sent: true });
});

test("extra certificates are added to those of NODE_EXTRA_CA_CERTS", async () => {
  const elsewhere = createSecureServer({ allowHTTP1: true, cert: certificate("elsewhere"), key: privateKey() });
  elsewhere.on("request", (_request, response) => response.end("elsewhere"));
  const localhost = createSecureServer({ allowHTTP1: true, cert: certificate("localhost"), key: privateKey() });
  localhost.on("request", (_request, response) => response.end("localhost"));
  const fixtures = join(import.meta.dirname, "fixtures");
  const program = `
    import { readFileSync } from "node:fs";
    import { createTransport } from ${JSON.stringify(join(import.meta.dirname, "../../src/host/http/http-transport.ts"))};
    const extraCertificates = readFileSync(${JSON.stringify(join(fixtures, "localhost-certificate.pem"))}, "utf8");
    const transport = await createTransport({ extraCertificates }, { HTTPS_PROXY: process.env.PROXY_URL });
    const ms = 10_000;
    const limits = { connectTimeoutMs: ms, headersTimeoutMs: ms, bodyTimeoutMs: ms, deadlineMs: ms, responseMaxBytes: 100 };
    for (const url of [process.env.DIRECT_URL, "https://elsewhere.example/"]) {
      const answer = await transport({ method: "GET", url, headers: {}, limits, signal: new AbortController().signal });
      for await (const bytes of answer.body) process.stdout.write(bytes);
    }`;
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: join(fixtures, "elsewhere-certificate.pem"),
    DIRECT_URL: `https://localhost:${await start(localhost)}/`,
    PROXY_URL: `http://127.0.0.1:${await serveProxy(await start(elsewhere))}`,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { env });
  expect(stdout).toBe("localhostelsewhere");
});

test.for([
  ["no certificate", "hello", /no certificate in it/],
  [
    "a damaged one",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
    /Certificate 1 of 1 in it is damaged/,
  ],
] as const)("extra certificates with %s in them are refused", async ([, extraCertificates, message]) => {
  await expect(createTransport({ extraCertificates }, {})).rejects.toThrow(message);
});
