import { decodeDocument, readWebhookEnvelope, memberText, webhookInstant } from "../../contract/webhooks/envelope.ts";
import { jsonRecord } from "../../report/json.ts";
import type { Row } from "../../report/report.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { Arrival, Kept } from "../inbox/inbox.ts";

/** The service signs an event when it sends it; one that took longer than this was held up somewhere. */
export const lateAfterMs = 5 * 60_000;

const plainText = /^[ -~]*$/;
const everyField = { documented: new Map(), wanted: undefined };

/** An event on arrival, before it has a state. */
type Came = Pick<Arrival, "id" | "receivedAt" | "requestId"> & { readonly timestamp: string | null };

/** Writes an event with the document that was signed, as a line. */
export type LineOf = (event: Came, payloadText: string) => string;

/** An event as a row. */
export function eventRow(event: Came, payload: JsonValue): Row {
  const { id, receivedAt, requestId, timestamp } = event;
  return {
    id,
    receivedAt: isoDarEsSalaam(receivedAt),
    late: isLate(timestamp, receivedAt),
    requestId,
    timestamp,
    payload,
  };
}

/** The same as a JSON line, with the payload's own digits. */
export function eventLine(event: Came, payloadText: string): string {
  const { id, receivedAt, requestId, timestamp } = event;
  const texts = `${id}${requestId ?? ""}${timestamp ?? ""}${payloadText}`;
  // If every character is visible, the payload is copied as it was signed, without parsing: a receiver has to be fast.
  if (!plainText.test(texts))
    return jsonRecord(eventRow(event, decodeDocument(payloadText) ?? null), everyField, "one line");
  const late = isLate(timestamp, receivedAt);
  return `{"id":${JSON.stringify(id)},"receivedAt":"${isoDarEsSalaam(receivedAt)}","late":${late},"requestId":${JSON.stringify(requestId)},"timestamp":${JSON.stringify(timestamp)},"payload":${payloadText}}\n`;
}

/** The signed document as text; undefined where the body isn't an envelope. */
export function payloadText(body: Uint8Array): string | undefined {
  const envelope = readWebhookEnvelope(body);
  return typeof envelope === "string" ? undefined : envelope.payload;
}

/** The document that was signed; undefined where there is none. */
export function payloadOf({ body }: Pick<Kept, "body">): JsonObject | undefined {
  const text = payloadText(body);
  const payload = text === undefined ? undefined : decodeDocument(text);
  return isJsonObject(payload) ? payload : undefined;
}

/** A text within the payload, such as `account.accountNo`. */
export function textAt(payload: JsonObject, outer: string, name: string): string | undefined {
  const part = Object.hasOwn(payload, outer) ? payload[outer] : undefined;
  return isJsonObject(part) ? memberText(part, name) : undefined;
}

function isLate(timestamp: string | null, receivedAt: number): boolean {
  const signedAt = timestamp === null ? undefined : webhookInstant(timestamp);
  return signedAt !== undefined && receivedAt - signedAt > lateAfterMs;
}
