import { timingSafeEqual } from "node:crypto";
import { JsonError } from "../../json/json-error.ts";
import { decodeClaim } from "../../contract/wire.ts";
import type { Host } from "../../host/host.ts";
import type { RequestHandler, IncomingRequest, Listening } from "../../host/server/listener.ts";
import { bodyWithin, jsonAnswer, notFound, receive } from "../../host/server/server.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import { isCallbackSecret, lastSegment } from "../callback-secret.ts";

const secretBytes = 32;
const callbackMaxBytes = 64 * 1024;
/** Time for the answer to the last callback to leave. */
const closingGraceMs = 500;

/** Spec is silent on what a callback is answered with. */
const taken = jsonAnswer(200, '{"message":"received"}');

/** Gets the body of a callback, and returns true if it is one of ours. */
type Take = (body: JsonObject) => boolean;

/** A server for the callbacks of one movement, at a secret address. */
export interface CallbackServer {
  readonly listening: Listening;
  /** 256 random bits, the last segment of the address that the service gets. */
  readonly secret: string;
  /** Also accepts callbacks at the address of an earlier attempt or run. */
  admit(secret: string, take: Take): void;
  close(): Promise<void>;
}

/**
 * Listens for callbacks. `take` gets each body that came to the secret address.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
export async function listenForCallbacks(
  host: Pick<Host, "listen" | "ids">,
  address: ListenAddress,
  take: Take,
): Promise<CallbackServer> {
  const secret = Buffer.from(host.ids.bytes(secretBytes)).toString("base64url");
  const receivers: [secret: string, take: Take][] = [[secret, take]];
  const answer: RequestHandler = async (request) => {
    const takes = receiverAt(lastSegment(request.target), receivers);
    if (request.method !== "POST" || takes === undefined) return notFound;
    const body = await readBody(request);
    return body !== undefined && takes(body) ? taken : notFound;
  };
  const hint = "Nothing was sent. Take a free port: --listen 127.0.0.1:0";
  const listening = await receive(host, { address, hint, money: "not moved" }, answer);
  return {
    listening,
    secret,
    admit(other, takeThere) {
      if (isCallbackSecret(other)) receivers.push([other, takeThere]);
    },
    close: () => listening.close(closingGraceMs),
  };
}

/** The address for callbacks: the public address, with the secret as the last segment. */
export function secretAddress(base: string, secret: string): string {
  const url = new URL(base);
  url.pathname = `${withoutEnding(url.pathname, "/")}/${secret}`;
  url.hash = "";
  return url.href;
}

/** Compares with each of them in full, so that timing reveals nothing. */
function receiverAt(segment: string, receivers: readonly (readonly [secret: string, take: Take])[]): Take | undefined {
  const given = Buffer.from(segment);
  const matches = receivers
    .map(([secret]) => Buffer.from(secret))
    .map((secret) => secret.length === given.length && timingSafeEqual(secret, given));
  return receivers[matches.indexOf(true)]?.[1];
}

async function readBody(request: IncomingRequest): Promise<JsonObject | undefined> {
  const bytes = await bodyWithin(request, callbackMaxBytes);
  if (bytes === undefined) return undefined;
  try {
    const body = decodeClaim(new TextDecoder().decode(bytes));
    return isJsonObject(body) ? body : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
