import { decodeJson, encodeJson } from "../../contract/wire.ts";
import type { OutgoingResponse } from "../../host/server/listener.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { answerJson } from "../refusal.ts";
import type { Ordered } from "./ordered.ts";

// Answers to orders that misreport what was done. They replace successes only.

/** The field of each answer that names its order. Spec 2.7, 2.8, 2.9. */
const ownerFields: Readonly<Record<string, string>> = {
  transfer: "narration",
  withdraw: "transactionRef",
  collect: "transactionRef",
  payout: "transactionRef",
  "bank-payout": "transactionRef",
  "collection-status": "transactionRef",
  "payment-status": "transactionRef",
  remit: "partnerReference",
};

/** Changes the members of a success; other answers are unchanged. */
export function withMembers(
  response: OutgoingResponse,
  change: (document: JsonObject) => JsonObject,
): OutgoingResponse {
  const document = successIn(response);
  return document === undefined ? response : { ...response, body: encodeJson(change(document)) };
}

/** A success that names another reference, of the same length. */
export function aboutAnother(response: OutgoingResponse, endpoint: string): OutgoingResponse {
  const field = ownerFields[endpoint] ?? "";
  return withMembers(response, (document) => {
    const own = document[field];
    return typeof own === "string" ? { ...document, [field]: another(own) } : document;
  });
}

/** Replaces the status words: A/B, or one for both. Only a remittance has two. */
export function withWords(response: OutgoingResponse, words: string, endpoint: string): OutgoingResponse {
  const [status = "", statusCode = status] = words.split("/");
  const hasStatus = endpoint === "remit" || words.includes("/");
  return withMembers(response, (document) => ({ ...document, ...(hasStatus ? { status } : {}), statusCode }));
}

/** A refusal with 2xx, or with 400 to 499 for such a word, that names this order, another one, or none. */
export function refusal(word: string, ordered: Ordered, about: "it" | "another" | "none"): OutgoingResponse {
  const { endpoint, reference, narration } = ordered;
  const own = endpoint === "transfer" ? narration : reference;
  const named = about === "none" ? {} : { [ownerFields[endpoint] ?? ""]: about === "it" ? own : another(own) };
  if (/^4\d\d$/.test(word)) {
    const message = `${another(reference)} is not valid`;
    return answerJson(Number(word), { statusCode: Number(word), reason: "VALIDATION_ERROR", ...named, message });
  }
  return answerJson(200, { ...named, ...(endpoint === "remit" ? { status: word } : {}), statusCode: word });
}

/** A repeated member, the second time with another value. */
export function withRepeatedName(response: OutgoingResponse, how: string, endpoint: string): OutgoingResponse {
  const field = ownerFields[endpoint] ?? "";
  const document = successIn(response);
  const own = document?.[field];
  if (typeof response.body !== "string" || typeof own !== "string") return response;
  const escaped = `\\u${field.charCodeAt(0).toString(16).padStart(4, "0")}${field.slice(1)}`;
  const value = JSON.stringify(another(own));
  const again = { nested: `"meta":{"id":1,"id":2}`, escaped: `"${escaped}":${value}` }[how] ?? `"${field}":${value}`;
  return { ...response, body: response.body.replace(/\}\s*$/, `,${again}}`) };
}

/** The same text with another last letter or digit. */
function another(text: string): string {
  return text.replace(/\w(?=\W*$)/, (last) => (last === "0" ? "1" : "0"));
}

function successIn({ status, body }: OutgoingResponse): JsonObject | undefined {
  if (status > 299 || typeof body !== "string") return undefined;
  const document = decodeJson(body);
  return isJsonObject(document) ? document : undefined;
}

/** Ways to say that a reference was used before; `field` is the request's field with the reference. */
const duplicateForms: Readonly<Record<string, (field: string) => OutgoingResponse>> = {
  "409": () => answerJson(409, { statusCode: 409, reason: "DUPLICATE_REQUEST" }),
  "422": () => answerJson(422, { statusCode: 422, reason: "DUPLICATE_REFERENCE", details: {} }),
  "429": () => answerJson(429, { statusCode: 429, reason: "DUPLICATE_REQUEST" }),
  "200": () => answerJson(200, { statusCode: "DUPLICATE_REQUEST" }),
  conflict: () => answerJson(409, { error: "Conflict", message: "Transaction already exists", requestId: "req_17" }),
  unique: (field) => {
    const details = { [field]: `"${field}" must be unique` };
    return answerJson(400, { statusCode: 400, reason: "VALIDATION_ERROR", details, message: JSON.stringify(details) });
  },
  used: () => answerJson(400, { statusCode: 400, message: "Reference Already Used", error: "Bad Request" }),
  exists: () =>
    answerJson(400, { statusCode: 400, reason: "BAD_REQUEST", message: "A transaction with it ALREADY EXISTS" }),
  array: (field) => {
    const details = [{ field, message: "must be unique" }];
    return answerJson(400, { statusCode: 400, error: "Bad Request", message: "Validation failed", details });
  },
  code: () =>
    answerJson(400, { statusCode: 400, code: "DUPLICATE_TRANSACTION", message: "Not done", error: "Bad Request" }),
  map: (field) => answerJson(400, { [field]: `${field} is a duplicate` }),
};

/** Says that the reference was used before, in one of many forms. */
export function duplicateAnswer(how: string, field: string): OutgoingResponse | undefined {
  return duplicateForms[how]?.(field);
}
