import type { Host } from "../../host/host.ts";
import type { PlainPost } from "../../host/http/plain-post.ts";
import type { WireLimits } from "../../host/http/transport.ts";
import { WireError } from "../../host/http/transport.ts";

const secondMs = 1000;
const kibibyte = 1024;
/** Spec 6.2, 8: the receiver answers within 30 seconds. */
const answerTimeoutMs = 30 * secondMs;
const connectTimeoutMs = 10 * secondMs;
/** Only the status of an answer matters. */
const answerMaxBytes = 64 * kibibyte;
/** Spec 6.2, 8: up to 20 retries over 24 hours, exponential from 2 seconds. */
export const retriesMax = 20;
const firstWaitMs = 2 * secondMs;
/**
 * Spec is silent on how the doubling waits fit into 24 hours; with at most this per wait, all twenty take 20.5 hours.
 */
const waitMaxMs = 8192 * secondMs;

/** A body for an address: JSON text, the same bytes at each attempt. */
export interface Post {
  readonly url: string;
  readonly body: string;
  /** Default: a new one. */
  readonly requestId?: string | undefined;
}

/** The result of an attempt: `retry` where a later one may succeed. */
export interface DeliveryAttempt {
  readonly outcome: "delivered" | "retry" | "failed";
  /** The answer's HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** Why there was no answer, in a sentence. */
  readonly reason: string | undefined;
  /** False where not even a connection was made. */
  readonly reached: boolean;
}

/** How to deliver. */
export interface Courier {
  readonly post: PlainPost;
  readonly ids: Host["ids"];
  /** Aborted to stop all deliveries. */
  readonly signal: AbortSignal;
  /** The limit for one attempt; default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** True for a new connection for each attempt: none fails because the receiver closed an idle one. */
  readonly freshConnections?: boolean | undefined;
}

/** Posts the body once and returns the result, by the rules of spec 6.2. Only the status decides. */
export async function attempt({ url, body, requestId }: Post, courier: Courier): Promise<DeliveryAttempt> {
  const { post, ids, signal, timeoutMs = answerTimeoutMs, freshConnections: freshConnection } = courier;
  try {
    const limits = limitsOf(timeoutMs);
    const id = requestId ?? ids.uuid();
    const response = await post({ url, body, requestId: id, limits, signal, freshConnection });
    await drain(response.body);
    const { status } = response;
    return { outcome: outcomeOf(status), status, reason: undefined, reached: true };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WireError)) throw error;
    return { outcome: "retry", status: undefined, reason: error.message, reached: error.sent };
  }
}

/** How long to wait after this many failures of a delivery; undefined when there were too many. */
export function waitAfter(failures: number, retries: number = retriesMax): number | undefined {
  return failures > retries ? undefined : Math.min(firstWaitMs * 2 ** (failures - 1), waitMaxMs);
}

/** Spec 6.2. It is silent on 1xx and 3xx: they count as refusals. */
function outcomeOf(status: number): DeliveryAttempt["outcome"] {
  if (status >= 200 && status <= 299) return "delivered";
  return status >= 500 || status === 408 || status === 429 ? "retry" : "failed";
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body);
  } catch (error) {
    if (!(error instanceof WireError) || error.kind === "aborted") throw error;
  }
}

function limitsOf(timeoutMs: number): WireLimits {
  return {
    connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    deadlineMs: timeoutMs,
    responseMaxBytes: answerMaxBytes,
  };
}
