import type { JsonObject } from "../values/json.ts";
import { Numeral } from "../values/json.ts";

/** What a word of the service says of an order's money. */
export type Meaning = "accepted" | "pending" | "refused" | "reversed" | "unknown";

/** Words and what they mean; `as documented` is what a success without any word means. */
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
 * Spec is silent on a remittance's words (2.1, 6.3): those of older versions of the service, and those of section 3,
 * which mean the same here. `SUCCESS` says no more than that the request arrived.
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

/** What a status word of section 3 means; undefined for one that nobody documented. */
export function meaningOf(word: string): Meaning | "as documented" | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

/** What a word of a remittance means, whatever the case of its letters; undefined for one that nobody documented. */
export function remittanceMeaningOf(word: string): Meaning | undefined {
  // Beyond ASCII other letters have these as their capitals.
  const known = /^[A-Za-z_]+$/.test(word) ? word.toUpperCase() : "";
  const meaning = Object.hasOwn(remittanceWords, known) ? remittanceWords[known] : undefined;
  return meaning === "as documented" ? undefined : meaning;
}

/** What an answer or a callback says by its words. */
export interface Said {
  /** The words as they came; none where it carries none. */
  readonly words: readonly string[];
  /** `none`: it carries no word; `strange`: one that nobody documented, or no text at all; `torn`: two that differ. */
  readonly meaning: Meaning | "as documented" | "none" | "strange" | "torn";
}

/** How the words of an answer are read: those of section 3 from `statusCode`, a remittance's from two fields. */
export type Reading = "spec 3" | "remittance";

/** How the words about an order of this kind are read. */
export function readingOf(kind: string): Reading {
  return kind === "remit" ? "remittance" : "spec 3";
}

/** Reads the words that say how an order stands. In errors `statusCode` is a number, in successes a word or 2xx. */
export function wordsIn(document: JsonObject, reading: Reading): Said {
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
 * A word of section 3 or of a remittance beside those that count, which says otherwise: undefined where there is none.
 * What nobody documented says nothing.
 */
export function wordAgainst(document: JsonObject, outcomes: readonly Meaning[]): string | undefined {
  return ["status", "statusCode", "reason"]
    .flatMap((name) => wordAt(document, name))
    .find((word) => {
      const meaning = remittanceMeaningOf(word);
      return meaning !== undefined && !outcomes.includes(meaning);
    });
}

/** A numeral of 2xx repeats the HTTP status and is no word; whatever else isn't text stands for a word that is not known. */
function wordAt(document: JsonObject, name: string): string[] {
  const value = document[name];
  if (value === undefined || value === null || value === "") return [];
  if (typeof value === "string") return [value];
  if (value instanceof Numeral) return /^2\d\d$/.test(value.text) ? [] : [value.text];
  return [typeof value === "boolean" ? String(value) : "an object"];
}
