import type { Output } from "../host/host.ts";
import type { RequestHandler, IncomingRequest, OutgoingResponse } from "../host/server/listener.ts";
import { isJsonObject } from "../values/json.ts";
import type { JsonValue } from "../values/json.ts";
import { formatWait } from "../values/time/duration.ts";
import { visible } from "../values/text/text.ts";
import { decodeJson } from "../contract/wire.ts";
import type { DeliveryAttempt } from "../webhooks/send/delivery.ts";
import { callbackName } from "./faults/callback.ts";
import { readOnce } from "./read-once.ts";
import type { PostJob } from "./scheduling/job.ts";
import { pathBelow } from "./routes.ts";

/** Receives a line about each request and each attempt to deliver. */
export type LogLine = (line: string) => void;

/** Of longer answers, only the status is logged. */
const answerMaxChars = 64 * 1024;
const bodyMaxBytes = 1024 * 1024;
/** Lines that may wait for a reader; beyond this number, new ones are dropped. */
const waitingMaxCount = 1000;
/** The fields of requests with the sender's reference. */
const references = ["transactionRef", "externalRef", "partnerReference"] as const;

/** Logs each request before its answer is sent: `POST /collection 200 ORDER-42 PENDING_ACK`. */
export function logging(answer: RequestHandler, basePath: string, log: LogLine | undefined): RequestHandler {
  if (log === undefined) return answer;
  return async (request) => {
    const once = readOnce(request);
    const outgoing = await answer(once);
    const path = pathBelow(basePath, request.target.replace(/\?.*/s, ""));
    const said = saidIn(outgoing);
    const reference = once.wasRead ? referenceIn(await documentIn(once)) : undefined;
    const words = [request.method, path, outgoing.status, reference ?? referenceIn(said), wordIn(said)];
    const broken = outgoing.breaksOff === undefined ? "" : ", and the answer breaks off";
    log(words.filter((word) => word !== undefined).join(" ") + broken);
    return outgoing;
  };
}

/** One attempt as a line: `callback → http://127.0.0.1:3000/hook 200`. */
export function deliveryLine({ url, body }: PostJob, sent: DeliveryAttempt, againInMs: number | undefined): string {
  const what = callbackName({ body })?.endpoint === "webhook" ? "webhook" : "callback";
  const status = sent.status === undefined ? "" : ` ${sent.status}`;
  if (sent.outcome === "delivered") return `${what} → ${url}${status}`;
  const why = sent.reason ?? "the receiver did not take it";
  const next = againInMs === undefined ? "it is not tried again" : `it is tried again ${formatWait(againInMs)}`;
  return `${what} → ${url}${status} failed: ${why.replace(/\.$/, "")}; ${next}`;
}

/** Writes lines for people. A slow or missing reader blocks nothing. */
export function logTo(output: Output): LogLine {
  let waiting = 0;
  return (line) => {
    if (waiting >= waitingMaxCount) return;
    waiting += 1;
    void output.write(`${visible(line)}\n`).finally(() => (waiting -= 1));
  };
}

async function documentIn(request: IncomingRequest): Promise<JsonValue | undefined> {
  const bytes = await request.body(bodyMaxBytes).catch(() => undefined);
  return bytes === undefined ? undefined : jsonIn(new TextDecoder().decode(bytes));
}

function saidIn({ body }: OutgoingResponse): JsonValue | undefined {
  return typeof body === "string" && body.length <= answerMaxChars ? jsonIn(body) : undefined;
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}

function referenceIn(document: JsonValue | undefined): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const said = references.map((name) => document[name]).filter((value) => typeof value === "string");
  return said.find((reference) => reference !== "");
}

/** The result of an answer: its status word, or its error with each wrong field. */
function wordIn(document: JsonValue | undefined): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const word = [document["statusCode"], document["reason"], document["error"]].find((one) => typeof one === "string");
  const { details } = document;
  const faults = isJsonObject(details) ? Object.values(details).filter((fault) => typeof fault === "string") : [];
  return faults.length === 0 ? word : `${word ?? ""}: ${faults.join(", ")}`;
}
