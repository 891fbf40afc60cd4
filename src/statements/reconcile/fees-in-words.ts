/** Fees without a parent, repeated ones, and those that the book has as well, are rows of the result. */
export function feesInWords(count: number, joined: number): string {
  const others = count === joined ? "" : `, ${count - joined} with a row of their own`;
  return `${countOf(count)}, ${joined} joined to what they are fees of${others}`;
}

export function countOf(rows: number): string {
  return `${rows} ${rows === 1 ? "row" : "rows"}`;
}
