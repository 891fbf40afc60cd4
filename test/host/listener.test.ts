import { once } from "node:events";
import { Agent, get, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RequestHandler, Listening, ListenOptions } from "../../src/host/server/listener.ts";
import { BodyTooLarge, NoBodyRoom } from "../../src/host/server/listener.ts";
import { listen } from "../../src/host/server/node-listener.ts";
import { certificate, privateKey, send } from "./servers.ts";

const options: ListenOptions = { host: "127.0.0.1", port: 0, headersTimeoutMs: 5000, requestTimeoutMs: 10_000 };

async function serve(answer: RequestHandler, more: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen({ ...options, ...more }, answer);
  onTestFinished(() => listening.close(0));
  return listening;
}

/** Everything that comes back over a bare socket until the server closes it. */
async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(text);
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, "close");
  return text;
}

test("a request arrives as it was sent, and the answer as it was given", async () => {
  const { origin } = await serve(async (request) => {
    const { method, target, headers } = request;
    const body = Buffer.from(await request.body(100)).toString();
    return {
      status: 201,
      headers: { "x-answer": "yes" },
      body: JSON.stringify([method, target, headers["x-asked"], body]),
    };
  });
  const answer = await send({
    url: `${origin}/a%20b?c=%2F`,
    method: "POST",
    body: "hello",
    headers: { "x-asked": "no" },
  });
  expect(answer).toMatchObject({ status: 201, headers: { "x-answer": "yes" } });
  expect(JSON.parse(answer.text)).toEqual(["POST", "/a%20b?c=%2F", "no", "hello"]);
});

test("repeated headers are joined, also those that Node would drop", async () => {
  const { port } = await serve(async ({ headers }) => ({
    status: 200,
    body: JSON.stringify(headers["authorization"]),
  }));
  const head = "GET / HTTP/1.1\r\nhost: x\r\nauthorization: a\r\nAuthorization: b\r\nconnection: close\r\n\r\n";
  expect(await exchangeRaw(port, head)).toContain('"a, b"');
});

test("the listener reports its host and origin", async () => {
  const { host, port, origin } = await serve(async () => ({ status: 204 }));
  expect({ host, origin }).toEqual({ host: "127.0.0.1", origin: `http://127.0.0.1:${port}` });
});

test("the listener can use TLS", async () => {
  const tls = { certificate: certificate("localhost"), key: privateKey() };
  const { origin } = await serve(async () => ({ status: 200, body: "ok" }), { tls });
  expect(origin).toMatch(/^https:/);
  expect((await send({ url: origin, trusting: "localhost" })).text).toBe("ok");
});

test("an answer may come in pieces", async () => {
  const { origin } = await serve(async () => ({
    status: 200,
    body: (async function* () {
      for (let piece = 0; piece < 100; piece += 1) yield Buffer.alloc(1000, "x");
    })(),
  }));
  expect((await send({ url: origin })).text.length).toBe(100_000);
});

test("an answer whose pieces fail breaks off", async () => {
  const { origin } = await serve(async () => ({
    status: 200,
    body: (async function* () {
      yield Buffer.from("half");
      throw new Error("no more");
    })(),
  }));
  await expect(send({ url: origin })).rejects.toMatchObject({ kind: "reset" });
});

test("an answer that fails is a 500 without a body", async () => {
  const { origin } = await serve(() => Promise.reject(new Error("s3cret")));
  expect(await send({ url: origin })).toMatchObject({ status: 500, text: "" });
});

test("an answer with an impossible header is a 500", async () => {
  const { origin } = await serve(async () => ({ status: 200, headers: { "x-broken": "a\nb" } }));
  expect(await send({ url: origin })).toMatchObject({ status: 500, text: "" });
});

for (const announced of [true, false]) {
  test(`a body that is too large is refused while it arrives, ${announced ? "announced" : "not announced"}`, async () => {
    let failure: unknown;
    const { port } = await serve(async (request) => {
      await request.body(1000).catch((error: unknown) => {
        failure = error;
      });
      return { status: failure instanceof BodyTooLarge ? 413 : 200 };
    });
    const length = 5_000_000;
    const headers = announced ? { "content-length": length } : { "transfer-encoding": "chunked" };
    const request = httpRequest({ port, method: "POST", headers });
    request.end(Buffer.alloc(length));
    const status = new Promise((resolve) => {
      request.on("response", (response) => resolve(response.resume().statusCode));
    });
    // Would reject if the server closed the connection while the peer is still sending.
    await once(request, "close");
    expect(await status).toBe(413);
  });
}

test("without a handler of its own, a body that is too large is a 413", async () => {
  const { origin } = await serve(async (request) => ({ status: 200, body: await request.body(3) }));
  expect(await send({ url: origin, method: "POST", body: "hello" })).toMatchObject({ status: 413 });
});

test("headers that take too long are cut off", async () => {
  const { port } = await serve(async () => ({ status: 200 }), { headersTimeoutMs: 300, requestTimeoutMs: 60_000 });
  expect(await exchangeRaw(port, "GET / HTTP/1.1\r\nhost: x\r\n")).toContain("408");
});

test("a request that takes too long is cut off", async () => {
  const { port } = await serve(async (request) => ({ status: 200, body: await request.body(100) }), {
    headersTimeoutMs: 300,
    requestTimeoutMs: 300,
  });
  const text = await exchangeRaw(port, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
  expect(text).not.toContain("200 OK");
});

test("a request that isn't HTTP gets 400, and the next one is answered", async () => {
  const { port, origin } = await serve(async () => ({ status: 200, body: "ok" }));
  expect(await exchangeRaw(port, "what is this?\r\n\r\n")).toContain("400");
  expect((await send({ url: origin })).text).toBe("ok");
});

test("after a peer leaves in the middle, the next request is answered", async () => {
  const cut = Promise.withResolvers<unknown>();
  const { port, origin } = await serve(async (request) => {
    if (request.method === "POST") await request.body(100).catch(cut.resolve);
    return { status: 200, body: "ok" };
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf", () => socket.resetAndDestroy());
  expect(await cut.promise).toBeInstanceOf(Error);
  expect((await send({ url: origin })).text).toBe("ok");
});

test.for([
  ["a port that is in use", "127.0.0.1", /^EADDRINUSE$/],
  ["an address of another machine", "192.0.2.1", /^EADDRNOTAVAIL$/],
  ["a name that is none", "nothing.invalid", /^(ENOTFOUND|EAI_\w+)$/],
] as const)("%s is an error with its own code", async ([, host, code]) => {
  const { port } = await serve(async () => ({ status: 200 }));
  const listening = listen({ ...options, host, port }, async () => ({ status: 200 }));
  await expect(listening).rejects.toMatchObject({ code: expect.stringMatching(code) });
});

test("closing lets an answer finish, and then closes every connection", async () => {
  const asked = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const listening = await serve(async () => {
    asked.resolve();
    await finish.promise;
    return { status: 200, body: "done" };
  });
  // Kept alive, as by browsers and proxies: it would hold the server open for five seconds more.
  const agent = new Agent({ keepAlive: true });
  const response = new Promise<string>((resolve) => {
    get({ port: listening.port, agent }, (incoming) => {
      incoming.on("data", (bytes: Buffer) => resolve(bytes.toString()));
    });
  });
  await asked.promise;
  const closing = listening.close(60_000);
  finish.resolve();
  expect(await response).toBe("done");
  const patience = new Promise((resolve) => {
    setTimeout(resolve, 4000, "still open");
  });
  expect(await Promise.race([closing.then(() => "closed"), patience])).toBe("closed");
  await expect(send({ url: listening.origin })).rejects.toMatchObject({ kind: "connection" });
});

test("closing cuts an answer that doesn't finish", async () => {
  const asked = Promise.withResolvers<void>();
  const listening = await serve(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const sending = send({ url: listening.origin });
  await asked.promise;
  await Promise.all([listening.close(10), listening.close(10), expect(sending).rejects.toMatchObject({ sent: true })]);
});

test("all bodies share one limit, and a request beyond it gets 503", async () => {
  const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>();
  const { promise: isFull, resolve: full } = Promise.withResolvers<void>();
  const troubles: unknown[] = [];
  const { origin } = await serve(
    async (request) => {
      const body = await request.body(100).catch((error: unknown) => {
        troubles.push(error);
        throw error;
      });
      full();
      await answered;
      return { status: 200, body };
    },
    { bodiesMaxBytes: 10 },
  );
  const post = (body: string) => send({ url: origin, method: "POST", body });
  const first = post("12345678");
  await isFull;
  expect((await post("123")).status).toBe(503);
  expect(troubles).toEqual([expect.any(NoBodyRoom)]);
  answerAll();
  expect(await first).toMatchObject({ status: 200, text: "12345678" });
  expect((await post("1234567890")).status).toBe(200);
});
