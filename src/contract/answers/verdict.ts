import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { saysDuplicate } from "./duplicate.ts";
import { JsonError, RepeatedName } from "../../json/json-error.ts";
import { readProblem } from "./problem.ts";
import type { Meaning, StatusReading, Said } from "./status-words.ts";
import { wordAgainst, wordsIn } from "./status-words.ts";
import type { AnswerMarks } from "./whose-answer.ts";
import { foreignReference, whoseAnswer } from "./whose-answer.ts";
import { decodeClaim } from "../wire.ts";

/**
 * The outcome of a request that moves money, as far as its answer shows. Unknown is a result like the others: the
 * request was sent, and its answer does not show whether money moved.
 */
export interface Verdict {
  readonly outcome: Meaning;
  /** What the answer said, in words that follow "the service …". */
  readonly why: string;
  readonly http: number;
  /** A word such as `PAYMENT_REJECTED` or `NOT_FOUND`. */
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** The service's id of the transaction, where the answer has one and isn't about another order. */
  readonly transactionId?: string | undefined;
  /** The decoded answer, where it is JSON. */
  readonly answer?: JsonValue | undefined;
}

/** What a success has to look like before it is believed. Spec 2.7, 2.8, 2.9, 4.5. */
export interface SuccessForm extends AnswerMarks {
  /** What a success without a status word means: done, or in progress. `undefined`: a word is required. */
  readonly outcome: "accepted" | "pending" | undefined;
  /** Fields that must be there, and not empty. */
  readonly ids: readonly string[];
  /** Where its status words are, and what they mean. */
  readonly reading: StatusReading;
}

/** Error statuses that are believed when their body has a known shape and says the same status. Spec 7. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** A partial answer was never requested, so it proves nothing. */
const partialContent = 206;

/**
 * Judges a whole answer. It believes a success that parses, has its ids and contradicts itself nowhere; a refusing
 * status word, if the answer names our order; and an error with a documented status, if its body agrees and names no
 * other order. Everything else is unknown, as is any answer that says that the service already knows the reference.
 */
export function judgeAnswer(http: number, body: string, receipt: SuccessForm, sent: object): Verdict {
  const answer = decoded(body);
  if (answer === undefined) return { outcome: "unknown", http, why: `answered ${http} with something other than JSON` };
  if (answer === "repeats") return { outcome: "unknown", http, why: `answered ${http} and gave one field twice` };
  return { http, answer: answer.value, ...judgeValue(http, answer.value, receipt, sent) };
}

type Judged = Omit<Verdict, "http" | "answer">;

function judgeValue(http: number, answer: JsonValue, receipt: SuccessForm, sent: object): Judged {
  if (saysDuplicate(answer))
    return {
      outcome: "unknown",
      why: `answered ${http} and knows this reference already: an earlier request with it may have moved money`,
      reason: readProblem(answer)?.reason,
    };
  if (http === partialContent) return { outcome: "unknown", why: `answered ${http} with a part of an answer` };
  return http >= 200 && http <= 299 ? judgeSuccess(answer, receipt, sent) : judgeError(http, answer, receipt, sent);
}

function judgeSuccess(answer: JsonValue, receipt: SuccessForm, sent: object): Judged {
  if (!isJsonObject(answer)) return { outcome: "unknown", why: "answered with a success that isn't an object" };
  const said = wordsIn(answer, receipt.reading);
  const reason = said.words[0];
  const whose = whoseAnswer(answer, receipt, sent);
  if (whose.is === "another") return { outcome: "unknown", why: `answered about another ${whose.by}`, reason };
  const transactionId = textIn(answer, "transactionId");
  const outcome = outcomeOf(said, receipt);
  if (outcome === undefined) return { outcome: "unknown", why: "said nothing about the status", transactionId };
  const doubt = doubtOf(outcome, answer, receipt, whose.is === "ours");
  const words = said.words.length === 0 ? "said yes" : `said ${[...new Set(said.words)].join(" and ")}`;
  if (doubt !== undefined) return { outcome: "unknown", why: `${words}, and ${doubt}`, reason, transactionId };
  return { outcome, why: words, reason, transactionId };
}

function outcomeOf({ meaning }: Said, { outcome }: SuccessForm): Meaning | undefined {
  if (meaning === "none" || meaning === "as documented") return outcome;
  return meaning === "strange" || meaning === "torn" ? "unknown" : meaning;
}

/** Why an answer's words are not believed; undefined where nothing contradicts them. */
function doubtOf(outcome: Meaning, answer: JsonObject, { ids }: SuccessForm, isOurs: boolean): string | undefined {
  if (outcome === "unknown") return undefined;
  const against = wordAgainst(answer, [outcome]);
  if (against !== undefined) return `also said ${against}`;
  if (outcome === "refused" || outcome === "reversed") {
    if (!isOurs) return "did not say which order it meant";
    return answer["success"] === true ? "called it a success" : undefined;
  }
  if (isFailure(answer)) return "also named an error";
  const absent = ids.find((name) => textIn(answer, name) === undefined);
  return absent === undefined ? undefined : `named no ${absent}`;
}

function judgeError(http: number, answer: JsonValue, receipt: SuccessForm, sent: object): Judged {
  const problem = readProblem(answer);
  const reason = problem?.reason;
  const details = problem?.details;
  const why = `answered ${http}${reason === undefined ? "" : ` ${reason}`}`;
  const isKnownShape = problem?.statusCode === http && (reason !== undefined || problem.message !== undefined);
  if (!refusals.has(http) || !isKnownShape || !isJsonObject(answer))
    return { outcome: "unknown", why, reason, details };
  const doubt = refusalDoubt(answer, receipt, sent);
  if (doubt !== undefined) return { outcome: "unknown", why: `${why}, and ${doubt}`, reason, details };
  return { outcome: "refused", why: `said ${reason ?? problem.message}`, reason, details };
}

/** Why a refusing status is not believed; undefined where nothing contradicts it. */
function refusalDoubt(answer: JsonObject, receipt: SuccessForm, sent: object): string | undefined {
  const foreign = foreignReference(answer, receipt, sent);
  if (foreign !== undefined) return `named another ${foreign}`;
  if (textIn(answer, "transactionId") !== undefined) return "named a transaction";
  const against = wordAgainst(answer, ["refused"]);
  if (against !== undefined) return `also said ${against}`;
  return answer["success"] === true ? "called it a success" : undefined;
}

/** Spec 7.1: the reasons of errors. */
const errorReasons: ReadonlySet<JsonValue | undefined> = new Set([
  "VALIDATION_ERROR",
  "INVALID_CREDENTIALS",
  "NOT_FOUND",
  "SERVER_ERROR",
]);

/** True where an answer says, apart from its status words, that something went wrong. */
export function isFailure({ success, error, errors, isError, reason, ...others }: JsonObject): boolean {
  if (success !== undefined && success !== null && /^(?:false|0)$/i.test(scalarText(success))) return true;
  if (Array.isArray(errors) && errors.length > 0) return true;
  if (isError === true || errorReasons.has(reason)) return true;
  if (["status", "code", "responseCode"].some((name) => /^[45]\d\d$/.test(scalarText(others[name] ?? null))))
    return true;
  return error !== undefined && error !== null && error !== "" && error !== false;
}

/** A text, number or boolean as it is written; empty for everything else. */
function scalarText(value: JsonValue): string {
  if (value instanceof Numeral) return value.text;
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}

function textIn(answer: JsonObject, name: string): string | undefined {
  const value = answer[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function decoded(body: string): { readonly value: JsonValue } | "repeats" | undefined {
  try {
    return { value: decodeClaim(body) };
  } catch (error) {
    if (error instanceof RepeatedName) return "repeats";
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
