import { counted } from "../../values/text/counted.ts";

/** Fees without a parent, repeated ones, and those that the book has as well, are rows of the result. */
export function feesInWords(count: number, joined: number): string {
  const others = count === joined ? "" : `, ${count - joined} with a row of their own`;
  return `${counted(count, "row")}, ${joined} joined to what they are fees of${others}`;
}
