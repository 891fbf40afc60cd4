import { feeSuffixes } from "../contract/fee-row.ts";
import { hasWord } from "../evidence/trial.ts";
import { Decimal } from "../values/money/decimal.ts";
import { findMsisdn } from "../values/msisdn.ts";
import type { Trace } from "./trace.ts";

/** An id that a person shortens to fewer characters is as likely a word. */
const idBeginningMinChars = 8;
/** Digits with what people put between them. */
const phoneInText = /\+?\d[\d ().-]{7,18}\d/g;
/** The reference at the end of a narration, which is an id and no word. */
const tag = /\[[^[\]]+\]$/;
const separators = /[\s().-]/g;
const typedAmount = /^(?:[A-Z]{3}\s*)?[+-]?(\d{1,3}(?:[,' ]\d{3})+|\d+)(\.\d+)?(?:\s*[A-Z]{3}|\/[=-])?$/i;

/** What a person looks for: a reference, an id, a phone number, an amount, or words. Letter case never counts. */
export class Needle {
  readonly #id: string;
  readonly #phone: string | undefined;
  readonly #amount: Decimal | undefined;
  readonly #words: readonly string[];

  constructor(what: string) {
    const text = folded(what.trim());
    this.#id = withoutSuffix(text);
    this.#phone = phoneOf(text);
    this.#amount = this.#phone === undefined ? amountIn(text) : undefined;
    this.#words = [...new Set(text.split(/\s+/))].filter((word) => word !== "");
  }

  meets(trace: Trace): boolean {
    const { ids, aliases, amounts, parties, words } = trace;
    const called = [...ids, ...aliases].map(folded);
    if (called.some((id) => withoutSuffix(id) === this.#id)) return true;
    if (this.#id.length >= idBeginningMinChars && called.some((id) => id.startsWith(this.#id))) return true;
    if (this.#amount !== undefined && amounts.some((amount) => this.#amount?.equals(amount))) return true;
    const text = folded([words.replace(tag, ""), ...parties].join("\n"));
    if (this.#phone !== undefined && phonesIn(text).has(this.#phone)) return true;
    return this.#words.length > 0 && this.#words.every((word) => holdsWord(text, word));
  }
}

/** As it counts for a search: without regard to letter case, and however its accents are put together. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The reference of what a fee is for. */
export function withoutSuffix(id: string): string {
  const suffix = feeSuffixes.find((ending) => id.endsWith(folded(ending))) ?? "";
  return id.slice(0, id.length - suffix.length);
}

/**
 * True where the word stands in the text by itself: no letter or digit goes on before or behind it, and none behind a
 * hyphen where it has digits, as references do.
 */
function holdsWord(text: string, word: string): boolean {
  if (/\d/.test(word)) return hasWord(text, word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isOpen = goesOn(text.charAt(at - 1), word.charAt(0));
    if (!isOpen && !goesOn(word.charAt(word.length - 1), text.charAt(at + word.length))) return true;
  }
  return false;
}

function goesOn(one: string, other: string): boolean {
  return isWordPart(one) && isWordPart(other);
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function phonesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(phoneInText)].flatMap(([number]) => phoneOf(number) ?? []));
}

/** `255712345678` for every way of writing it; Kenyan numbers with their country's digits. */
function phoneOf(text: string): string | undefined {
  const digits = text.replaceAll(separators, "").replace(/^\+?2550/, "255");
  const kenyan = /^(?:\+|00)?(254\d{9})$/.exec(digits)?.[1];
  return kenyan ?? findMsisdn(digits);
}

/** `5,000`, `5 000.00`, `TZS 5000`, `5000/=`; never what begins with a zero that a number has. */
function amountIn(text: string): Decimal | undefined {
  const [, whole = "", decimals = ""] = typedAmount.exec(text) ?? [];
  const digits = whole.replaceAll(/[,' ]/g, "");
  return digits === "" || /^0\d/.test(digits) ? undefined : Decimal.parse(digits + decimals);
}
