import { JsonError } from "../json/json-error.ts";
import { readProblem } from "../contract/answers/problem.ts";
import { readingOf, wordsIn } from "../contract/answers/status-words.ts";
import { decodeClaim } from "../contract/wire.ts";
import type { Movement, MovementKind } from "../journal/movement.ts";
import { movementNouns } from "../journal/movement.ts";
import type { RecordReport, Row } from "../report/report.ts";
import type { FailureDetails } from "../values/failure.ts";
import { Failure } from "../values/failure.ts";
import type { Field } from "../values/field.ts";
import type { JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { withoutEnding } from "../values/text/text-end.ts";
import { isoDarEsSalaam } from "../values/time/wall-time.ts";
import { withoutCallbackSecret } from "./callback-secret.ts";
import { notedHttp } from "./settlement.ts";

/** The fields of a movement in every format, in this order. */
export const movementFields = [
  { name: "id", kind: "id", role: "detail", shortens: "id" },
  { name: "kind", kind: "id", role: "what" },
  { name: "state", kind: "id", role: "state" },
  { name: "reference", kind: "id", role: "what" },
  { name: "requestId", kind: "id", title: "request id", role: "detail" },
  { name: "openedAt", kind: "time", title: "opened", role: "when", shortens: "minute" },
  { name: "settledAt", kind: "time", title: "settled", role: "detail" },
  { name: "evidence", kind: "id", role: "detail" },
  { name: "request", kind: "text", role: "detail" },
  { name: "response", kind: "text", role: "detail" },
] as const satisfies readonly Field[];

/**
 * A movement as a row: request and response as JSON, without the secret of a callback address; times in the service's
 * zone.
 */
export function movementRow(movement: Movement): Row {
  const { id, kind, state, reference, requestIds, openedAt, settledAt, evidence } = movement;
  return {
    id,
    kind,
    state,
    reference,
    requestId: requestIds.at(-1) ?? null,
    openedAt: isoDarEsSalaam(openedAt),
    settledAt: settledAt === null ? null : isoDarEsSalaam(settledAt),
    evidence,
    ...exactParts(withoutCallbackSecret(movement)),
  };
}

/** Reports a movement in any state. @param ending instead of the one that its state has */
export function movementReport(movement: Movement, notes: readonly string[] = [], ending?: Failure): RecordReport {
  return {
    shape: "record",
    columns: movementFields,
    record: movementRow(movement),
    findings: () => ({ notes, carried: ending ?? movementFailure(movement) }),
    happened: `The ${movementNouns[movement.kind]} ${movement.reference} is ${movement.state} all the same: partner journal show ${movement.id}`,
  };
}

/**
 * How a run ends that leaves a movement in this state; undefined where it ended well.
 * @param findOut the way to learn what became of an unknown one
 */
export function movementFailure(
  movement: Movement,
  word?: string,
  findOut = `Find out what happened: partner journal resolve ${movement.id}`,
): Failure | undefined {
  const { id, kind, state, reference, requestIds, note, evidence } = movement;
  const noun = movementNouns[kind];
  const said = evidence === null || evidence === "answer" ? answerOf(movement) : { reason: word };
  const known: FailureDetails = { reference, requestId: requestIds.at(-1), ...said };
  const why = note === null ? "" : ` ${withoutEnding(note, ".")}.`;
  if (state === "refused" && (evidence === "callback" || evidence === "status")) {
    const hint =
      "To try again, use a new reference. The service knows this one now and may call a second order under it a duplicate.";
    return new Failure("refused", `${refusal(kind)}${why}`, { ...known, money: "not moved", hint });
  }
  if (state === "refused") {
    const ending = known.http === 401 || known.http === 403 ? "setup" : "refused";
    const hint = ending === "setup" ? "Try the credentials: partner profile check" : refusedHint(known);
    return new Failure(ending, `${refusal(kind)}${why}`, { ...known, money: "not moved", hint });
  }
  if (state === "reversed") {
    const hint = "Its reference stays used; to pay after all, order it under another one.";
    const message = `It was paid and taken back; no money is gone.${why}`;
    return new Failure("refused", message, { ...known, money: "not moved", hint });
  }
  if (state === "prepared") {
    const hint = `Do not send it again before it has ended: partner journal show ${id}`;
    return new Failure("unknown", `Another process has the ${noun} under way and may send it.${why}`, {
      ...known,
      money: "unknown",
      hint,
    });
  }
  if (state === "unsent") {
    const hint = "Run the same command again; the reference can be used again.";
    return new Failure("unavailable", `The ${noun} was not sent.${why}`, { ...known, money: "not moved", hint });
  }
  if (state === "unknown" || state === "sending") {
    const hint = `Do not send it again. ${findOut}`;
    return new Failure("unknown", `It is not known yet whether the ${noun} took effect.${why}`, {
      ...known,
      money: "unknown",
      hint,
    });
  }
  return undefined;
}

function refusal(kind: MovementKind): string {
  return `The ${movementNouns[kind]} was refused.`;
}

/** The failure without its first sentence, for a person who has just read that the order is refused. */
export function reasonAlone(failure: Failure, kind: MovementKind): Failure {
  const told = `${refusal(kind)} `;
  if (!failure.message.startsWith(told)) return failure;
  return new Failure(failure.ending, failure.message.slice(told.length), failure);
}

/** What to do about a refusal: it may name fields, a word alone, or nothing. */
function refusedHint({ http, details }: FailureDetails): string {
  if (details !== undefined) return "Correct what it names; the reference can be used again.";
  const next =
    http === 404
      ? "Check the accounts: partner wallets list"
      : "Correct what it says, or ask the service with the request id";
  return `${next}. The reference can be used again.`;
}

/** What the answer says, for the error's own fields. */
function answerOf({ kind, note, response }: Movement): Pick<FailureDetails, "http" | "reason" | "details"> {
  const http = notedHttp(note);
  const answer = response === null ? undefined : asJson(response);
  const problem = answer === undefined ? undefined : readProblem(answer);
  if (problem === undefined || !isJsonObject(answer)) return { http };
  const [word] = wordsIn(answer, readingOf(kind)).words;
  const isInWords = word !== undefined && !/^\d+$/.test(word);
  // An answer with a status word isn't a bare map of faults: its other fields are ids.
  if (isInWords && answer["details"] === undefined) return { http, reason: problem.reason ?? word };
  return {
    http,
    reason: problem.reason ?? (isInWords ? word : undefined),
    details: Object.keys(problem.details).length === 0 ? undefined : problem.details,
  };
}

/** Request and response verbatim, as JSON. */
export function exactParts({
  request,
  response,
}: Pick<Movement, "request" | "response">): Pick<Row, "request" | "response"> {
  return { request: asJson(request), response: response === null ? null : asJson(response) };
}

/** An answer that isn't JSON, or says one thing twice, is shown as the text that it was. */
function asJson(text: string): JsonValue {
  try {
    return decodeClaim(text);
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}
