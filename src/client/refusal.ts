import type { Problem } from "../contract/answers/problem.ts";
import { readProblem } from "../contract/answers/problem.ts";
import { formatDuration } from "../values/time/duration.ts";
import type { Ending } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";

/** The request that an answer without success belongs to. */
export interface AskedRequest {
  /** The endpoint's name, such as `wallet balance`. */
  readonly what: string;
  readonly accountNo: string | undefined;
  readonly requestId: string;
  readonly group: "A" | "B";
  /** How long the service asks us to wait, where it says so. */
  readonly waitMs?: number | undefined;
}

/** The status to report for a refusal that came with a success status and names no other. */
const successStatus = 200;

/** Members around a result: an answer with no others has no result. */
const envelopeNames: ReadonlySet<string> = new Set([
  "success",
  "statusCode",
  "timestamp",
  "requestId",
  "message",
  "reason",
  "error",
  "details",
]);

/** No read asks for a part, so a part is not the answer. */
const partialContent = 206;

/** True for the status of an answer with a complete result. */
export function isWholeSuccess(status: number): boolean {
  return status >= 200 && status <= 299 && status !== partialContent;
}

/** Statuses after which another attempt may succeed. Spec 7: 500 is temporary. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** An answer without success, in words: what happened, who has to act, and the request id that support asks for. */
export function refusal(status: number, problem: Problem | undefined, asked: AskedRequest): Failure {
  const { ending, message, hint } = explain(status, asked);
  const wait = asked.waitMs ? `Try again in ${formatDuration(asked.waitMs)}, as the service asks.` : undefined;
  const said =
    problem?.message === undefined || problem.message === problem.reason ? "" : ` It says: ${problem.message}`;
  const code = [String(status), problem?.reason].filter((part) => part !== undefined).join(" ");
  const details = problem === undefined || Object.keys(problem.details).length === 0 ? undefined : problem.details;
  return new Failure(ending, `${message} (${code}).${said}`, {
    hint: wait ?? hint,
    requestId: asked.requestId,
    http: status,
    reason: problem?.reason,
    details,
  });
}

/**
 * A refusal under a success status: an error body, or an envelope that says so and has no result. Undefined for every
 * other answer. The specification doesn't mention such answers, but they occur.
 */
export function hiddenRefusal(body: JsonValue, asked: AskedRequest, isClaim = false): Failure | undefined {
  const problem = readProblem(body);
  if (problem === undefined || !isJsonObject(body)) return undefined;
  if (problem.statusCode !== undefined && problem.statusCode >= 400) return refusal(problem.statusCode, problem, asked);
  const word = typeof body["statusCode"] === "string" ? body["statusCode"] : undefined;
  const holdsNothing = Object.entries(body).every(([name, value]) => envelopeNames.has(name) || value === null);
  if (body["success"] !== false && (isClaim || !holdsNothing || word === undefined || word === "SUCCESS"))
    return undefined;
  return refusal(successStatus, { ...problem, reason: problem.reason ?? word }, asked);
}

interface Explanation {
  readonly ending: Exclude<Ending, "ok">;
  readonly message: string;
  readonly hint: string;
}

function explain(status: number, asked: AskedRequest): Explanation {
  if (status === 401 || status === 403) return unauthorized(asked.group);
  if (status === 404) return notFound(asked);
  if (status === partialContent)
    return {
      ending: "unavailable",
      message: "The service answered with a part of what was asked for",
      hint: "Check the base URL and any proxy in between: partner profile show",
    };
  if (status >= 300 && status < 400)
    return {
      ending: "unavailable",
      message: "The service redirects us to another address, and credentials do not follow a redirect",
      hint: "Check the base URL: partner profile show",
    };
  if (isTransient(status))
    return {
      ending: "unavailable",
      message: status === 429 ? "The service asks for fewer requests" : "The service has a problem of its own",
      hint: "Try again in a minute or two. If it lasts beyond ten minutes, send the request id to the service's support.",
    };
  return {
    ending: "refused",
    message: `The service refused the ${asked.what} request`,
    hint: "Correct what it names and try again.",
  };
}

function unauthorized(group: "A" | "B"): Explanation {
  const which = group === "A" ? "the account id and secret key" : "the access token";
  return {
    ending: "setup",
    message: `The service did not accept ${which}`,
    hint: "See which credentials are used: partner profile show. Enter those of a profile again: partner profile set NAME (it asks; in a script: --secrets-from FILE)",
  };
}

function notFound({ accountNo, group }: AskedRequest): Explanation {
  if (accountNo === undefined)
    return {
      ending: "refused",
      message: "The service does not know this address",
      hint: "Check the base URL: partner profile show",
    };
  return {
    ending: "refused",
    message: `The service found no ${group === "A" ? "wallet" : "account"} ${accountNo} of yours`,
    hint:
      group === "A"
        ? "See which there are: partner wallets list. Merchant accounts have commands of their own: partner account --help"
        : "Merchant account numbers come from the service's setup; wallets have commands of their own: partner wallet --help",
  };
}
