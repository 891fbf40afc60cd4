import { decodeJson, encodeJson } from "../contract/wire.ts";
import type { Clock } from "../host/host.ts";
import type { Answer, BreakOff, OutgoingResponse } from "../host/listener.ts";
import { isJsonObject } from "../values/json.ts";
import type { Fault } from "./fault.ts";
import { serverError } from "./refusal.ts";

export interface FaultScene {
  readonly endpoint: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const breaks: ReadonlyMap<string, BreakOff["by"]> = new Map([
  ["lose-answer", "reset"],
  ["reset-answer", "reset"],
  ["cut-answer", "end"],
  ["stall-answer", "silence"],
]);

/** Where each answer says whose it is. Spec 2.7, 2.8, 2.9. */
const ownerFields: Readonly<Record<string, string>> = {
  transfer: "narration",
  withdraw: "transactionRef",
  collect: "transactionRef",
  remit: "partnerReference",
};

/** The answer as the fault leaves it. Whatever happens to it, the request was done, unless the fault says otherwise. */
export function applyToAnswer(fault: Fault, answer: Answer, scene: FaultScene): Answer {
  if (fault.name === "reset-request") return async () => ({ status: 200, breaksOff: { afterBytes: 0, by: "reset" } });
  if (fault.name === "fail-request") return async () => serverError("A");
  return async (request) => changed(await answer(request), fault, scene);
}

async function changed(
  response: OutgoingResponse,
  { name, bytes: afterBytes, timeMs }: Fault,
  { endpoint, clock, signal }: FaultScene,
): Promise<OutgoingResponse> {
  const by = breaks.get(name);
  if (by !== undefined) return { ...response, breaksOff: { afterBytes, by } };
  if (name === "fail-answer") return serverError("A");
  if (name === "swap-answer") return speakOfAnother(response, ownerFields[endpoint]);
  if (name === "slow-body") return { ...response, body: withPause(response.body, clock, timeMs, signal) };
  if (name === "slow-headers") await clock.sleep(timeMs, signal);
  return response;
}

/** A success about another reference, of the same length; other answers stay as they are. */
function speakOfAnother(response: OutgoingResponse, field: string | undefined): OutgoingResponse {
  const { status, body } = response;
  if (status > 299 || typeof body !== "string" || field === undefined) return response;
  const document = decodeJson(body);
  const own = isJsonObject(document) ? document[field] : undefined;
  if (!isJsonObject(document) || typeof own !== "string") return response;
  const other = own.replace(/\w(?=\W*$)/, (last) => (last === "0" ? "1" : "0"));
  return { ...response, body: encodeJson({ ...document, [field]: other }) };
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
