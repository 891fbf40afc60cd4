import { readWebhookEnvelope, webhookInstant } from "../contract/webhook-envelope.ts";
import type { WebhookKey } from "../contract/webhook-key.ts";
import type { GenuineWebhook } from "../contract/webhook.ts";
import { verifyWebhook } from "../contract/webhook.ts";
import { formatDuration } from "../values/duration.ts";
import { diagnoseBody } from "./body-diagnosis.ts";
import type { Diagnosis } from "./signature-diagnosis.ts";
import { diagnoseSignature } from "./signature-diagnosis.ts";

/** What a person is told of a body: that it is valid, or why not and what to try. */
export type Examination = ValidWebhook | InvalidWebhook;

export interface ValidWebhook {
  readonly verdict: "valid";
  readonly webhook: GenuineWebhook;
}

export interface InvalidWebhook extends Diagnosis {
  readonly verdict: "bad signature" | "bad body" | "too old";
}

/** How old a webhook may be, and the moment that counts. */
export interface Tolerance {
  readonly maxMs: number;
  readonly nowMs: number;
}

/** Verifies a body as the receiver does, and finds out what is behind a verdict that is not the wished one. */
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
  if (verified.verdict === "unreadable") {
    return {
      verdict: "bad body",
      why: `The signature is good, but ${verified.why}.`,
      hint: "It is the sender's mistake: keep the body and tell whoever sent it.",
    };
  }
  const old = tolerance === undefined ? undefined : tooOld(verified.timestamp, tolerance);
  return old ?? { verdict: "valid", webhook: verified };
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
