/** Several rows of one side that make up one row of the other, by that row. */
export class Parts {
  /** Rows of the statement, by the entry that they make up. */
  readonly rows = new Map<number, readonly number[]>();
  /** Entries of the book, by the row that they make up. */
  readonly entries = new Map<number, readonly number[]>();
}
