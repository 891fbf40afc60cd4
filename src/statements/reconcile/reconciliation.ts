import type { Row } from "../../report/report.ts";
import type { Period } from "../../values/time/period.ts";
import type { Book } from "./book/book.ts";
import { compareRowStores } from "./matching/compare.ts";
import type { RowStores } from "./matching/sides.ts";
import { Remarks } from "./remarks.ts";
import type { ReconciledBalance, BookBalance } from "./result/balance.ts";
import { balanceOf } from "./result/balance.ts";
import type { ClassTotal, ResultRow } from "./result/result.ts";
import { Result } from "./result/result.ts";
import { RowWriter } from "./result/result-row.ts";
import type { Class } from "./rows/verdicts.ts";
import type { StatementSums } from "./rows/statement-intake.ts";
import type { Decisions } from "./decisions/decisions.ts";
import type { Ruling } from "./ruling.ts";
import type { ComparedSource } from "./source.ts";

/** Rows in a batch of the result. */
const batchRows = 500;
/** Classes that need no attention. */
const fine: ReadonlySet<Class> = new Set(["matched", "in transit", "ignored"]);

/** A statement and a book, compared. */
export class Reconciliation {
  readonly accountNo: string;
  readonly period: Period;
  readonly sums: StatementSums;
  readonly balance: ReconciledBalance;
  readonly totals: readonly ClassTotal[];
  readonly joinedFees: number;
  readonly sources: readonly ComparedSource[];
  /** How many entries of the book are far from the period. */
  readonly far: number;
  readonly result: Result;
  readonly sides: RowStores;
  /** People's decisions that no longer fit, in words. */
  readonly misfits: readonly string[];
  readonly #writer: RowWriter;
  readonly #ruling: Ruling | undefined;
  /** How many findings are net of their fee where a rule allows that. */
  readonly #allowedNet: number;

  constructor(accountNo: string, parts: ReconciliationParts) {
    const { sides, book, sums, sources, bookBalance, ruling, decisions, remarks = new Remarks() } = parts;
    this.accountNo = accountNo;
    this.period = sides.span.period;
    this.sums = sums;
    this.sources = sources;
    this.sides = sides;
    this.far = book.far;
    this.#ruling = ruling;
    this.misfits = decisions?.apply(sides, remarks) ?? [];
    const nearby = compareRowStores(sides, book.chains, (fees) => ruling?.apply(sides, fees, remarks));
    this.result = new Result(sides, nearby);
    this.#writer = new RowWriter(sides, this.result, book, remarks);
    this.balance = balanceOf(sides, sums, bookBalance ?? { opening: undefined, closing: undefined });
    this.totals = this.result.totals();
    this.#allowedNet = ruling === undefined ? 0 : this.result.count((finding) => ruling.allows(finding));
    this.joinedFees = this.result.joinedFees();
  }

  /** True when book and bank agree: nothing is left to look at, and nothing unexplained. */
  get agrees(): boolean {
    const { unexplained, bookAddsUp } = this.balance;
    const isExplained = bookAddsUp && unexplained?.isZero === true;
    return this.sums.addsUp && isExplained && this.exceptions.length === 0 && this.misfits.length === 0;
  }

  /** The classes that need attention, with their totals. */
  get exceptions(): readonly ClassTotal[] {
    return this.totals
      .filter(({ class: name }) => !fine.has(name))
      .map((total) => (total.class === "net of fee" ? { ...total, count: total.count - this.#allowedNet } : total))
      .filter(({ count }) => count > 0);
  }

  /** True where a rule allows the finding. */
  isAllowed(finding: ResultRow): boolean {
    return this.#ruling?.allows(finding) === true;
  }

  row(finding: ResultRow): Row {
    return this.#writer.row(finding);
  }

  /** Exceptions first; may be called more than once. */
  async *rows(): AsyncGenerator<readonly Row[]> {
    let batch: Row[] = [];
    for (const finding of this.result.findings()) {
      batch.push(this.#writer.row(finding));
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

export interface ReconciliationParts {
  readonly sides: RowStores;
  readonly book: Book;
  readonly sums: StatementSums;
  readonly sources: readonly ComparedSource[];
  readonly bookBalance?: BookBalance | undefined;
  readonly remarks?: Remarks | undefined;
  readonly ruling?: Ruling | undefined;
  /** People's decisions; applied before anything is compared. */
  readonly decisions?: Decisions | undefined;
}
