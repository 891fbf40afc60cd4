import type { JsonObject } from "../values/json.ts";
import { meaningOf } from "./verdict.ts";

/** What a callback says of a movement. It is unsigned: everything in it is somebody's claim. */
export interface Callback {
  /** Our own reference. */
  readonly reference: string;
  /** The service's id of the transaction, `""` where it is missing; null where callbacks of this kind name none. */
  readonly transactionId: string | null;
  /** The status as it came. */
  readonly word: string;
  /** Undefined for a word that nobody documented: it decides nothing. */
  readonly outcome: CallbackOutcome | "pending" | undefined;
}

/** A final word. `unknown` is one: an error while processing, after which nothing more is said. */
export type CallbackOutcome = "accepted" | "refused" | "unknown";

/** Reads a callback out of its body; undefined where the body is none. */
export type ReadCallback = (body: JsonObject) => Callback | undefined;

/** Longer texts are neither references nor status words. */
const callbackTextMaxChars = 200;

/** Spec 6.1: `{statusCode, transactionRef, transactionId}`. */
export const readCollectionCallback: ReadCallback = (body) => {
  const [reference, word] = [textIn(body, "transactionRef"), textIn(body, "statusCode")];
  if (reference === undefined || word === undefined) return undefined;
  const meaning = meaningOf(word);
  const outcome = meaning === "as documented" ? undefined : meaning;
  return { reference, transactionId: textIn(body, "transactionId") ?? "", word, outcome };
};

/** Spec is silent: the states of an older API of the same service. REVERSED is money that came back. */
const remittanceStates: Readonly<Record<string, CallbackOutcome | "pending">> = {
  CREATED: "pending",
  SUBMITTED: "pending",
  WAITING_ACK: "pending",
  COMPLETED: "accepted",
  FAILED: "refused",
  REVERSED: "refused",
  CANCELED: "refused",
};

/** Spec 6.3 is silent: the whole record of an older API, `{partnerReference, status, …}`. */
export const readRemittanceCallback: ReadCallback = (body) => {
  const [reference, word] = [textIn(body, "partnerReference"), textIn(body, "status")];
  if (reference === undefined || word === undefined) return undefined;
  const outcome = Object.hasOwn(remittanceStates, word) ? remittanceStates[word] : undefined;
  return { reference, transactionId: null, word, outcome };
};

function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" && value.length <= callbackTextMaxChars ? value : undefined;
}
