import { isUtf8 } from "node:buffer";
import type { JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { parseMoment } from "../../values/time/instant.ts";
import { JsonError } from "../../json/json-error.ts";
import { depthMax } from "../../json/reader.ts";
import { decodeJson } from "../wire.ts";

/** The content of a webhook's body, each text as it was received. Spec 6.2. */
export interface WebhookEnvelope {
  readonly timestamp: string;
  readonly signature: string;
  /** A JSON document as text. */
  readonly payload: string;
}

/** The largest body that receivers accept. */
export const webhookMaxBytes = 1024 * 1024;
const envelopeFields = ["timestamp", "signature", "payload"] as const;
/**
 * Spec 6.2: ISO 8601 with offset. No separator between timestamp and payload is signed, so if a timestamp could end
 * elsewhere, the same signature would fit another pair.
 */
const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
/** Shorter texts can't nest deeper than the exact reader allows: each level takes two characters. */
const shallowMaxChars = 2 * depthMax;

/**
 * Reads the envelope from a body.
 * @returns the envelope, or the error, in words that follow a colon
 */
export function readWebhookEnvelope(body: Uint8Array): WebhookEnvelope | string {
  const document = decodeObject(body);
  if (typeof document === "string") return document;
  const timestamp = memberText(document, "timestamp");
  const signature = memberText(document, "signature");
  const payload = memberText(document, "payload");
  if (timestamp === undefined || signature === undefined || payload === undefined) {
    const missing = envelopeFields.filter((name) => memberText(document, name) === undefined);
    return `it has no text called ${missing.join(" and none called ")}`;
  }
  if (webhookInstant(timestamp) === undefined) return "its timestamp isn't an ISO 8601 time with an offset";
  return { timestamp, signature, payload };
}

/** The time of signing, in milliseconds since 1970 UTC; undefined where it isn't a webhook's timestamp. */
export function webhookInstant(timestamp: string): number | undefined {
  return timestampForm.test(timestamp) ? parseMoment(timestamp) : undefined;
}

function decodeObject(body: Uint8Array): object | string {
  // A byte order mark is kept, and makes the text invalid JSON.
  const text = isUtf8(body) ? Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8") : undefined;
  if (text === undefined) return "it is not UTF-8";
  const document = parse(text);
  if (document === undefined) return "it is not JSON";
  return isJsonObject(document) ? document : "it isn't a JSON object";
}

/**
 * Parses a JSON text whose numbers aren't needed exactly: ten times as fast as the exact reader, refusing the same
 * texts. Undefined where the text isn't JSON.
 */
export function parseTexts(text: string): unknown {
  return text.length < shallowMaxChars ? parse(text) : decodeDocument(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON text's value; undefined where the text isn't JSON. */
export function decodeDocument(text: string): JsonValue | undefined {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The text under one of the object's own members. */
export function memberText(document: object, name: string): string | undefined {
  const value: unknown = Object.hasOwn(document, name) ? Reflect.get(document, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
