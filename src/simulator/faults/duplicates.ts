import type { OutgoingResponse } from "../../host/server/listener.ts";
import { answerJson } from "../refusal.ts";

/** Ways to say that a reference was used before; `field` is the request's field with the reference. */
const forms: Readonly<Record<string, (field: string) => OutgoingResponse>> = {
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
  return forms[how]?.(field);
}
