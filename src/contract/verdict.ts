import { amountOf } from "../values/amount.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { JsonError } from "./json-error.ts";
import { readProblem } from "./problem.ts";
import { decodeJson } from "./wire.ts";

/**
 * How a request that moves money came out, as far as its answer tells. Unknown is a result like the others: the request
 * left and nobody can say from the answer whether money moved.
 */
export interface Verdict {
  readonly outcome: "accepted" | "pending" | "refused" | "unknown";
  /** What the answer said, in words that follow "the service …" or stand alone. */
  readonly why: string;
  readonly http: number;
  /** A word such as `PAYMENT_REJECTED` or `NOT_FOUND`. */
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** The service's id of the transaction, where it named one. */
  readonly transactionId?: string | undefined;
  /** The decoded answer, where it is JSON. */
  readonly answer?: JsonValue | undefined;
}

/** What a success has to look like before it is believed. Spec 2.7, 2.8, 2.9, 4.5. */
export interface Receipt {
  /** What a success without a status word means: done, or under way. `undefined`: it must carry a word. */
  readonly outcome: "accepted" | "pending" | undefined;
  /** Fields that must be there, filled. */
  readonly ids: readonly string[];
  /** Answer field to request field: where the answer has it, it must say the same. */
  readonly echoes: Readonly<Record<string, string>>;
  /** The answer field whose tag ` [reference]` must be that of the request field, where it has one. */
  readonly tagged?: { readonly answer: string; readonly request: string } | undefined;
  /** Spec is silent on the shape: any JSON will do, and a word that is not known means nothing. */
  readonly anyShape?: boolean | undefined;
}

type Meaning = "accepted" | "pending" | "refused" | "unknown" | "as documented";

/** Spec 3, and what occurs beyond it: the words of an answer with a success status. Any other word is unknown. */
const words: Readonly<Record<string, Meaning>> = {
  SUCCESS: "as documented",
  PENDING_ACK: "pending",
  PAYMENT_ACCEPTED: "accepted",
  PAYMENT_REJECTED: "refused",
  INSUFFICIENT_FUNDS: "refused",
  PROVIDER_FAILED: "refused",
  GENERIC_ERROR: "unknown",
  GENERIC_FAILURE: "unknown",
};

/** What a status word means; undefined for one that nobody documented. */
export function meaningOf(word: string): Meaning | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/** Error statuses that are believed when their body has a known shape and says the same status. Spec 7. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Judges a whole answer. Only two things are believed: a success that parses, names its ids and speaks of our request,
 * and an error of a documented status whose body agrees with it. All else is unknown.
 */
export function judge(http: number, body: string, receipt: Receipt, sent: object): Verdict {
  const answer = decoded(body);
  if (answer === undefined) return { outcome: "unknown", http, why: `answered ${http} with something that is no JSON` };
  const verdict = http >= 200 && http <= 299 ? judgeSuccess(answer, receipt, sent) : judgeError(http, answer);
  return { http, answer, ...verdict };
}

type Judged = Omit<Verdict, "http" | "answer">;

function judgeSuccess(answer: JsonValue, receipt: Receipt, sent: object): Judged {
  if (!isJsonObject(answer))
    return receipt.anyShape === true && receipt.outcome !== undefined
      ? { outcome: receipt.outcome, why: "answered with a success" }
      : { outcome: "unknown", why: "answered with a success that is no object" };
  const reason = wordIn(answer);
  const transactionId = textIn(answer, "transactionId");
  const outcome = outcomeOf(reason, receipt);
  const said = reason === undefined ? "said yes" : `said ${reason}`;
  if (outcome === undefined) return { outcome: "unknown", why: "said nothing of the status", transactionId };
  if (outcome === "refused" || outcome === "unknown") return { outcome, why: said, reason, transactionId };
  const doubt = doubtOf(answer, receipt, sent);
  if (doubt !== undefined) return { outcome: "unknown", why: doubt, reason, transactionId };
  return { outcome, why: said, reason, transactionId };
}

function outcomeOf(word: string | undefined, receipt: Receipt): Verdict["outcome"] | undefined {
  if (word === undefined) return receipt.outcome;
  const meaning = meaningOf(word);
  if (receipt.anyShape === true && meaning !== "refused" && meaning !== "unknown")
    return /^\d+$/.test(word) ? "unknown" : receipt.outcome;
  if (meaning === undefined) return "unknown";
  return meaning === "as documented" ? receipt.outcome : meaning;
}

function doubtOf(answer: JsonObject, receipt: Receipt, sent: object): string | undefined {
  const absent = receipt.ids.find((name) => textIn(answer, name) === undefined);
  if (absent !== undefined) return `named no ${absent}`;
  const other = Object.entries(receipt.echoes).find(
    ([theirs, ours]) => !agrees(answer[theirs], Reflect.get(sent, ours)),
  );
  if (other !== undefined) return `answered about another ${other[0]}`;
  const { tagged } = receipt;
  if (tagged === undefined) return undefined;
  const [theirs, ours] = [tagIn(answer[tagged.answer]), tagIn(Reflect.get(sent, tagged.request))];
  return theirs === undefined || ours === undefined || theirs === ours ? undefined : "answered about another reference";
}

/** The reference at the end of a description: ` [R]`. */
function tagIn(text: unknown): string | undefined {
  return typeof text === "string" ? / \[([^[\]]+)\]$/.exec(text)?.[1] : undefined;
}

function judgeError(http: number, answer: JsonValue): Judged {
  const problem = readProblem(answer);
  const reason = problem?.reason;
  const details = problem?.details;
  const isKnownShape = problem?.statusCode === http && (reason !== undefined || problem.message !== undefined);
  if (refusals.has(http) && isKnownShape)
    return { outcome: "refused", why: `refused it (${http} ${reason ?? problem.message})`, reason, details };
  if (http === 409 && reason === "DUPLICATE_REQUEST")
    return {
      outcome: "unknown",
      why: "knows this reference already: an earlier request with it may have moved money",
      reason,
    };
  return { outcome: "unknown", why: `answered ${http}${reason === undefined ? "" : ` ${reason}`}`, reason, details };
}

/** Absent is no contradiction; another value is one. Amounts are compared as amounts. */
function agrees(theirs: JsonValue | undefined, ours: unknown): boolean {
  if (theirs === undefined || theirs === null || theirs === "") return true;
  if (!(ours instanceof Numeral)) return theirs === ours;
  const [mine, said] = [amountOf(ours), amountOf(theirs)];
  return mine !== null && said !== null && mine !== undefined && said !== undefined && said.equals(mine);
}

/** A status word. In errors `statusCode` is a number; one that turns up within a success is no success. */
function wordIn(answer: JsonObject): string | undefined {
  const value = answer["statusCode"];
  if (value instanceof Numeral) return /^2\d\d$/.test(value.text) ? undefined : value.text;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textIn(answer: JsonObject, name: string): string | undefined {
  const value = answer[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function decoded(body: string): JsonValue | undefined {
  try {
    return decodeJson(body);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
