import { Decimal } from "../../../values/money/decimal.ts";
import type { RowStores } from "../matching/sides.ts";
import { ExactSum } from "../../packing/amount-codes.ts";
import type { RowStore } from "../rows/row-store.ts";
import type { Class } from "../rows/verdicts.ts";
import { classes } from "../rows/verdicts.ts";
import type { StatementSums } from "../rows/statement-intake.ts";

/** The book's own balances at the period's beginning and end. */
export interface BookBalance {
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  /** What earlier months ignored, statement less book; undefined where that isn't known. */
  readonly ignoredBefore?: Decimal | undefined;
}

/**
 * The bank reconciliation: closing per statement, what is open, and closing per book. closing + inTransit − outstanding
 * − bankFirst − onlyInStatement + feesNotInBook + onlyInBook − differences − ignored − ignoredBefore − unexplained =
 * closingPerBook
 */
export interface ReconciledBalance {
  /** Null where no balance of the book is given; the movements of the period are compared then. */
  readonly closingPerBook: Decimal | null;
  /** Receipts that the book has and the statement not yet. */
  readonly inTransit: Decimal;
  /** Payments that the book has and the statement not yet; without sign. */
  readonly outstanding: Decimal;
  /** What the statement had before the book; credits above zero. */
  readonly bankFirst: Decimal;
  readonly feesNotInBook: Decimal;
  readonly onlyInStatement: Decimal;
  readonly onlyInBook: Decimal;
  /** Both together by class, in the classes' order: book less statement. */
  readonly alone: ReadonlyMap<Class, Decimal>;
  /** Statement less book, of rows that belong together. */
  readonly differences: Decimal;
  readonly ignored: Decimal;
  /** What earlier months ignored. */
  readonly ignoredBefore: Decimal;
  /** Null where the statement gives no balance to compare with the book's. */
  readonly unexplained: Decimal | null;
  /** False where the book's own two balances do not follow from its rows. */
  readonly bookAddsUp: boolean;
}

/** Puts every row that counts into one line of the reconciliation. */
export function balanceOf(sides: RowStores, sums: StatementSums, said: BookBalance): ReconciledBalance {
  const lines = linesOf(sides);
  const { statement, book } = sides;
  const { ignoredBefore = Decimal.zero } = said;
  const booked = totalOf(sides, book, (entry) => !book.isPerhaps(entry) || book.partnerOf(entry) !== undefined);
  const expected = said.opening?.add(booked);
  const closingPerBook = said.closing ?? expected ?? null;
  const explained = lines.inTransit
    .subtract(lines.outstanding)
    .subtract(lines.bankFirst)
    .subtract(lines.onlyInStatement)
    .add(lines.feesNotInBook)
    .add(lines.onlyInBook)
    .subtract(lines.differences)
    .subtract(lines.ignored)
    .subtract(ignoredBefore);
  const moved = totalOf(sides, statement, () => true);
  const { opening, closing } = sums;
  const change = opening === null || closing === null ? moved : closing.subtract(opening);
  const rest = closingPerBook === null ? change.subtract(moved) : closing?.add(explained).subtract(closingPerBook);
  const unexplained = rest ?? null;
  const bookAddsUp = said.closing === undefined || expected === undefined || said.closing.equals(expected);
  return { ...lines, ignoredBefore, closingPerBook, unexplained, bookAddsUp };
}

type Lines = Omit<ReconciledBalance, "ignoredBefore" | "closingPerBook" | "unexplained" | "bookAddsUp">;
type Line = Exclude<keyof Lines, "alone">;

function linesOf(sides: RowStores): Lines {
  const { statement, book, codes, span } = sides;
  const names = [
    "inTransit",
    "outstanding",
    "bankFirst",
    "feesNotInBook",
    "onlyInStatement",
    "onlyInBook",
    "differences",
    "ignored",
  ] as const satisfies readonly Line[];
  const totals = new Map<Line, ExactSum>(names.map((name) => [name, new ExactSum(codes)]));
  const alone = new Map(classes.map((name) => [name, new ExactSum(codes)]));
  const add = (line: Line, side: RowStore, row: number, sign: 1 | -1) => {
    const [amount, scale] = [side.amountOf(row), side.scaleOf(row)];
    totals.get(line)?.add(sign === 1 ? amount : codes.negative(amount), scale);
    if (line === "onlyInStatement" || line === "onlyInBook")
      alone.get(classOf(side, row))?.add(side === book ? amount : codes.negative(amount), scale);
  };
  for (let row = 0; row < statement.count; row += 1) {
    const line = statement.hasAmount(row) ? lineOfRow(sides, row) : undefined;
    if (line !== undefined && span.sideOf(statement.dayOf(row)) <= 0)
      add(line, statement, row, line === "feesNotInBook" ? -1 : 1);
  }
  for (let entry = 0; entry < book.count; entry += 1) {
    const line = lineOfEntry(sides, entry);
    if (line === undefined || span.sideOf(book.dayOf(entry)) > 0) continue;
    add(line, book, entry, line === "inTransit" || line === "onlyInBook" ? 1 : -1);
  }
  const valueOf = (name: Line) => totals.get(name)?.value ?? Decimal.zero;
  return {
    inTransit: valueOf("inTransit"),
    outstanding: valueOf("outstanding"),
    bankFirst: valueOf("bankFirst"),
    feesNotInBook: valueOf("feesNotInBook"),
    onlyInStatement: valueOf("onlyInStatement"),
    onlyInBook: valueOf("onlyInBook"),
    alone: new Map([...alone].map(([name, sum]) => [name, sum.value])),
    differences: valueOf("differences"),
    ignored: valueOf("ignored"),
  };
}

/** The class that a row is shown as; for a fee that was deducted, that of its row. */
function classOf(side: RowStore, row: number): Class {
  const verdict = side.verdictOf(row);
  const partner = verdict === "joined" ? side.partnerOf(row) : undefined;
  if (partner !== undefined) return classOf(side, partner);
  return verdict === undefined || verdict === "joined" ? "only in statement" : verdict;
}

/** The line of a row of the statement in the balance; undefined where no finding shows it. */
function lineOfRow(sides: RowStores, row: number): Line | undefined {
  const { statement, book } = sides;
  const verdict = statement.verdictOf(row);
  const partner = statement.partnerOf(row);
  if (verdict === "joined") {
    const line = partner === undefined ? undefined : lineOfRow(sides, partner);
    const isOpen = !isOver(sides, partner) && (statement.counts(row) || isBooked(sides, partner));
    return line === undefined && isOpen ? "differences" : line;
  }
  const isShown = statement.counts(row) || (partner !== undefined && book.counts(partner));
  if (!isShown) return undefined;
  if (verdict === "in transit") return statement.counts(row) ? "bankFirst" : undefined;
  if (verdict === "ignored") return "ignored";
  if (verdict === "fee not in book") return "feesNotInBook";
  return partner === undefined || book.isSettled(partner) ? "onlyInStatement" : "differences";
}

/**
 * True for a row from before the period whose entry is from before it, too: their difference was open when the period
 * began.
 */
function isOver({ statement, book, span }: RowStores, row: number | undefined): boolean {
  const entry = row === undefined ? undefined : statement.partnerOf(row);
  if (row === undefined || entry === undefined) return false;
  return span.sideOf(statement.dayOf(row)) < 0 && span.sideOf(book.dayOf(entry)) < 0;
}

/** True where the entry of a row is of the period: the book has the net amount of a fee only now. */
function isBooked({ statement, book }: RowStores, row: number | undefined): boolean {
  const entry = row === undefined ? undefined : statement.partnerOf(row);
  return entry !== undefined && book.counts(entry);
}

function lineOfEntry({ statement, book, codes }: RowStores, entry: number): Line | undefined {
  const partner = book.partnerOf(entry);
  const isShown = book.counts(entry) || (partner !== undefined && statement.counts(partner));
  // An entry that an earlier month was reconciled with is in its sums.
  if (!isShown || book.isSettled(entry) || (partner === undefined && book.isPerhaps(entry))) return undefined;
  const verdict = book.verdictOf(entry);
  if (verdict === "in transit") {
    if (!book.counts(entry)) return undefined;
    return codes.compare(book.amountOf(entry), 0) < 0 ? "outstanding" : "inTransit";
  }
  if (verdict === "ignored") return "ignored";
  return partner === undefined ? "onlyInBook" : "differences";
}

function totalOf({ codes }: RowStores, side: RowStore, isCounted: (row: number) => boolean): Decimal {
  const sum = new ExactSum(codes);
  for (let row = 0; row < side.count; row += 1)
    if (side.isInPeriod(row) && side.hasAmount(row) && isCounted(row)) sum.add(side.amountOf(row), side.scaleOf(row));
  return sum.value;
}
