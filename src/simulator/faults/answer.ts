import type { Clock } from "../../host/host.ts";
import type { RequestHandler, BreakOff, IncomingRequest, OutgoingResponse } from "../../host/server/listener.ts";
import type { Fault } from "../fault.ts";
import { serverError } from "../refusal.ts";
import type { RuleContext } from "../rules/rule.ts";
import { aboutAnother, duplicateAnswer, refusal, withMembers, withRepeatedName, withWords } from "./words.ts";
import { bookLookAlike } from "./look-alike.ts";
import type { Ordered } from "./ordered.ts";
import { orderedIn, referenceField } from "./ordered.ts";

export interface FaultContext {
  /** The endpoint's name with hyphens. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: () => RuleContext;
  /** Resolves when the first callback with that reference has been sent. */
  readonly called: (reference: string) => Promise<void>;
}

/** Orders whose outcome is posted to an address. */
const calledBack: ReadonlySet<string> = new Set(["collect", "remit", "payout", "bank-payout"]);
/** Reads of an order's status, in the words of orders. */
const statuses: ReadonlySet<string> = new Set(["collection-status", "payment-status"]);
const requestMaxBytes = 1024 * 1024;

const breaks: ReadonlyMap<string, BreakOff["by"]> = new Map([
  ["lose-answer", "reset"],
  ["reset-answer", "reset"],
  ["cut-answer", "end"],
  ["stall-answer", "silence"],
]);

/** Applies a fault to an answer. The request is processed in any case, unless the fault says otherwise. */
export function applyToAnswer(fault: Fault, answer: RequestHandler, context: FaultContext): RequestHandler {
  const { name, text } = fault;
  if (name === "reset-request") return async () => ({ status: 200, breaksOff: { afterBytes: 0, by: "reset" } });
  if (name === "fail-request") return async () => serverError("A");
  return async (request) => {
    const ordered = await orderOf(request, context);
    if (name === "refuse-request") return ordered === undefined ? answer(request) : refusal(text, ordered, "it");
    if (name === "early-callback") return afterItsCallback(answer, request, ordered, context);
    const response = await answer(request);
    const { world, nowMs } = context.context();
    if (name === "look-alike" && ordered !== undefined) bookLookAlike(text, ordered, nowMs, world);
    const inOtherWords = response.status < 300 ? said(response, fault, context.endpoint, ordered) : undefined;
    return inOtherWords ?? changed(response, fault, context);
  };
}

/** A changed success, where the fault changes its content. */
function said(
  response: OutgoingResponse,
  { name, text }: Fault,
  endpoint: string,
  ordered: Ordered | undefined,
): OutgoingResponse | undefined {
  if (ordered === undefined && !statuses.has(endpoint)) return undefined;
  if (name === "swap-answer") return aboutAnother(response, endpoint);
  if (name === "say-answer") return withWords(response, text, endpoint);
  if (name === "deny-answer") return withMembers(response, (document) => ({ ...document, success: false }));
  if (name === "error-answer") return withMembers(response, (document) => ({ ...document, error: "Not processed" }));
  if (name === "repeat-answer") return withRepeatedName(response, text, endpoint);
  if (ordered === undefined) return undefined;
  if (name === "swap-refusal") return refusal(text, ordered, "another");
  if (name === "bare-refusal") return refusal(text, ordered, "none");
  if (name === "duplicate-answer") return duplicateAnswer(text, referenceField(endpoint));
  return undefined;
}

async function changed(
  response: OutgoingResponse,
  { name, count: afterBytes, timeMs, text }: Fault,
  { clock, signal }: FaultContext,
): Promise<OutgoingResponse> {
  const by = breaks.get(name);
  if (by !== undefined) return { ...response, breaksOff: { afterBytes, by } };
  if (name === "fail-answer") return serverError("A");
  if (name === "interim-answer") return { ...response, interim: [...(response.interim ?? []), Number(text)] };
  if (name === "slow-body") return { ...response, body: withPause(response.body, clock, timeMs, signal) };
  if (name === "slow-headers") await clock.sleep(timeMs, signal);
  return response;
}

/** Processes the request, and answers once its callback has been sent; without a callback, there is no answer. */
async function afterItsCallback(
  answer: RequestHandler,
  request: IncomingRequest,
  ordered: Ordered | undefined,
  context: FaultContext,
): Promise<OutgoingResponse> {
  const called =
    ordered !== undefined && calledBack.has(ordered.endpoint) ? context.called(ordered.reference) : undefined;
  const response = await answer(request);
  if (response.status < 300) await called;
  return response;
}

async function orderOf(request: IncomingRequest, { endpoint, context }: FaultContext): Promise<Ordered | undefined> {
  if (request.method !== "POST") return undefined;
  return orderedIn(endpoint, await request.body(requestMaxBytes), context().world);
}

/** The first byte, silence, and then the rest. */
async function* withPause(
  body: OutgoingResponse["body"],
  clock: Clock,
  pauseMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let paused = false;
  for await (const piece of piecesOf(body)) {
    if (!paused && piece.length > 0) {
      yield piece.subarray(0, 1);
      await clock.sleep(pauseMs, signal);
      paused = true;
      yield piece.subarray(1);
    } else yield piece;
  }
}

async function* piecesOf(body: OutgoingResponse["body"]): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield new TextEncoder().encode(body);
  else if (body instanceof Uint8Array) yield body;
  else if (body !== undefined) yield* body;
}
