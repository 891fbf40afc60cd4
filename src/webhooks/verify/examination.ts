import { decodeDocument, readWebhookEnvelope, webhookInstant } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { verifyWebhook } from "../../contract/webhooks/webhook.ts";
import { formatDuration } from "../../values/time/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { diagnoseBody } from "./body-diagnosis.ts";
import type { Diagnosis } from "./signature-diagnosis.ts";
import { diagnoseSignature } from "./signature-diagnosis.ts";

/** The verdict on a body, for people: valid, or why not and what to try. */
export type Examination = ValidWebhook | InvalidWebhook;

export interface ValidWebhook {
  readonly verdict: "valid";
  /** Undefined where the payload has no transaction id; its signature is valid all the same. */
  readonly transactionId: string | undefined;
  readonly timestamp: string;
  readonly payloadText: string;
  readonly payload: JsonObject;
}

export interface InvalidWebhook extends Diagnosis {
  readonly verdict: "bad signature" | "bad body" | "too old";
}

/** How old a webhook may be, in milliseconds, and the time to compare with. */
export interface Tolerance {
  readonly maxMs: number;
  readonly nowMs: number;
}

/** Verifies a body as the receiver does, and diagnoses a failure. */
export function examineWebhook(body: Uint8Array, keys: readonly WebhookKey[], tolerance?: Tolerance): Examination {
  const verified = verifyWebhook(body, keys);
  if (verified.verdict === "not the envelope") {
    return { verdict: "bad body", ...diagnoseBody(body, verified.why, keys) };
  }
  if (verified.verdict === "forged") {
    const envelope = readWebhookEnvelope(body);
    if (typeof envelope === "string") throw new Error("What is forged is an envelope.");
    return { verdict: "bad signature", ...diagnoseSignature(envelope, keys) };
  }
  const { timestamp, payloadText } = verified;
  const payload = verified.verdict === "genuine" ? verified.payload : objectIn(payloadText);
  if (payload === undefined) return unreadable(verified.verdict === "unreadable" ? verified.why : "");
  const transactionId = verified.verdict === "genuine" ? verified.transactionId : undefined;
  const old = tolerance === undefined ? undefined : tooOld(timestamp, tolerance);
  return old ?? { verdict: "valid", transactionId, timestamp, payloadText, payload };
}

/** The object in a signed payload without a transaction id. */
function objectIn(payloadText: string): JsonObject | undefined {
  const document = payloadText.isWellFormed() ? decodeDocument(payloadText) : undefined;
  return isJsonObject(document) ? document : undefined;
}

function unreadable(why: string): InvalidWebhook {
  return {
    verdict: "bad body",
    why: `The signature is good, but ${why}.`,
    hint: "It is the sender's mistake: keep the body and tell the sender.",
  };
}

function tooOld(timestamp: string, { maxMs, nowMs }: Tolerance): InvalidWebhook | undefined {
  const ageMs = nowMs - (webhookInstant(timestamp) ?? nowMs);
  if (ageMs <= maxMs) return undefined;
  const age = formatDuration(Math.floor(ageMs / 1000) * 1000);
  return {
    verdict: "too old",
    why: `The signature is good, but it was signed ${age} ago.`,
    hint: "A delivery is tried again for up to 24 hours. Allow more with --tolerance 24h, or leave it out.",
  };
}
