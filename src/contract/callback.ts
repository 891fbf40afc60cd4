import type { JsonObject } from "../values/json.ts";
import type { Meaning, Said } from "./status-words.ts";
import { wordAgainst, wordsIn } from "./status-words.ts";
import { isFailure } from "./verdict.ts";

/** What a callback says of a movement. It is unsigned: everything in it is a claim. */
export interface Callback {
  /** Our own reference. */
  readonly reference: string;
  /** The service's id of the transaction, `""` where it is missing; null where callbacks of this kind name none. */
  readonly transactionId: string | null;
  /** The status as it came; two words of it where they differ. */
  readonly word: string;
  /** Undefined for a word that nobody documented: it decides nothing. */
  readonly outcome: CallbackOutcome | "pending" | undefined;
}

/** A final word. `unknown` is one: an error while processing, or two words that contradict each other. */
export type CallbackOutcome = Exclude<Meaning, "pending">;

/** Reads a callback out of its body; undefined where the body is none. */
export type ReadCallback = (body: JsonObject) => Callback | undefined;

/**
 * Sent where nothing says who is to hear of the outcome: the field is required, and the address is nobody's (RFC 2606).
 * The status, or the statement, says what came of it then.
 */
export const nobodysCallbackUrl = "https://callback.invalid/partner";

/** Longer texts are neither references nor status words. */
const callbackTextMaxChars = 200;

/** Spec 6.1: `{statusCode, transactionRef, transactionId}`. */
export const readCollectionCallback: ReadCallback = (body) => {
  const [reference, word] = [textIn(body, "transactionRef"), textIn(body, "statusCode")];
  if (reference === undefined || word === undefined) return undefined;
  const outcome = outcomeOf(wordsIn(body, "spec 3"), body);
  return { reference, transactionId: textIn(body, "transactionId") ?? "", word, outcome };
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

/** A word that is not known decides nothing, unless it stands beside a final one: then nobody knows. */
function outcomeOf({ words, meaning }: Said, body: JsonObject): Callback["outcome"] {
  if (meaning === "torn") return "unknown";
  if (meaning === "none" || meaning === "as documented") return undefined;
  if (meaning === "strange") return words.length > 1 && saysFinal(body) ? "unknown" : undefined;
  if (meaning === "pending") return meaning;
  if (meaning === "accepted" && isFailure(body)) return "unknown";
  return wordAgainst(body, [meaning]) === undefined ? meaning : "unknown";
}

function saysFinal(body: JsonObject): boolean {
  return wordAgainst(body, ["pending"]) !== undefined;
}

function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" && value.length <= callbackTextMaxChars ? value : undefined;
}
