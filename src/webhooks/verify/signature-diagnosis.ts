import { createHmac } from "node:crypto";
import type { WebhookEnvelope } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { isSignedWithOneOf } from "../../contract/webhooks/webhook.ts";
import { respellings } from "./encodings.ts";

/** What is wrong with a webhook, in a sentence, and what to try. */
export interface Diagnosis {
  readonly why: string;
  readonly hint: string;
}

type Signer = (envelope: WebhookEnvelope, key: WebhookKey) => string;

const signs =
  (content: (envelope: WebhookEnvelope) => string): Signer =>
  (envelope, key) =>
    base64Hmac(key, content(envelope));

/** Common mistakes of signers, in words that follow `It was signed`. */
const missigners: readonly (readonly [string, Signer])[] = [
  [
    "with the text of the key, which has to be decoded from base64 first",
    ({ timestamp, payload }, key) => base64Hmac(key.export().toString("base64"), timestamp + payload),
  ],
  ["over the payload alone", signs(({ payload }) => payload)],
  ["with a full stop between timestamp and payload", signs(({ timestamp, payload }) => `${timestamp}.${payload}`)],
  ["with a line break between timestamp and payload", signs(({ timestamp, payload }) => `${timestamp}\n${payload}`)],
  ["with the payload before the timestamp", signs(({ timestamp, payload }) => payload + timestamp)],
];

/** Finds out why a signature doesn't match, by trying common mistakes. It never accepts a body. */
export function diagnoseSignature(envelope: WebhookEnvelope, keys: readonly WebhookKey[]): Diagnosis {
  return (
    keys.map((key) => misspelt(envelope, key) ?? missigned(envelope, key)).find((found) => found !== undefined) ??
    reworded(envelope, keys) ?? {
      why: "The signature does not match: it was made with another key, or the timestamp or the payload was changed since.",
      hint: "Compare the key with your key from setup, and keep the body byte for byte as it comes, before anything parses it. While keys are exchanged give both: --key-file OLD --key-file NEW",
    }
  );
}

function misspelt({ timestamp, payload, signature }: WebhookEnvelope, key: WebhookKey): Diagnosis | undefined {
  const digest = createHmac("sha256", key)
    .update(timestamp + payload)
    .digest();
  const isHex = signature.toLowerCase() === digest.toString("hex");
  if (!isHex && !Buffer.from(signature, "base64").equals(digest)) return undefined;
  return {
    why: `The signature is the right one, but written ${isHex ? "in hex" : "in another way than plain base64"}.`,
    hint: "The sender has to write it as base64 with + and /, with = at the end and nothing around it: 44 characters.",
  };
}

function missigned(envelope: WebhookEnvelope, key: WebhookKey): Diagnosis | undefined {
  const found = missigners.find(([, sign]) => sign(envelope, key) === envelope.signature);
  if (found === undefined) return undefined;
  return {
    why: `It was signed ${found[0]}.`,
    hint: "The sender has to sign the timestamp and, right behind it, the payload's text, with the decoded key.",
  };
}

function reworded(envelope: WebhookEnvelope, keys: readonly WebhookKey[]): Diagnosis | undefined {
  if (!isRespelling(envelope, keys)) return undefined;
  return {
    why: "The payload was rewritten on its way: its spaces, line breaks, escapes or the zeros of its amounts differ from what was signed.",
    hint: "Keep the request's body byte for byte as it comes. A parser, a proxy or an editor that rewrites JSON breaks the signature.",
  };
}

/** True where the signature fits another encoding of the payload. */
export function isRespelling(envelope: WebhookEnvelope, keys: readonly WebhookKey[]): boolean {
  for (const payload of respellings(envelope.payload)) {
    if (isSignedWithOneOf(keys, { ...envelope, payload })) return true;
  }
  return false;
}

function base64Hmac(key: WebhookKey | string, content: string): string {
  return createHmac("sha256", key).update(content).digest("base64");
}
