import { decodeDocument, memberText } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { encodeJson } from "../../contract/wire.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import type { Diagnosis } from "./signature-diagnosis.ts";
import { isRespelling } from "./signature-diagnosis.ts";

/** Why a body isn't an envelope, and what it probably is instead. */
export function diagnoseBody(body: Uint8Array, why: string, keys: readonly WebhookKey[]): Diagnosis {
  const diagnosis = bytesOf(body) ?? documentOf(new TextDecoder().decode(body), keys);
  return {
    why: diagnosis?.why ?? `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    hint:
      diagnosis?.hint ?? 'Give it the body of the request as it came: {"timestamp":"…","signature":"…","payload":"…"}',
  };
}

function bytesOf(body: Uint8Array): Diagnosis | undefined {
  const [first, second, third] = body;
  if (first === undefined) return { why: "It is empty.", hint: "Save the body of the request, and all of it." };
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  if (isMarked || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return {
      why: isMarked ? "It begins with a byte order mark." : "It is UTF-16.",
      hint: "Save it as the service sent it: UTF-8 without a byte order mark.",
    };
  }
  return undefined;
}

function documentOf(text: string, keys: readonly WebhookKey[]): Diagnosis | undefined {
  if (/^(?:POST \S+ )?HTTP\/|^POST /.test(text)) {
    return { why: "It is a whole HTTP message.", hint: "Save the body alone: everything after its empty line." };
  }
  const document = decodeDocument(text);
  if (typeof document === "string") {
    return { why: "It is JSON text within JSON text.", hint: "Save the text inside, without its quotes and escapes." };
  }
  return isJsonObject(document) ? objectOf(document, keys) : undefined;
}

function objectOf(document: JsonObject, keys: readonly WebhookKey[]): Diagnosis | undefined {
  const { payload, transaction, receivedAt, body } = document;
  if (isJsonObject(payload) && receivedAt !== undefined) {
    return {
      why: "It is a line that webhook listen printed.",
      hint: "It was verified when it came: partner webhook inbox show ID",
    };
  }
  if (isJsonObject(payload)) return parsedPayload(document, payload, keys);
  if (isJsonObject(transaction)) {
    return {
      why: "It is the payload without its envelope.",
      hint: "The timestamp and the signature are around it: save the whole body of the request.",
    };
  }
  if (body === undefined) return undefined;
  return { why: "It is a record of a request.", hint: "Save the text of its field body alone." };
}

function parsedPayload(document: JsonObject, payload: JsonObject, keys: readonly WebhookKey[]): Diagnosis {
  const [timestamp = "", signature = ""] = [memberText(document, "timestamp"), memberText(document, "signature")];
  const envelope = { timestamp, signature, payload: encodeJson(payload) };
  const fits = isRespelling(envelope, keys) ? " As the text that was sent it fits the signature." : "";
  return {
    why: `Its payload is an object instead of text: something parsed it on its way.${fits}`,
    hint: "Keep the request's body byte for byte as it comes, before anything parses it.",
  };
}
