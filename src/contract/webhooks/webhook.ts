import { createHmac, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { decodeDocument, parseTexts, readWebhookEnvelope, textIn } from "./envelope.ts";
import type { WebhookEnvelope } from "./envelope.ts";
import type { WebhookKey } from "./key.ts";

/** What is signed. The request's `x-request-id` is not: it is a header, and anybody can set it. Spec 5, 6.2. */
export type SignedContent = Pick<WebhookEnvelope, "timestamp" | "payload">;

/** What a body that came to a webhook's address turns out to be. `why` follows a colon, in words. */
export type WebhookVerification = GenuineWebhook | UnreadableWebhook | ForgedWebhook | NoWebhook;

export interface GenuineWebhook {
  readonly verdict: "genuine";
  readonly timestamp: string;
  /** The payload as it was signed, to the last character. */
  readonly payloadText: string;
  readonly payload: JsonObject;
  /** `transaction.id`: the same one may arrive more than once. */
  readonly transactionId: string;
}

/** The service signed it, and no event can be read out of it. To refuse it would lose it for good. */
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

/** 32 bytes in base64, spelt in the one way that encoding gives: the last letter holds two bits that must be zero. */
const signatureForm = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** Spec 5: base64 of the HMAC-SHA256 of timestamp and payload, one behind the other, in UTF-8. */
export function signWebhook({ timestamp, payload }: SignedContent, key: WebhookKey): string {
  return createHmac("sha256", key)
    .update(timestamp + payload)
    .digest("base64");
}

/** The body of a signed webhook, as the service sends it. Spec 6.2. */
export function webhookBody(content: SignedContent, signature: string): string {
  return JSON.stringify({ timestamp: content.timestamp, signature, payload: content.payload });
}

/** Says whose a body is: signed with one of the keys, over the texts just as they came, or not. */
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

/** Most receivers only pass the text on: it is read exactly where somebody asks. */
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

/** Every key is tried and all 44 characters are compared, however early they differ: time tells nothing. */
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
  // Half a character becomes the same three bytes as any other half: the signature cannot tell them apart.
  if (!payloadText.isWellFormed()) return { why: "the payload holds half a character" };
  const document = parseTexts(payloadText);
  if (!isJsonObject(document)) return { why: "the payload isn't a JSON object" };
  const transaction: unknown = Object.hasOwn(document, "transaction") ? document["transaction"] : undefined;
  const transactionId = isJsonObject(transaction) ? textIn(transaction, "id") : undefined;
  if (transactionId === undefined || transactionId === "") return { why: "the payload has no transaction.id" };
  return { transactionId };
}

/** What could be parsed can be read exactly. */
function exactly(payloadText: string): JsonObject {
  const payload = decodeDocument(payloadText);
  if (isJsonObject(payload)) return payload;
  throw new Error("A JSON object is none when it is read exactly.");
}
