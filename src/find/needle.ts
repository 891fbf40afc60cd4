import { hasWord } from "../evidence/expected-row.ts";
import { withoutSuffix } from "../ledger/terms/names.ts";
import type { Sought } from "../ledger/terms/term.ts";
import { amountTerm, amountText, idTerm, termOf } from "../ledger/terms/term.ts";
import { isWordUnit, wordTerms } from "../ledger/terms/text-terms.ts";
import { Decimal } from "../values/money/decimal.ts";
import { phoneNumberOf, phoneNumbersIn } from "../values/phone-numbers.ts";
import { folded } from "../values/text/folded.ts";
import type { TextHints } from "../values/text/text-hints.ts";
import { allHints, piecesOf } from "../values/text/text-hints.ts";
import type { Trace } from "./trace.ts";

/** Fewer characters of one of our ids could as well be a word. */
const idBeginningMinChars = 8;
/** The reference at the end of a narration, which is an id, not a word. */
const tag = /\[[^[\]]+\]$/;
const typedAmount = /^(?:[A-Z]{3}\s*)?[+-]?(\d{1,3}(?:[,'’\s]\d{3})+|\d+)(\.\d+)?(?:\s*[A-Z]{3}|\/[=-])?$/i;

/** The shortest beginning by which one of our ids is found. */
export function idBeginning(id: string): string {
  return id.slice(0, idBeginningMinChars);
}

/** What a person looks for: a reference, an id, a phone number, an amount, or words. Letter case never counts. */
export class Needle {
  readonly #id: string;
  readonly #phone: string | undefined;
  readonly #amount: Decimal | undefined;
  readonly #words: readonly string[];

  constructor(what: string) {
    const text = folded(what.trim());
    this.#id = withoutSuffix(text);
    this.#phone = phoneNumberOf(text);
    this.#amount = this.#phone === undefined ? amountIn(text) : undefined;
    this.#words = [...new Set(text.split(/\s+/))].filter((word) => word !== "");
  }

  /** Terms that everything it matches has, for an index. */
  get sought(): Sought {
    const words = this.#words.flatMap((word) => wordTerms(word));
    return [
      [idTerm(this.#id)],
      ...(this.#id.length < idBeginningMinChars ? [] : [[idTerm(idBeginning(this.#id))]]),
      ...(this.#phone === undefined ? [] : [[termOf("phone", this.#phone)]]),
      ...(this.#amount === undefined ? [] : [[amountTerm(this.#amount)]]),
      ...(this.#words.length === 0 ? [] : [words]),
    ];
  }

  /** The same as hints for texts. */
  get hints(): TextHints | undefined {
    return allHints([
      piecesOf(this.#id),
      ...(this.#phone === undefined ? [] : [{ phone: this.#phone }]),
      ...(this.#amount === undefined ? [] : [{ amount: amountText(this.#amount) }]),
      ...(this.#words.length === 0 ? [] : [piecesOf(...this.#words)]),
    ]);
  }

  meets(trace: Trace): boolean {
    const { ids, aliases, shortens, amounts, parties, words } = trace;
    const called = [...ids, ...aliases].map(folded);
    if (called.some((id) => withoutSuffix(id) === this.#id)) return true;
    if (this.#id.length >= idBeginningMinChars && shortens?.startsWith(this.#id) === true) return true;
    if (this.#amount !== undefined && amounts.some((amount) => this.#amount?.equals(amount))) return true;
    const text = folded([words.replace(tag, ""), ...parties].join("\n"));
    if (this.#phone !== undefined && phoneNumbersIn(text).has(this.#phone)) return true;
    return this.#words.length > 0 && this.#words.every((word) => holdsWord(text, word));
  }
}

/**
 * True where the text contains the word as a whole word: without a letter or digit next to it, and for words with
 * digits, such as references, without a hyphenated part either.
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
  return isWordUnit(one) && isWordUnit(other);
}

/** `5,000`, `5 000.00`, `TZS 5000`, `5000/=`; never with leading zeros, as phone numbers have. */
function amountIn(text: string): Decimal | undefined {
  const [, whole = "", decimals = ""] = typedAmount.exec(text) ?? [];
  const digits = whole.replaceAll(/[,'’\s]/g, "");
  return digits === "" || /^0\d/.test(digits) ? undefined : Decimal.parse(digits + decimals);
}
