import type { RequestHandler, IncomingRequest, OutgoingResponse } from "../../src/host/server/listener.ts";
import type { Transport, WireRequest, WireResponse } from "../../src/host/http/transport.ts";
import { WireError } from "../../src/host/http/transport.ts";
import type { Prng } from "../../src/simulator/prng.ts";

/** What can happen to a request between two processes, besides the service's own faults. */
export interface Weather {
  /** The chance, in percent, that there is no connection. */
  readonly unsent: number;
  /** That it is sent but never arrives. */
  readonly lost: number;
  /** That it arrives, but the answer is cut. */
  readonly cut: number;
  /** That the answer has one bit flipped. */
  readonly flipped: number;
  /** That a person presses Ctrl-C meanwhile. */
  readonly interrupted: number;
}

export const fairWeather: Weather = { unsent: 0, lost: 0, cut: 0, flipped: 0, interrupted: 0 };

/** The wire between a program and a service in one process. Like a real one, it only says what was sent. */
export function townWire(answer: RequestHandler, draw: Prng, weather: Weather, interrupt: () => void): Transport {
  return async (request) => {
    const { unsent, lost, cut, flipped, interrupted } = weather;
    const happens = (percent: number) => draw.integer(1, 100) <= percent;
    if (request.signal.aborted) throw new WireError("aborted", "Interrupted", { sent: false });
    if (happens(unsent)) throw new WireError("connection", "No connection", { sent: false });
    request.onSending?.();
    if (happens(lost)) throw new WireError("reset", "The connection broke off", { sent: true });
    const response = await answer(incoming(request));
    if (happens(interrupted)) {
      interrupt();
      throw new WireError("aborted", "Interrupted", { sent: true });
    }
    const bytes = await wholeBody(response);
    if (happens(flipped) && bytes.length > 0) {
      const at = draw.integer(0, bytes.length - 1);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << draw.integer(0, 7)), at);
    }
    const arrivingBytes = happens(cut)
      ? draw.integer(0, bytes.length + headBytes)
      : bytesBefore(response, bytes.length);
    return arrive(response, bytes, arrivingBytes);
  };
}

/** Heads differ; it makes no difference where one breaks off. */
const headBytes = 100;

function bytesBefore({ breaksOff }: OutgoingResponse, length: number): number {
  return breaksOff?.afterBytes ?? length + headBytes;
}

/** An answer of which this many bytes arrive. */
function arrive({ status, headers = {} }: OutgoingResponse, bytes: Buffer, arrivingBytes: number): WireResponse {
  if (arrivingBytes < headBytes) throw new WireError("reset", "The connection broke off", { sent: true });
  const part = bytes.subarray(0, arrivingBytes - headBytes);
  return { status, headers, body: partOf(part, part.length === bytes.length), leave: () => undefined };
}

async function* partOf(part: Buffer, isWhole: boolean): AsyncGenerator<Uint8Array> {
  if (part.length > 0) yield part;
  if (!isWhole) throw new WireError("reset", "The connection broke off", { sent: true });
}

function incoming({ method, url, headers, body = "" }: WireRequest): IncomingRequest {
  const { pathname, search } = new URL(url);
  return { method, target: pathname + search, headers, body: async () => Buffer.from(body) };
}

async function wholeBody({ body = "" }: OutgoingResponse): Promise<Buffer> {
  if (typeof body === "string" || body instanceof Uint8Array) return Buffer.from(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
