import type { ServerResponse } from "node:http";
import type { BreakOff, OutgoingResponse } from "../server/listener.ts";

/** Sends an answer up to `afterBytes`, and then ends it as `by` says. */
export async function sendBroken(
  response: ServerResponse,
  outgoing: OutgoingResponse,
  { afterBytes, by }: BreakOff,
): Promise<void> {
  const { socket } = response;
  // The peer may be gone already.
  if (socket === null) return;
  let left = afterBytes;
  for await (const piece of bytesOf(outgoing)) {
    const part = piece.subarray(0, left);
    left -= part.length;
    if (part.length > 0) await new Promise((resolve) => socket.write(part, resolve));
    if (left === 0) break;
  }
  if (by === "reset") socket.resetAndDestroy();
  if (by === "end") socket.destroySoon();
}

/** Sends interim answers with these statuses before the answer, without headers. */
export function sendInterim({ socket }: ServerResponse, statuses: readonly number[] = []): void {
  for (const status of statuses) socket?.write(`HTTP/1.1 ${status} ${reasonOf(status)}\r\n\r\n`);
}

function reasonOf(status: number): string {
  return process.getBuiltinModule("node:http").STATUS_CODES[status] ?? "";
}

/** The whole answer in wire format, so that it can also break off within its head. */
async function* bytesOf({ status, headers = {}, body = "" }: OutgoingResponse): AsyncGenerator<Uint8Array> {
  const isWhole = typeof body === "string" || body instanceof Uint8Array;
  const length = isWhole ? `content-length: ${Buffer.byteLength(body)}` : "transfer-encoding: chunked";
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  yield Buffer.from(
    [`HTTP/1.1 ${status} ${reasonOf(status)}`, ...fields, length, "connection: close", "", ""].join("\r\n"),
    "latin1",
  );
  if (isWhole) {
    yield Buffer.from(body);
    return;
  }
  for await (const piece of body) {
    yield Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
  }
  yield Buffer.from("0\r\n\r\n");
}
