import type { AuthGroup, Endpoint } from "../contract/endpoint.ts";
import type { Violations } from "../contract/request.ts";
import type { OutgoingResponse } from "../host/server/listener.ts";

const jsonType = { "content-type": "application/json; charset=utf-8" };

/** An answer whose body is that document. */
export function answerJson(status: number, document: object): OutgoingResponse {
  return { status, headers: jsonType, body: JSON.stringify(document) };
}

/** An answer whose body comes in pieces. */
export function answerPieces(status: number, body: AsyncIterable<Uint8Array>): OutgoingResponse {
  return { status, headers: jsonType, body };
}

/** Spec 7: the request's form is wrong. Each fault is named by its field. */
export function validationError(auth: AuthGroup, faults: Violations): OutgoingResponse {
  const details = Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, `"${field}" ${fault}`]));
  if (auth === "A") {
    // Spec 7.1: `message` is the details as text.
    const message = JSON.stringify(details);
    return answerJson(400, { statusCode: 400, reason: "VALIDATION_ERROR", details, message });
  }
  const message = isDateFault(faults) ? "Invalid date format" : "Validation failed";
  return answerJson(400, { statusCode: 400, message, error: "Validation Error", details });
}

/** Spec 7: credentials are missing or wrong. */
export function unauthorized(endpoint: Endpoint): OutgoingResponse {
  if (endpoint.auth === "B") {
    return answerJson(401, { statusCode: 401, message: "Unauthorized", error: "The token is invalid or missing" });
  }
  // Spec 4.5, 7.1: of all endpoints of group A the collection alone is shown without `details`.
  const details = endpoint.path === "/collection" ? {} : { details: {} };
  return answerJson(401, { statusCode: 401, reason: "INVALID_CREDENTIALS", ...details });
}

/** Spec 7: no such account. Group B answers with an empty body. */
export function notFound(auth: AuthGroup): OutgoingResponse {
  return auth === "A" ? answerJson(404, { statusCode: 404, reason: "NOT_FOUND", details: {} }) : { status: 404 };
}

/** Spec 7: a temporary problem of the service. */
export function serverError(auth: AuthGroup): OutgoingResponse {
  if (auth === "A") return answerJson(500, { statusCode: 500, reason: "SERVER_ERROR" });
  const message = "Internal server error";
  return answerJson(500, { statusCode: 500, message, error: "Retry after 1 to 2 minutes" });
}

/** Spec is silent: a reference that was used before, as the service was seen to answer. */
export function duplicateRequest(status: 409 | 429): OutgoingResponse {
  return answerJson(status, { statusCode: status, reason: "DUPLICATE_REQUEST" });
}

/** Spec is silent: a route that does not exist, as the service was seen to answer. */
export function unknownRoute(method: string, path: string): OutgoingResponse {
  return answerJson(404, { message: `Cannot ${method} ${path}`, error: "Not Found", statusCode: 404 });
}

/** Spec is silent: a body beyond the simulator's limit. */
export function bodyTooLarge(): OutgoingResponse {
  return answerJson(413, { message: "request entity too large", error: "Payload Too Large", statusCode: 413 });
}

function isDateFault(faults: Violations): boolean {
  return [faults["startDate"], faults["endDate"]].some((fault) => fault?.startsWith("must be a day") === true);
}
