import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { BreakOff, OutgoingResponse } from "../../src/host/server/listener.ts";
import { listen } from "../../src/host/server/node-listener.ts";

const head = "HTTP/1.1 201 Created\r\nx-a: b\r\n";
const answer = `${head}content-length: 5\r\nconnection: close\r\n\r\nhello`;

/** The bytes of an answer on the wire, and how the connection ends; `silence` when it doesn't end. */
async function hear(outgoing: OutgoingResponse): Promise<{ bytes: string; last: string }> {
  const listening = await listen(
    { host: "127.0.0.1", port: 0, headersTimeoutMs: 5000, requestTimeoutMs: 5000 },
    async () => outgoing,
  );
  onTestFinished(() => listening.close(0));
  const wanted = outgoing.breaksOff?.afterBytes ?? 0;
  const socket = connect(listening.port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
  onTestFinished(() => void socket.destroy());
  let bytes = "";
  return new Promise((resolve) => {
    const ends = (last: string) => resolve({ bytes, last });
    socket.on("error", () => ends("reset"));
    socket.on("end", () => ends("end"));
    socket.on("data", (part) => {
      bytes += part.toString("latin1");
      // Silence has no event of its own: the test sees that all bytes arrived and the connection is still open.
      if (outgoing.breaksOff?.by === "silence" && bytes.length >= wanted) ends("silence");
    });
  });
}

test.for([
  [1, "end"],
  [12, "reset"],
  [head.length + 3, "silence"],
  [answer.length - 1, "end"],
  [answer.length - 1, "reset"],
  [answer.length, "end"],
  [answer.length + 100, "end"],
] as const)("an answer breaks off after %i bytes by %s", async ([afterBytes, by]) => {
  const breaksOff: BreakOff = { afterBytes, by };
  const heard = await hear({ status: 201, headers: { "x-a": "b" }, body: "hello", breaksOff });
  expect(heard).toEqual({ bytes: answer.slice(0, afterBytes), last: by });
});

test("a reset before the first byte sends nothing else", async () => {
  expect(await hear({ status: 200, breaksOff: { afterBytes: 0, by: "reset" } })).toEqual({ bytes: "", last: "reset" });
});

test("an answer in pieces breaks off within a piece", async () => {
  const body = (async function* () {
    yield Buffer.from("hello ");
    yield Buffer.from("world");
  })();
  const whole = `${head}transfer-encoding: chunked\r\nconnection: close\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n`;
  const afterBytes = whole.indexOf("rld");
  const heard = await hear({ status: 201, headers: { "x-a": "b" }, body, breaksOff: { afterBytes, by: "end" } });
  expect(heard).toEqual({ bytes: whole.slice(0, afterBytes), last: "end" });
});
