import type { Decimal } from "../../../values/money/decimal.ts";
import { ExactSum } from "../../packing/amount-codes.ts";
import type { PossiblePairs } from "../matching/by-amount.ts";
import type { RowStores } from "../matching/sides.ts";
import { compareRows } from "../matching/sides.ts";
import type { Class, RowVerdict } from "../rows/verdicts.ts";
import { classes, joined } from "../rows/verdicts.ts";

/** Classes that need attention come first, agreeing ones last. */
const exceptionsFirst: readonly Class[] = [
  "differing",
  "only in statement",
  "only in book",
  "fee not in book",
  "duplicate",
  "orphan fee",
  "ambiguous",
  "probable",
  "net of fee",
  "in transit",
  "ignored",
  "matched",
];

/**
 * A row of the result: a row of the statement, of the book, or one of each; or several that make up one of the other
 * side.
 */
export interface ResultRow {
  readonly class: Class;
  readonly row: number | undefined;
  readonly entry: number | undefined;
  /** All rows of the statement, where there are several; `row` is the first. */
  readonly rows?: readonly number[] | undefined;
  /** All entries of the book, where there are several; `entry` is the first. */
  readonly entries?: readonly number[] | undefined;
}

/** The number of findings in a class, and their sums on each side. */
export interface ClassTotal {
  readonly class: Class;
  readonly count: number;
  readonly statement: Decimal;
  readonly book: Decimal;
}

/** The findings of the comparison, in order of output. */
export class Result {
  readonly #sides: RowStores;
  readonly #nearby: PossiblePairs;
  /** Rows of the statement that a note names as candidates; they are not listed again. */
  readonly #named: Uint8Array;
  readonly #entries: ReadonlyMap<RowVerdict, Int32Array>;
  /** The verdicts that rows of the statement have; most classes have no rows. */
  readonly #verdicts = new Set<RowVerdict>();

  constructor(sides: RowStores, nearby: PossiblePairs) {
    this.#sides = sides;
    this.#nearby = nearby;
    for (let row = 0; row < sides.statement.count; row += 1) this.#verdicts.add(sides.statement.verdictOf(row));
    this.#entries = this.#aloneInBook();
    const ambiguous = this.#entries.get("ambiguous") ?? [];
    this.#named = new Uint8Array(ambiguous.length === 0 ? 0 : sides.statement.count);
    for (const entry of ambiguous) for (const row of nearby.inStatement.namedFor(entry)) this.#named[row] = 1;
  }

  /** Within a class the statement's rows in their order, then those of the book by day, reference and amount. */
  *findings(): Generator<ResultRow> {
    const { statement, parts } = this.#sides;
    for (const name of exceptionsFirst) {
      const entries = this.#entries.get(name) ?? [];
      // Ambiguous findings are listed by the book's rows, which name their candidates; the others follow.
      if (name === "ambiguous") for (const entry of entries) yield { class: name, row: undefined, entry };
      const rowsCount = this.#verdicts.has(name) ? statement.count : 0;
      for (let row = 0; row < rowsCount; row += 1) {
        if (statement.verdictOf(row) !== name || !this.#isShown(row)) continue;
        const entry = statement.partnerOf(row);
        const rows = entry === undefined || parts.rows.size === 0 ? undefined : parts.rows.get(entry);
        if (rows !== undefined && rows[0] !== row) continue;
        yield { class: name, row, entry, rows, entries: parts.entries.get(row) };
      }
      if (name !== "ambiguous") for (const entry of entries) yield { class: name, row: undefined, entry };
    }
  }

  count(isSo: (finding: ResultRow) => boolean): number {
    let count = 0;
    for (const finding of this.findings()) if (isSo(finding)) count += 1;
    return count;
  }

  /** Rows of the statement that notes of the book's rows name. */
  *namedRows(): Generator<number> {
    for (let row = 0; row < this.#named.length; row += 1) if (this.#named[row] === 1) yield row;
  }

  /** All classes, in the order of the contract. Items in transit count on their own side. */
  totals(): readonly ClassTotal[] {
    const { statement, book, codes } = this.#sides;
    const sums = new Map(
      classes.map((name) => [name, { count: 0, statement: new ExactSum(codes), book: new ExactSum(codes) }]),
    );
    for (const finding of this.findings()) {
      const sum = sums.get(finding.class);
      if (sum === undefined) continue;
      sum.count += 1;
      const { row, entry, rows, entries } = finding;
      if (row !== undefined && this.shows(finding, "statement"))
        for (const one of rows ?? [row])
          if (statement.hasAmount(one)) sum.statement.add(statement.amountOf(one), statement.scaleOf(one));
      if (entry !== undefined && this.shows(finding, "book"))
        for (const one of entries ?? [entry]) sum.book.add(book.amountOf(one), book.scaleOf(one));
    }
    // Candidates are listed in notes: which one matches is not known, but their money counts.
    for (const row of this.namedRows())
      if (statement.counts(row)) sums.get("ambiguous")?.statement.add(statement.amountOf(row), statement.scaleOf(row));
    return [...sums].map(([name, sum]) => ({
      class: name,
      count: sum.count,
      statement: sum.statement.value,
      book: sum.book.value,
    }));
  }

  /** Whether a finding shows the amount of a side: items in transit count on their own side only. */
  shows({ class: name, row, entry }: ResultRow, side: "statement" | "book"): boolean {
    if (name !== "in transit") return true;
    const { statement, book } = this.#sides;
    return side === "statement"
      ? row !== undefined && statement.counts(row)
      : entry !== undefined && book.counts(entry);
  }

  /** How many fees of the period are joined to their payment. */
  joinedFees(): number {
    const { statement } = this.#sides;
    let count = 0;
    for (let row = 0; row < statement.count; row += 1)
      if (statement.isInPeriod(row) && statement.verdictOf(row) === joined) count += 1;
    return count;
  }

  /** The entries that may belong to a row of the statement, or the other way round: how many, and the first of them. */
  candidatesOf({ row, entry }: ResultRow): { readonly count: number; readonly named: readonly number[] } {
    const { inStatement, inBook } = this.#nearby;
    if (entry !== undefined) return { count: inStatement.countFor(entry), named: inStatement.namedFor(entry) };
    return row === undefined ? { count: 0, named: [] } : { count: inBook.countFor(row), named: inBook.namedFor(row) };
  }

  /** Rows around the period can only be matched: they are shown where their other half is within it. */
  #isShown(row: number): boolean {
    const { statement, book } = this.#sides;
    const entry = statement.partnerOf(row);
    if (entry !== undefined) return statement.counts(row) || book.counts(entry);
    return statement.counts(row) && this.#named[row] !== 1;
  }

  /** Entries without a row in the statement, by verdict. */
  #aloneInBook(): ReadonlyMap<RowVerdict, Int32Array> {
    const { book } = this.#sides;
    const found = new Map<RowVerdict, number[]>();
    for (let entry = 0; entry < book.count; entry += 1) {
      if (book.partnerOf(entry) !== undefined || !book.counts(entry) || book.isPerhaps(entry)) continue;
      const verdict = book.verdictOf(entry);
      const others = found.get(verdict);
      if (others === undefined) found.set(verdict, [entry]);
      else others.push(entry);
    }
    const compare = (a: number, b: number) => compareRows(this.#sides, book, a, b);
    return new Map([...found].map(([verdict, entries]) => [verdict, Int32Array.from(entries).sort(compare)]));
  }
}
