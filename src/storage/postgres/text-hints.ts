import type { TextHint, TextHints } from "../../values/text/text-hints.ts";

/** What people put between the digits of a phone number. */
const gap = "[ ().-]*";
/** Of a phone number, without the digits of its country. */
const ownDigits = 9;

/**
 * The condition that an expression has what a hint says, or anything that PostgreSQL may fold, or JSON may write, in
 * another way. Case is that of ASCII: in Turkish, the small letter of I is another one.
 * @param text an expression of one table's columns
 * @param first the number of its first parameter
 */
export function hintsCondition(text: string, hints: TextHints, first: number) {
  const values: string[] = [];
  const parameter = (value: string) => `$${first + values.push(value) - 1}`;
  const holds = (hint: TextHint) => {
    if ("phone" in hint) return `t.hay ~ ${parameter(hint.phone.slice(-ownDigits).split("").join(gap))}`;
    const pieces = "amount" in hint ? [hint.amount] : hint.pieces;
    return `(${pieces.map((piece) => `position(${parameter(piece)} IN t.low) > 0`).join(" AND ")})`;
  };
  const any = [
    "octet_length(t.hay) <> length(t.hay)",
    String.raw`position('\u' IN t.hay) > 0`,
    ...hints.map((hint) => holds(hint)),
  ];
  const sql = `EXISTS (SELECT FROM (SELECT h.hay, lower(h.hay) AS low FROM (SELECT ${text} COLLATE "C" AS hay) AS h OFFSET 0) AS t
    WHERE ${any.join(" OR ")})`;
  return { sql, values };
}
