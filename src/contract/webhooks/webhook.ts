import { createHmac, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { decodeDocument, parseTexts, readWebhookEnvelope, memberText } from "./envelope.ts";
import type { WebhookEnvelope } from "./envelope.ts";
import type { WebhookKey } from "./key.ts";

/** The signed part of a webhook. Headers such as `x-request-id` aren't signed, so anyone can set them. Spec 5, 6.2. */
export type SignedContent = Pick<WebhookEnvelope, "timestamp" | "payload">;

/** The verdict on a body that was posted to a webhook's address. `why` follows a colon. */
export type WebhookVerification = GenuineWebhook | UnreadableWebhook | ForgedWebhook | NoWebhook;

export interface GenuineWebhook {
  readonly verdict: "genuine";
  readonly timestamp: string;
  /** The payload exactly as it was signed. */
  readonly payloadText: string;
  readonly payload: JsonObject;
  /** `transaction.id`: the same one may arrive more than once. */
  readonly transactionId: string;
}

/** Signed by the service, but unreadable as an event. If it were refused, it would be lost for good. */
export interface UnreadableWebhook {
  readonly verdict: "unreadable";
  readonly timestamp: string;
  readonly payloadText: string;
  readonly why: string;
}

export interface ForgedWebhook {
  readonly verdict: "forged";
  readonly why: string;
}

export interface NoWebhook {
  readonly verdict: "not the envelope";
  readonly why: string;
}

/** 32 bytes in canonical base64: the last letter has two bits that must be zero. */
const signatureForm = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** Spec 5: base64 of the HMAC-SHA256 of timestamp followed by payload, in UTF-8. */
export function signWebhook({ timestamp, payload }: SignedContent, key: WebhookKey): string {
  return createHmac("sha256", key)
    .update(timestamp + payload)
    .digest("base64");
}

/** The body of a signed webhook, as the service sends it. Spec 6.2. */
export function webhookBody(content: SignedContent, signature: string): string {
  return JSON.stringify({ timestamp: content.timestamp, signature, payload: content.payload });
}

/** Verifies a body: whether one of the keys signed its texts, exactly as received. */
export function verifyWebhook(body: Uint8Array, keys: readonly WebhookKey[]): WebhookVerification {
  const envelope = readWebhookEnvelope(body);
  if (typeof envelope === "string") return { verdict: "not the envelope", why: envelope };
  const { timestamp, signature, payload: payloadText } = envelope;
  if (!signatureForm.test(signature)) return { verdict: "forged", why: "the signature is not base64 of 32 bytes" };
  if (!isSignedWithOneOf(keys, envelope)) return { verdict: "forged", why: "the signature does not match" };
  const read = readTransactionId(payloadText);
  if ("why" in read) return { verdict: "unreadable", timestamp, payloadText, why: read.why };
  return new Verified(timestamp, payloadText, read.transactionId);
}

/** Most receivers only pass the text on, so it is parsed on first access. */
class Verified implements GenuineWebhook {
  readonly verdict = "genuine";
  readonly timestamp: string;
  readonly payloadText: string;
  readonly transactionId: string;
  #payload: JsonObject | undefined;

  constructor(timestamp: string, payloadText: string, transactionId: string) {
    this.timestamp = timestamp;
    this.payloadText = payloadText;
    this.transactionId = transactionId;
  }

  get payload(): JsonObject {
    return (this.#payload ??= exactly(this.payloadText));
  }
}

/** Tries every key and compares all 44 characters, so that timing reveals nothing. */
export function isSignedWithOneOf(keys: readonly WebhookKey[], content: WebhookEnvelope): boolean {
  const claimed = Buffer.from(content.signature, "utf8");
  let matches = false;
  for (const key of keys) {
    const expected = Buffer.from(signWebhook(content, key), "utf8");
    matches = (claimed.length === expected.length && timingSafeEqual(claimed, expected)) || matches;
  }
  return matches;
}

function readTransactionId(payloadText: string): { readonly transactionId: string } | { readonly why: string } {
  // Every lone surrogate is encoded as U+FFFD, so the signature can't tell them apart.
  if (!payloadText.isWellFormed()) return { why: "the payload holds half a character" };
  const document = parseTexts(payloadText);
  if (!isJsonObject(document)) return { why: "the payload isn't a JSON object" };
  const transaction: unknown = Object.hasOwn(document, "transaction") ? document["transaction"] : undefined;
  const transactionId = isJsonObject(transaction) ? memberText(transaction, "id") : undefined;
  if (transactionId === undefined || transactionId === "") return { why: "the payload has no transaction.id" };
  return { transactionId };
}

/** Parses the payload again, with exact numbers. */
function exactly(payloadText: string): JsonObject {
  const payload = decodeDocument(payloadText);
  if (isJsonObject(payload)) return payload;
  throw new Error("A JSON object is none when it is read exactly.");
}
