import type { JsonObject } from "../values/json.ts";
import { saysDuplicate } from "./answers/duplicate.ts";
import type { Meaning, Said } from "./answers/status-words.ts";
import { wordAgainst, wordsIn } from "./answers/status-words.ts";
import { isFailure } from "./answers/verdict.ts";

/** What a callback claims about a movement. It is unsigned: none of it is proof. */
export interface Callback {
  /** Our own reference. */
  readonly reference: string;
  /** The service's transaction id: `""` where it is missing, null where this kind of callback has none. */
  readonly transactionId: string | null;
  /** The status as received; two words where its fields differ. */
  readonly word: string;
  /** Undefined for an undocumented word: it decides nothing. */
  readonly outcome: CallbackOutcome | "pending" | undefined;
}

/** A final outcome. `unknown` is one: an error while processing, or two words that contradict each other. */
export type CallbackOutcome = Exclude<Meaning, "pending">;

/** Reads a callback from its body; undefined where the body isn't one. */
export type ReadCallback = (body: JsonObject) => Callback | undefined;

/**
 * Sent where no callback is wanted: the field is required, and `.invalid` names never resolve (RFC 2606). The outcome
 * then comes from a status request or from the statement.
 */
export const unreachableCallbackUrl = "https://callback.invalid/partner";

/** Longer texts are neither references nor status words. */
const callbackTextMaxChars = 200;

/** Spec 6.1: `{statusCode, transactionRef, transactionId}`. */
export const readCollectionCallback: ReadCallback = (body) => {
  const [reference, word] = [textIn(body, "transactionRef"), textIn(body, "statusCode")];
  if (reference === undefined || word === undefined) return undefined;
  const outcome = outcomeOf(wordsIn(body, "spec 3"), body);
  return { reference, transactionId: idIn(body, "transactionId"), word, outcome };
};

/** Spec 6.3 is silent: the whole record of an older API, `{partnerReference, status, statusCode, …}`. */
export const readRemittanceCallback: ReadCallback = (body) => {
  const reference = textIn(body, "partnerReference");
  const said = wordsIn(body, "remittance");
  const [word] = said.words;
  if (reference === undefined || word === undefined) return undefined;
  if (said.words.some((one) => one.length > callbackTextMaxChars)) return undefined;
  const words = said.meaning === "torn" || said.meaning === "strange" ? said.words.join(" and ") : word;
  return { reference, transactionId: null, word: words, outcome: outcomeOf(said, body) };
};

/** An undocumented word decides nothing by itself; next to a final word, it makes the outcome unknown. */
function outcomeOf({ words, meaning }: Said, body: JsonObject): Callback["outcome"] {
  if (meaning === "torn") return "unknown";
  if (meaning === "none" || meaning === "as documented") return undefined;
  if (meaning === "strange") return words.length > 1 && saysFinal(body) ? "unknown" : undefined;
  if (meaning === "pending") return meaning;
  if (meaning === "accepted" && isFailure(body)) return "unknown";
  // An earlier order under this reference may have moved money.
  if (meaning === "refused" && (saysDuplicate(body) || body["success"] === true)) return "unknown";
  return wordAgainst(body, [meaning]) === undefined ? meaning : "unknown";
}

function saysFinal(body: JsonObject): boolean {
  return wordAgainst(body, ["pending"]) !== undefined;
}

/**
 * An id as text; `""` where it is missing. A value that isn't text, or is too long, becomes text that matches no id of
 * ours.
 */
function idIn(body: JsonObject, name: string): string {
  const value = body[name];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.slice(0, callbackTextMaxChars + 1) : JSON.stringify(value);
}

function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" && value.length <= callbackTextMaxChars ? value : undefined;
}
