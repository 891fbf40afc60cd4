import type { Host } from "../host/host.ts";
import type { Transport } from "../host/transport.ts";
import { WireError } from "../host/transport.ts";
import type { PostChore } from "./chore.ts";

const secondMs = 1000;
const kibibyte = 1024;

/** Spec 6.2: the receiver answers within 30 seconds. */
const answerLimits = {
  connectTimeoutMs: 10 * secondMs,
  headersTimeoutMs: 30 * secondMs,
  bodyTimeoutMs: 30 * secondMs,
  deadlineMs: 30 * secondMs,
  responseMaxBytes: 64 * kibibyte,
};
/** Spec 6.2, 8: up to 20 retries over 24 hours, exponential from 2 seconds. */
const retriesMax = 20;
const firstWaitMs = 2 * secondMs;
/** Spec is silent on how doubling ends within 24 hours; with waits of at most this, all twenty take 20.5. */
const waitMaxMs = 8192 * secondMs;

/** How a delivery went: `again` is for what can get better. */
export type DeliveryResult = "delivered" | "refused" | "again";

/** Posts a body once and says how it went, by the rules of spec 6.2. */
export async function deliver(
  { url, body }: PostChore,
  host: Host,
  transport: Transport,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    const headers = { "content-type": "application/json", "x-request-id": host.ids.uuid() };
    const response = await transport({ method: "POST", url, headers, body, limits: answerLimits, signal });
    for await (const _ of response.body);
    return resultOf(response.status);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WireError) return "again";
    throw error;
  }
}

/** The next attempt of a delivery that failed for now; undefined when there were enough. */
export function nextAttempt(chore: PostChore, nowMs: number): PostChore | undefined {
  const failures = chore.failures + 1;
  if (failures > retriesMax) return undefined;
  return { ...chore, failures, atMs: nowMs + Math.min(firstWaitMs * 2 ** chore.failures, waitMaxMs) };
}

/** Spec 6.2. It is silent on 1xx and 3xx: they are taken as a refusal. */
function resultOf(status: number): DeliveryResult {
  if (status >= 200 && status <= 299) return "delivered";
  return status >= 500 || status === 408 || status === 429 ? "again" : "refused";
}
