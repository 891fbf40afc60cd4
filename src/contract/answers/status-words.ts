import type { JsonObject } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";

/** What a status word says about an order's money. */
export type Meaning = "accepted" | "pending" | "refused" | "reversed" | "unknown";

/** Words and their meanings; `as documented` is the same as a success without any word. */
type Vocabulary = Readonly<Record<string, Meaning | "as documented">>;

/** Spec 3, and what occurs beyond it. Any other word is unknown. */
const words: Vocabulary = {
  SUCCESS: "as documented",
  PENDING_ACK: "pending",
  PENDING: "pending",
  PAYMENT_ACCEPTED: "accepted",
  PAYMENT_REJECTED: "refused",
  INSUFFICIENT_FUNDS: "refused",
  PROVIDER_FAILED: "refused",
  GENERIC_ERROR: "unknown",
  GENERIC_FAILURE: "unknown",
};

/**
 * Spec is silent on a remittance's words (2.1, 6.3): these are from older versions of the service, and from section 3,
 * with the same meaning. `SUCCESS` only means that the request arrived, so it isn't one of them.
 */
const remittanceWords: Vocabulary = {
  CREATED: "pending",
  SUBMITTED: "pending",
  WAITING_ACK: "pending",
  PENDING: "pending",
  PROCESSING: "pending",
  PENDING_ACK: "pending",
  COMPLETED: "accepted",
  PAYMENT_SUCCESS: "accepted",
  PAYMENT_ACCEPTED: "accepted",
  FAILED: "refused",
  PAYMENT_FAILED: "refused",
  INSUFFICIENT_BALANCE: "refused",
  INSUFFICIENT_FUNDS: "refused",
  PROVIDER_FAILURE: "refused",
  PROVIDER_FAILED: "refused",
  INVALID_ACCOUNT: "refused",
  CANCELED: "refused",
  CANCELLED: "refused",
  PAYMENT_CANCELED: "refused",
  REJECTED: "refused",
  PAYMENT_REJECTED: "refused",
  REVERSED: "reversed",
  GENERIC_ERROR: "unknown",
  GENERIC_FAILURE: "unknown",
};

/** The meaning of a status word of section 3; undefined for an undocumented one. */
export function meaningOf(word: string): Meaning | "as documented" | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/** The meaning of a status word of a remittance, in upper or lower case; undefined for an undocumented one. */
export function remittanceMeaningOf(word: string): Meaning | undefined {
  // The capitals of some other letters are ASCII.
  const known = /^[A-Za-z_]+$/.test(word) ? word.toUpperCase() : "";
  const meaning = Object.hasOwn(remittanceWords, known) ? remittanceWords[known] : undefined;
  return meaning === "as documented" ? undefined : meaning;
}

/** The status words of an answer or a callback. */
export interface Said {
  /** The words as received; empty where it has none. */
  readonly words: readonly string[];
  /** `none`: no word; `strange`: an undocumented word, or no text at all; `torn`: two words that differ. */
  readonly meaning: Meaning | "as documented" | "none" | "strange" | "torn";
}

/** How the words of an answer are read: those of section 3 from `statusCode`, a remittance's from two fields. */
export type StatusReading = "spec 3" | "remittance";

/** How the words about an order of this kind are read. */
export function readingOf(kind: string): StatusReading {
  return kind === "remit" ? "remittance" : "spec 3";
}

/** Reads the status words of an order. In errors `statusCode` is a number, in successes a word or 2xx. */
export function wordsIn(document: JsonObject, reading: StatusReading): Said {
  const fields = reading === "remittance" ? (["status", "statusCode"] as const) : (["statusCode"] as const);
  const found = fields.flatMap((name) => wordAt(document, name));
  const meanings = new Set(
    found.map((word) => (reading === "remittance" ? remittanceMeaningOf(word) : meaningOf(word))),
  );
  const [meaning, ...others] = meanings;
  if (found.length === 0) return { words: found, meaning: "none" };
  if (meanings.has(undefined)) return { words: found, meaning: "strange" };
  return { words: found, meaning: others.length > 0 ? "torn" : (meaning ?? "strange") };
}

/**
 * Another status word, of section 3 or of a remittance, that contradicts these outcomes; undefined where there is none.
 * Undocumented words are ignored.
 */
export function wordAgainst(document: JsonObject, outcomes: readonly Meaning[]): string | undefined {
  return ["status", "statusCode", "reason", "state", "responseCode", "code"]
    .flatMap((name) => wordAt(document, name))
    .find((word) => {
      const meaning = remittanceMeaningOf(word);
      return meaning !== undefined && !outcomes.includes(meaning);
    });
}

/** A 2xx number repeats the HTTP status and is ignored; any other value that isn't text counts as an unknown word. */
function wordAt(document: JsonObject, name: string): string[] {
  const value = document[name];
  if (value === undefined || value === null || value === "") return [];
  if (typeof value === "string") return [value];
  if (value instanceof Numeral) return /^2\d\d$/.test(value.text) ? [] : [value.text];
  return [typeof value === "boolean" ? String(value) : "an object"];
}
