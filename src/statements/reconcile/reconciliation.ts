import type { Row } from "../../report/report.ts";
import type { Period } from "../../values/time/period.ts";
import type { Book } from "./book/book.ts";
import type { RowStores } from "./by-reference.ts";
import { compareRowStores } from "./result/comparison.ts";
import type { ClassTotal } from "./result/result.ts";
import { Result } from "./result/result.ts";
import { RowWriter } from "./result/result-row.ts";
import type { Source } from "./source.ts";
import type { DateWindow } from "./rows/date-window.ts";
import type { Sums } from "./rows/statement-intake.ts";

/** Rows of the result that are made at a time. */
const batchRows = 500;

/** A statement and a book, compared. */
export class Reconciliation {
  readonly accountNo: string;
  readonly period: Period;
  readonly sums: Sums;
  readonly totals: readonly ClassTotal[];
  readonly joinedFees: number;
  readonly sources: readonly Source[];
  /** Entries of the book that lie far from the period. */
  readonly far: number;
  readonly #result: Result;
  readonly #writer: RowWriter;

  constructor(accountNo: string, { sides, book, span, sums, sources }: ReconciliationParts) {
    this.accountNo = accountNo;
    this.period = span.period;
    this.sums = sums;
    this.sources = sources;
    this.far = book.far;
    const nearby = compareRowStores(sides, book.chains, span.windowDays);
    this.#result = new Result(sides, nearby);
    this.#writer = new RowWriter(sides, this.#result, book, span);
    this.totals = this.#result.totals();
    this.joinedFees = this.#result.joinedFees();
  }

  /** True when every row is matched and the statement adds up. */
  get agrees(): boolean {
    return this.sums.addsUp && this.exceptions.length === 0;
  }

  /** The classes that somebody has to look at, with their totals. */
  get exceptions(): readonly ClassTotal[] {
    return this.totals.filter(({ class: name, count }) => name !== "matched" && count > 0);
  }

  /** Exceptions first; as often as asked. */
  async *rows(): AsyncGenerator<readonly Row[]> {
    let batch: Row[] = [];
    for (const finding of this.#result.findings()) {
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
  readonly span: DateWindow;
  readonly sums: Sums;
  readonly sources: readonly Source[];
}
