import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { parseMoment } from "../values/moment.ts";
import { JsonError } from "./json-error.ts";
import { decodeJson } from "./wire.ts";

/** What a webhook's body holds, each text as it was received. Spec 6.2. */
export interface WebhookEnvelope {
  readonly timestamp: string;
  readonly signature: string;
  /** A JSON document as text. */
  readonly payload: string;
}

const envelopeFields = ["timestamp", "signature", "payload"] as const;
/**
 * Spec 6.2: ISO 8601 with offset. Nothing stands between timestamp and payload where they are signed, so a timestamp
 * that could end in another place would let the same signature cover another pair.
 */
const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
// A byte order mark is no JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the envelope out of a body; where it is none, says what it is instead, in words that follow a colon. */
export function readWebhookEnvelope(body: Uint8Array): WebhookEnvelope | string {
  const document = decodeObject(body);
  if (typeof document === "string") return document;
  const texts = envelopeFields.map((name) => textIn(document, name));
  const missing = envelopeFields.filter((_, index) => texts[index] === undefined);
  if (missing.length > 0) return `it has no text called ${missing.join(" and none called ")}`;
  const [timestamp = "", signature = "", payload = ""] = texts;
  if (webhookInstant(timestamp) === undefined) return "its timestamp is no ISO 8601 time with an offset";
  return { timestamp, signature, payload };
}

/** When it was signed, milliseconds since 1970 UTC; undefined for what is no timestamp of a webhook. */
export function webhookInstant(timestamp: string): number | undefined {
  return timestampForm.test(timestamp) ? parseMoment(timestamp) : undefined;
}

function decodeObject(body: Uint8Array): JsonObject | string {
  const text = decodeText(body);
  if (text === undefined) return "it is not UTF-8";
  const document = decodeDocument(text);
  if (document === undefined) return "it is not JSON";
  return isJsonObject(document) ? document : "it is no JSON object";
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** A JSON text's value; undefined where it is none. */
export function decodeDocument(text: string): JsonValue | undefined {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The text under a name of the object's own. */
export function textIn(document: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
