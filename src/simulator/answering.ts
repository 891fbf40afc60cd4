import type { Endpoint } from "../contract/endpoint.ts";
import type { Violations } from "../contract/request.ts";
import { decodeRequest, violationsOf } from "../contract/request.ts";
import { decodeJson } from "../contract/wire.ts";
import type { RequestHandler, IncomingRequest, OutgoingResponse } from "../host/server/listener.ts";
import { BodyTooLarge } from "../host/server/listener.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { isAuthorized } from "./credentials.ts";
import type { Persistence } from "./scheduling/persistence.ts";
import { bodyTooLarge, serverError, unauthorized, unknownRoute, validationError } from "./refusal.ts";
import type { RoutedRequest, ServedPlace } from "./routes.ts";
import { findRoute } from "./routes.ts";
import type { RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";

const requestMaxBytes = 1024 * 1024;

/** The service that answers requests. */
export interface SimulatedService {
  readonly place: ServedPlace;
  readonly persistence: Persistence;
  /** The rules' context at this moment. */
  context(): RuleContext;
}

/** Answers every request as the specification says; an error in here becomes the service's `500`. */
export function answering(service: SimulatedService): RequestHandler {
  return async (request) => {
    const routed = findRoute(request.method, request.target, service.place);
    if (routed === undefined) return unknownRoute(request.method, request.target.replace(/\?.*/s, ""));
    try {
      return dated(await answerRouted(routed, request, service), service.context().nowMs);
    } catch (error) {
      return error instanceof BodyTooLarge ? bodyTooLarge() : serverError(routed.endpoint.auth);
    }
  };
}

/** Answers have the simulated time, whatever this machine's is. */
function dated(outgoing: OutgoingResponse, nowMs: number): OutgoingResponse {
  return { ...outgoing, headers: { ...outgoing.headers, date: new Date(nowMs).toUTCString() } };
}

/** Checks credentials first, then headers, then the body, then the input's form. */
async function answerRouted(
  routed: RoutedRequest,
  request: IncomingRequest,
  service: SimulatedService,
): Promise<OutgoingResponse> {
  const { endpoint } = routed;
  const bytes = await request.body(requestMaxBytes);
  if (!isAuthorized(endpoint.auth, request.headers)) return unauthorized(endpoint);
  const faults = headerFaults(endpoint, request.headers, bytes);
  // Spec 7.1: the list of wallets answers 401 and 500 only, and spec 5 counts x-request-id among its credentials.
  if (faults !== undefined && endpoint.path === "/wallet") return unauthorized(endpoint);
  if (faults !== undefined) return validationError(endpoint.auth, faults);
  const body = readBody(bytes, endpoint);
  if (body === undefined) return validationError(endpoint.auth, { body: "is not valid JSON" });
  if (!isJsonObject(body)) return validationError(endpoint.auth, { body: "must be of type object" });
  const rule = rules.get(endpoint);
  if (rule === undefined) return serverError(endpoint.auth);
  // For the same reason, it takes no notice of a query.
  const query = endpoint.path === "/wallet" ? {} : routed.query;
  const response = rule.answer(decodeRequest(endpoint, { ...routed, query, body }), service.context());
  // Money that moved is on the disk before the answer.
  if (endpoint.effect === "moves money" && response.status < 300) await service.persistence.save();
  return response;
}

/**
 * Spec 4, 7: every request has an id; group B wants its content type even without a body, group A where there is one.
 */
function headerFaults(
  endpoint: Endpoint,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Violations | undefined {
  const faults: Record<string, string> = {};
  if ((headers["x-request-id"] ?? "").trim() === "") faults["x-request-id"] = "is required";
  const isJson = /^application\/json(?:\s*;|\s*$)/i.test(headers["content-type"] ?? "");
  const wantsJson = endpoint.auth === "B" || (endpoint.method === "POST" && body.length > 0);
  if (wantsJson && !isJson) faults["Content-Type"] = "must be application/json";
  return Object.keys(faults).length > 0 ? faults : undefined;
}

/**
 * The body as JSON; undefined where it can't be read. A request without a body has no fields, and for an endpoint
 * without fields, clients also send an empty list. A body of a GET is ignored, but spec 7.2: for group B it has to be
 * JSON.
 */
function readBody(bytes: Uint8Array, endpoint: Endpoint): JsonValue | undefined {
  const isGet = endpoint.method === "GET";
  if (bytes.length === 0 || (isGet && endpoint.auth === "A")) return {};
  try {
    const body = decodeJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isGet) return {};
    return Array.isArray(body) && body.length === 0 && Object.keys(violationsOf(endpoint, {})).length === 0 ? {} : body;
  } catch {
    return undefined;
  }
}
