import { folded } from "../../values/text/folded.ts";
import { phoneMinDigits, phoneNumbersIn } from "../../values/phone-numbers.ts";
import { namedIdMinChars, namesIn } from "./names.ts";
import type { Term } from "./term.ts";
import { further, starts, termFrom, termOf } from "./term.ts";

/** Kinds of UTF-16 units. */
const [unknown, blank, letter, digit, connector, symbol] = [0, 1, 2, 3, 4, 5];
const kinds = new Uint8Array(2 ** 16);
/** Below U+0300 letters are case-folded one by one; U+0130 becomes two. */
const plainEnd = 0x300;
const notPlain = /[^\0-\u012f\u0131-\u02ff]/;
const small = Uint16Array.from({ length: plainEnd }, (_, unit) =>
  String.fromCharCode(unit).toLowerCase().charCodeAt(0),
);
/** Characters that can separate the digits of a phone number. */
const phoneGaps = new Set(Array.from(" ().-+", (character) => character.charCodeAt(0)));
/** Words that need a closer check: reversals, and letters of two units. */
const unusual = /rev|rvsl|[\ud800-\udfff]/i;

/** True for a letter or digit: a search is split into words by it. */
export function isWordUnit(character: string): boolean {
  const kind = kindOf(character.charCodeAt(0));
  return kind === letter || kind === digit;
}

/**
 * Adds what a text that a person wrote can be found by: each run of letters and digits, each id with connectors in it,
 * each symbol, and each phone number.
 */
export function textTerms(given: string, add: (term: Term) => void): void {
  const text = notPlain.test(given) ? folded(given) : given;
  let [run, name]: [number, number] = [starts.word, starts.word];
  let [runLength, nameStart, phoneDigits, hasConnector, hasDigit, hasPhone] = [0, 0, 0, false, false, false];
  const endName = (end: number) => {
    if (hasConnector && hasDigit && end - nameStart >= namedIdMinChars) add(termFrom(name));
    [name, nameStart, hasConnector, hasDigit] = [starts.word, end + 1, false, false];
  };
  for (let at = 0; at < text.length; at += 1) {
    const given = text.charCodeAt(at);
    const unit = given < plainEnd ? (small[given] ?? given) : given;
    const kind = kinds[unit] || kindOf(unit);
    if (unit >= 48 && unit <= 57) {
      phoneDigits += 1;
      if (phoneDigits >= phoneMinDigits) hasPhone = true;
    } else if (phoneDigits > 0 && !phoneGaps.has(unit)) phoneDigits = 0;
    if (kind === letter || kind === digit) {
      run = further(run, unit);
      name = further(name, unit);
      runLength += 1;
      if (kind === digit) hasDigit = true;
      continue;
    }
    if (runLength > 0) {
      add(termFrom(run));
      [run, runLength] = [starts.word, 0];
    }
    if (kind === connector) {
      name = further(name, unit);
      hasConnector = true;
    } else endName(at);
    if (kind !== blank) add(termFrom(further(starts.symbol, unit)));
  }
  if (runLength > 0) add(termFrom(run));
  endName(text.length);
  if (hasPhone) for (const phone of phoneNumbersIn(folded(given))) add(termOf("phone", phone));
  if (unusual.test(text)) for (const each of namesIn(text, [])) add(termOf("word", each));
}

/** The terms of the runs of letters and digits in a text; without any, of its symbols. */
export function wordTerms(text: string): readonly Term[] {
  const [words, symbols]: [Term[], Term[]] = [[], []];
  let run = "";
  for (const unit of `${text} `.split("")) {
    if (isWordUnit(unit)) {
      run += unit;
      continue;
    }
    if (run !== "") words.push(termOf("word", run));
    run = "";
    if (kindOf(unit.charCodeAt(0)) !== blank) symbols.push(termOf("symbol", unit));
  }
  return words.length > 0 ? words : symbols;
}

function kindOf(unit: number): number {
  const known = kinds[unit] ?? unknown;
  if (known !== unknown) return known;
  const character = String.fromCharCode(unit);
  const kind = /\s/.test(character)
    ? blank
    : /\d/.test(character)
      ? digit
      : /[\p{L}\p{N}]/u.test(character)
        ? letter
        : /[_/-]/.test(character)
          ? connector
          : symbol;
  kinds[unit] = kind;
  return kind;
}
