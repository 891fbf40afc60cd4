import type { GenuineWebhook } from "../../contract/webhooks/webhook.ts";
import { verifyWebhook } from "../../contract/webhooks/webhook.ts";
import { webhookMaxBytes } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import type { Clock } from "../../host/host.ts";
import type { RequestHandler, IncomingRequest, OutgoingResponse } from "../../host/server/listener.ts";
import { BadEncoding, unpacked } from "../../host/http/unpacked.ts";
import { BodyTooLarge } from "../../host/server/listener.ts";
import { bodyWithin, jsonAnswer, notFound } from "../../host/server/server.ts";
import { formatDuration } from "../../values/time/duration.ts";
import { openMetricsType } from "../../values/text/open-metrics.ts";
import { Failure } from "../../values/failure.ts";
import type { Arrival, Inbox } from "../inbox/inbox.ts";
import type { EventCounts } from "./event-counts.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";

export const healthPath = "/health";
export const metricsPath = "/metrics";

/** What a receiver needs. */
export interface HandlerTools {
  readonly path: string;
  readonly keys: readonly WebhookKey[];
  readonly clock: Pick<Clock, "now">;
  readonly inbox: Pick<Inbox, "store" | "quarantine" | "keepForged">;
  readonly notes: RateLimitedLog;
  /** Counts the outcome of each webhook. */
  readonly counts: Pick<EventCounts, "add">;
  /** The text of `/metrics`. */
  readonly metrics: () => Promise<string>;
  /** True once no new work may begin. */
  readonly isStopping: () => boolean;
  /** A new event with an older signature counts as late; milliseconds. */
  readonly maxAgeMs: number;
  /** When to deliver an event; null for never. */
  readonly dueAt: (webhook: GenuineWebhook, now: number) => number | null;
  /** Called with each new event after it is on the disk. */
  readonly onStored: (event: Arrival, number: number, webhook: GenuineWebhook) => void;
  /**
   * Called for an event that is already stored, or could not be stored: either may be a commit whose answer was lost.
   */
  readonly onUnsure: () => void;
}

const listHint = "partner webhook inbox list --state";

/**
 * Answers requests to a receiver. Spec 6.2: 401 for a bad signature, 200 for an event, even if it is already stored.
 * The answer is sent only when the event is on the disk: the service never sends it again.
 */
export function receiving(tools: HandlerTools): RequestHandler {
  const served = withoutSlash(tools.path);
  return async (request) => {
    const path = pathOf(request.target);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path === healthPath && isRead) return tools.isStopping() ? stopping : healthy;
    if (path === metricsPath && isRead) return { ...measured, body: await tools.metrics() };
    if (withoutSlash(path) !== served) return notFound;
    if (request.method !== "POST") return notAllowed;
    if (tools.isStopping()) return stopping;
    const body = await bodyWithin(request, webhookMaxBytes);
    if (body === undefined) return tooLarge;
    const { headers } = request;
    const plain = headers["content-encoding"] === undefined ? body : readPacked(body, headers["content-encoding"]);
    if ("status" in plain) return plain;
    try {
      return await take(headers, plain, tools);
    } catch (error) {
      tools.onUnsure();
      tools.counts.add("unavailable");
      tools.notes.say("storage", `Webhooks are answered with 503: ${reasonOf(error)}`);
      return unavailable;
    }
  };
}

/**
 * Decompresses a body within its size limit.
 * @returns the body, or the answer to an invalid one
 */
function readPacked(body: Uint8Array, encoding: string): Uint8Array | OutgoingResponse {
  try {
    return unpacked(body, encoding, webhookMaxBytes) ?? notUnpacked;
  } catch (error) {
    if (error instanceof BodyTooLarge) return tooLarge;
    if (error instanceof BadEncoding) return badBody("it isn't gzip, as its header says");
    throw error;
  }
}

/** `/webhook/` is `/webhook`: proxies and people add the slash. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

async function take(
  headers: IncomingRequest["headers"],
  body: Uint8Array,
  tools: HandlerTools,
): Promise<OutgoingResponse> {
  const verification = verifyWebhook(body, tools.keys);
  if (verification.verdict === "not the envelope") {
    tools.counts.add("refused");
    return badBody(verification.why);
  }
  const receivedAt = tools.clock.now();
  const requestId = headers["x-request-id"] ?? null;
  const came = { receivedAt, requestId, body };
  if (verification.verdict === "genuine") return takeEvent(verification, came, tools);
  const { verdict, why: problem } = verification;
  if (verdict === "unreadable") {
    const isNew = await tools.inbox.quarantine({ ...came, timestamp: verification.timestamp, problem });
    tools.counts.add(isNew === undefined ? "repeated" : "quarantined");
    if (isNew !== undefined)
      tools.notes.say("unreadable", `The service signed what cannot be read (${problem}): ${listHint} quarantined`);
    return kept;
  }
  tools.counts.add("refused");
  // Where it can't be kept, it is refused all the same.
  await tools.inbox.keepForged({ ...came, timestamp: null, problem }).catch(() => undefined);
  tools.notes.say("forged", `A webhook was refused: ${problem}. Is the webhook key the right one? ${listHint} forged`);
  return badSignature;
}

async function takeEvent(
  webhook: GenuineWebhook,
  came: Pick<Arrival, "receivedAt" | "requestId" | "body">,
  { inbox, counts, dueAt, onStored, onUnsure, notes, maxAgeMs }: HandlerTools,
): Promise<OutgoingResponse> {
  const { transactionId: id, timestamp } = webhook;
  const problem = tooOld(timestamp, came.receivedAt, maxAgeMs);
  const event = { ...came, id, timestamp, problem, dueAt: dueAt(webhook, came.receivedAt) };
  const number = await inbox.store(event);
  counts.add(number === undefined ? "repeated" : problem === undefined ? "received" : "quarantined", came.receivedAt);
  if (number !== undefined && problem !== undefined) {
    notes.say("old", `An event that was never seen is kept apart, as ${problem}: ${listHint} quarantined`);
    return kept;
  }
  if (number === undefined) onUnsure();
  else onStored(event, number, webhook);
  if (notes.isOver("storage")) notes.say("stored again", "Webhooks are stored again.");
  return jsonAnswer(200, answerText(number === undefined ? "received already" : "received", id));
}

/** A replayed event has a valid signature; only its age gives it away. */
function tooOld(timestamp: string, now: number, maxAgeMs: number): string | undefined {
  const signedAt = Date.parse(timestamp);
  if (!(now - signedAt > maxAgeMs)) return undefined;
  return `it was signed more than ${formatDuration(maxAgeMs)} before it came`;
}

function answerText(message: string, transactionId: string | null): string {
  return JSON.stringify({ message, transactionId });
}

function badBody(why: string): OutgoingResponse {
  return jsonAnswer(400, JSON.stringify({ message: `bad body: ${why}` }));
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return `${error.message} ${error.hint ?? ""}`.trim();
  return error instanceof Error ? error.message : String(error);
}

const healthy = jsonAnswer(200, '{"status":"ok"}');
const measured = { status: 200, headers: { "content-type": openMetricsType } };
const kept = jsonAnswer(200, answerText("kept for a person to look at", null));
const badSignature = jsonAnswer(401, '{"message":"bad signature"}');
const notAllowed = jsonAnswer(405, '{"message":"only POST"}', { allow: "POST" });
const tooLarge = jsonAnswer(413, '{"message":"too large"}', { connection: "close" });
const notUnpacked = jsonAnswer(415, '{"message":"only gzip"}', { "accept-encoding": "gzip" });
const unavailable = jsonAnswer(503, '{"message":"try again later"}', { "retry-after": "2" });
const stopping = jsonAnswer(503, '{"message":"stopping, try again later"}', {
  "retry-after": "2",
  connection: "close",
});
