import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { payloadOf, signed } from "./flood.ts";
import { newMachine, post, send, timestamp } from "./listening.ts";

// Proxies in front of a receiver compress what they pass on.

const mebibyte = 1024 * 1024;

async function packed(url: string, body: Uint8Array, encoding: string) {
  const headers = { "content-encoding": encoding, "x-request-id": "req-A" };
  const response = await fetch(url, { method: "POST", body: Buffer.from(body), headers });
  return { status: response.status, text: await response.text() };
}

test.for(["gzip", "x-gzip", "GZIP", "identity"])(
  "an event with the encoding %s is accepted, once",
  async (encoding) => {
    const machine = newMachine();
    const { url, ended } = await machine.listen("--count 1");
    const plain = Buffer.from(signed(payloadOf("A"), timestamp));
    const body = encoding === "identity" ? plain : gzipSync(plain);
    expect(await packed(url, body, encoding)).toEqual({
      status: 200,
      text: '{"message":"received","transactionId":"A"}',
    });
    expect(JSON.parse((await ended).stdout)).toMatchObject({ id: "A" });
  },
);

test("the forwarded body is the body that was signed", async () => {
  const machine = newMachine();
  const target = await newMachine().listen("--count 1");
  const { url, stop } = await machine.listen(`--forward-to ${target.url}`);
  await packed(url, gzipSync(signed(payloadOf("A"), timestamp)), "gzip");
  expect(JSON.parse((await target.ended).stdout)).toMatchObject({ id: "A" });
  await stop();
});

test("a body larger than a mebibyte after decompression is refused, and the next event is accepted", async () => {
  const { url, stop } = await newMachine().listen();
  expect(await packed(url, gzipSync(Buffer.alloc(512 * mebibyte)), "gzip")).toEqual({
    status: 413,
    text: '{"message":"too large"}',
  });
  expect((await packed(url, gzipSync(Buffer.alloc(mebibyte + 1, " ")), "gzip")).status).toBe(413);
  expect((await packed(url, gzipSync(Buffer.alloc(mebibyte, " ")), "gzip")).status).toBe(400);
  expect((await send(url, "A")).status).toBe(200);
  await stop();
});

test.for([
  ["gzip", "no gzip", 400, "it isn't gzip, as its header says"],
  ["gzip", gzipSync("{}").subarray(0, 12), 400, "it isn't gzip, as its header says"],
  ["gzip", "", 400, "it isn't gzip, as its header says"],
  ["br", brotliCompressSync("{}"), 415, "only gzip"],
  ["deflate", deflateSync("{}"), 415, "only gzip"],
  ["gzip, gzip", gzipSync(gzipSync("{}")), 415, "only gzip"],
] as const)("%s is refused when it isn't valid gzip, or another encoding", async ([encoding, body, status, says]) => {
  const { url, stop } = await newMachine().listen();
  const answer = await packed(url, Buffer.from(body), encoding);
  expect(answer).toEqual({ status, text: expect.stringContaining(says) });
  await stop();
});

test("a slash at the end of the path changes nothing", async () => {
  const plain = await newMachine().listen();
  expect((await send(`${plain.url}/`, "A")).status).toBe(200);
  expect((await send(`${plain.url}//`, "B")).status).toBe(404);
  await plain.stop();
  const slashed = await newMachine().listen("--path /hook/");
  expect((await send(slashed.url.replace(/\/$/, ""), "A")).status).toBe(200);
  expect((await send(slashed.url, "B")).status).toBe(200);
  expect((await post(slashed.url.replace("/hook/", "/"), "{}")).status).toBe(404);
  await slashed.stop();
});
