import type { Decimal } from "../values/money/decimal.ts";

/** A row of a statement or of a book, as rules see it. */
export interface RuledRow {
  readonly in: "statement" | "book";
  readonly account: string;
  /** Credits are positive; undefined where there is no amount. */
  readonly amount: Decimal | undefined;
  readonly narration: string;
  readonly reference: string;
  readonly counterparty: string;
}

/** What a rule says of the rows that match it. */
export interface RuleEffect {
  /** The account of the books that such rows belong to. */
  readonly account?: string | undefined;
  /** They are fees. */
  readonly fee: boolean;
  /** They are fine without a counterpart. */
  readonly ignore: boolean;
  /** True to accept pairs in which the book has the amount less the fee. */
  readonly netOfFee: boolean;
  readonly label?: string | undefined;
}

/** One rule: which rows match it, and what it says of them. */
export interface Rule {
  /** Its place in the file, from 1. */
  readonly number: number;
  matches(row: RuledRow): boolean;
  readonly says: RuleEffect;
}

/** An ordered list of rules; the first that matches decides. */
export class Rules {
  readonly all: readonly Rule[];

  constructor(all: readonly Rule[]) {
    this.all = all;
  }

  /** The first rule that matches the row; undefined where none does. */
  ruleFor(row: RuledRow): Rule | undefined {
    return this.all.find((rule) => rule.matches(row));
  }
}
