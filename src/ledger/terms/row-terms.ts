import { tagOf } from "../../contract/narration-tag.ts";
import { textIn } from "../../statements/entry.ts";
import type { JsonObject } from "../../values/json.ts";
import { folded } from "../../values/text/folded.ts";
import type { RowFacts } from "../row-facts.ts";
import { namesIn, withoutSuffix } from "./names.ts";
import type { Sought, Term } from "./term.ts";
import { amountText, termOf } from "./term.ts";
import { textTerms } from "./text-terms.ts";

/** Characters that are case-folded one by one. */
const plain = /^[\0-~]*$/;

/** The texts that a row can be found by; empty where the row has none. */
export interface FindableTexts {
  readonly reference: string;
  readonly narration: string;
  readonly description: string;
  readonly paymentReference: string;
  readonly transactionId: string;
  /** Spec 2.3: who paid, by name and number. */
  readonly payerNumber: string;
  readonly payerName: string;
  /** The reference of what a fee is for; empty for other rows. */
  readonly feeOf: string;
  /** As `amountText` gives it; empty without an amount, or for zero. */
  readonly amount: string;
}

/** What a row can be found by, besides its account's number. */
export interface FindableRow {
  /** References and ids; empty where it has none. */
  readonly ids: readonly string[];
  readonly aliases: readonly string[];
  /** What a person wrote. */
  readonly words: readonly string[];
  readonly parties: readonly string[];
  readonly amount: string;
}

export function findableTexts(row: JsonObject, facts: RowFacts): FindableTexts {
  const { reference, narration, paymentReference, feeOf, change } = facts;
  return {
    reference,
    narration,
    description: textIn(row, "description"),
    paymentReference,
    transactionId: textIn(row, "transactionId"),
    payerNumber: textIn(row, "senderAccountNo"),
    payerName: textIn(row, "senderAccountName"),
    feeOf,
    amount: change === undefined || change.isZero ? "" : amountText(change),
  };
}

export function findableBy(texts: FindableTexts): FindableRow {
  const { reference, narration, description, paymentReference, transactionId, payerNumber, payerName } = texts;
  return {
    ids: [texts.feeOf || reference, tagOf(narration), transactionId],
    aliases: [reference, paymentReference],
    words: [narration, description, paymentReference],
    parties: [payerNumber, payerName],
    amount: texts.amount,
  };
}

export function findableIn(row: JsonObject, facts: RowFacts): FindableRow {
  return findableBy(findableTexts(row, facts));
}

/** Adds every term of a row; some more than once. */
export function rowTerms({ ids, aliases, words, parties, amount }: FindableRow, add: (term: Term) => void): void {
  const [own] = ids;
  for (const id of ids) if (id !== "") idTerms(id, add);
  for (const alias of aliases) if (alias !== "" && alias !== own) idTerms(alias, add);
  for (const text of words) if (text !== "") textTerms(text, add);
  for (const text of parties) if (text !== "") textTerms(text, add);
  if (amount !== "") add(termOf("amount", amount));
}

/** Without the account's number, which is in each of its rows: an empty set means all rows. */
export function withoutAccount(sought: Sought, accountNo: string): Sought {
  const own = new Set<Term>();
  textTerms(accountNo, (term) => own.add(term));
  return sought.map((terms) => terms.filter((term) => !own.has(term)));
}

/** The terms of an id, with and without a fee's suffix, and of the id that it reverses. */
function idTerms(id: string, add: (term: Term) => void): void {
  const text = plain.test(id) ? id.toLowerCase() : folded(id);
  add(termOf("id", text));
  const parent = withoutSuffix(text);
  if (parent !== text) add(termOf("id", parent));
  if (/rev|rvsl/.test(text)) for (const name of namesIn("", [text])) add(termOf("word", name));
}
