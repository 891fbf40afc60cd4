import type { Decimal } from "../values/money/decimal.ts";

interface Booked<Row> {
  readonly row: Row;
  readonly change: Decimal;
  readonly at: string;
  /** True for a row after one that reversed an earlier row. */
  readonly isAgain: boolean;
}

/**
 * The rows of one payment in one account, in the statement's order. Each row stands, or reverses an earlier row of
 * the same amount. A row against the payment with nothing before it to reverse is astray: it may belong to another
 * payment, or reverse a row before the first one.
 */
export class Course<Row> {
  readonly #ownSign: number | undefined;
  #standing: Booked<Row>[] = [];
  #astray: Booked<Row>[] = [];
  readonly #backs: Row[] = [];

  /** @param ownSign the sign of the payment in this account, 1 or -1; undefined if unknown */
  constructor(ownSign: number | undefined) {
    this.#ownSign = ownSign;
  }

  /** @param at the booking time as the statement has it; rows with the same time can be in any order */
  add(row: Row, change: Decimal, at: string): void {
    if (change.isZero) return;
    const booked = { row, change, at, isAgain: this.#backs.length > 0 };
    const isOwn = change.sign === this.#ownSign;
    const paid = isOwn ? undefined : lastOpposite(this.#standing, change);
    const back = isOwn ? lastOpposite(this.#astray, change, at) : undefined;
    if (paid !== undefined) {
      this.#standing = this.#standing.filter((each) => each !== paid);
      this.#backs.push(row);
    } else if (back !== undefined) {
      this.#astray = this.#astray.filter((each) => each !== back);
      this.#backs.push(back.row);
    } else if (isOwn || this.#ownSign === undefined) this.#standing.push(booked);
    else this.#astray.push(booked);
  }

  /** Rows that nothing reversed, the oldest first. */
  get standing(): readonly Row[] {
    return this.#standing.map(({ row }) => row);
  }

  /** Rows that reversed an earlier one. */
  get backs(): readonly Row[] {
    return this.#backs;
  }

  get astray(): readonly Row[] {
    return this.#astray.map(({ row }) => row);
  }

  /** The last row that stands and came after one that reversed an earlier row. */
  get again(): Row | undefined {
    return this.#standing.findLast(({ isAgain }) => isAgain)?.row;
  }
}

function lastOpposite<Row>(booked: readonly Booked<Row>[], change: Decimal, at?: string): Booked<Row> | undefined {
  const opposite = change.negate();
  return booked.findLast((each) => each.change.equals(opposite) && (at === undefined || each.at === at));
}
