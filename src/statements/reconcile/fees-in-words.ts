import { counted } from "../../values/text/counted.ts";

/**
 * How many fees there are, and where they are listed: fees without a parent, repeated ones, and those that the book
 * also has are rows of the result.
 */
export function feesInWords(count: number, joined: number): string {
  const alone = count - joined;
  return [
    counted(count, "row"),
    ...(joined === 0 ? [] : [`${joined} joined to ${joined === 1 ? "its payment" : "their payments"}`]),
    ...(alone === 0 ? [] : [`${alone} listed on ${alone === 1 ? "its" : "their"} own`]),
  ].join(", ");
}
