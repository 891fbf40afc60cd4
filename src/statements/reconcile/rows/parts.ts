/** Several rows of one side that are one row of the other, by that one row. */
export class Parts {
  /** Rows of the statement, by the entry that they are together. */
  readonly rows = new Map<number, readonly number[]>();
  /** Entries of the book, by the row that they are together. */
  readonly entries = new Map<number, readonly number[]>();
}
