import type { Row } from "../../report/report.ts";
import type { Period } from "../../values/time/period.ts";
import type { Book } from "./book/book.ts";
import { compareRowStores } from "./matching/compare.ts";
import type { RowStores } from "./matching/sides.ts";
import { Remarks } from "./remarks.ts";
import type { Balance, BookBalance } from "./result/balance.ts";
import { balanceOf } from "./result/balance.ts";
import type { ClassTotal, Finding } from "./result/result.ts";
import { Result } from "./result/result.ts";
import { RowWriter } from "./result/result-row.ts";
import type { Class } from "./rows/row-store.ts";
import type { Sums } from "./rows/statement-intake.ts";
import type { Source } from "./source.ts";

/** Rows of the result that are made at a time. */
const batchRows = 500;
/** What nobody has to look at. */
const fine: ReadonlySet<Class> = new Set(["matched", "in transit", "ignored"]);

/** A statement and a book, compared. */
export class Reconciliation {
  readonly accountNo: string;
  readonly period: Period;
  readonly sums: Sums;
  readonly balance: Balance;
  readonly totals: readonly ClassTotal[];
  readonly joinedFees: number;
  readonly sources: readonly Source[];
  /** Entries of the book that lie far from the period. */
  readonly far: number;
  readonly result: Result;
  readonly sides: RowStores;
  readonly #writer: RowWriter;

  constructor(accountNo: string, parts: ReconciliationParts) {
    const { sides, book, sums, sources, bookBalance, remarks = new Remarks() } = parts;
    this.accountNo = accountNo;
    this.period = sides.span.period;
    this.sums = sums;
    this.sources = sources;
    this.sides = sides;
    this.far = book.far;
    const nearby = compareRowStores(sides, book.chains);
    this.result = new Result(sides, nearby);
    this.#writer = new RowWriter(sides, this.result, book, remarks);
    this.balance = balanceOf(sides, sums, bookBalance ?? { opening: undefined, closing: undefined });
    this.totals = this.result.totals();
    this.joinedFees = this.result.joinedFees();
  }

  /** True when book and bank agree: nothing is left to look at, and nothing unexplained. */
  get agrees(): boolean {
    const { unexplained, bookAddsUp } = this.balance;
    return this.sums.addsUp && bookAddsUp && unexplained?.isZero === true && this.exceptions.length === 0;
  }

  /** The classes that somebody has to look at, with their totals. */
  get exceptions(): readonly ClassTotal[] {
    return this.totals.filter(({ class: name, count }) => !fine.has(name) && count > 0);
  }

  row(finding: Finding): Row {
    return this.#writer.row(finding);
  }

  /** Exceptions first; as often as asked. */
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
  readonly sums: Sums;
  readonly sources: readonly Source[];
  readonly bookBalance?: BookBalance | undefined;
  readonly remarks?: Remarks | undefined;
}
