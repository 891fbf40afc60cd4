import type { TextHint, TextHints } from "../../values/text/text-hints.ts";

/** What people put between the digits of a phone number. */
const gap = "[ ().-]*";
/** The digits of a phone number without its country code. */
const ownDigits = 9;

/** How many numbers the server scans at once: about a second for this many texts. */
const windowNumbers = 20_000;

/** The rows to scan. */
export interface HeldRows {
  /** A table with a column `number`. */
  readonly table: string;
  /** An expression of the columns of `m`. */
  readonly text: string;
  /** A condition with parameters from `$1` on. */
  readonly where: string;
  readonly values: readonly (string | number)[];
}

/**
 * The numbers of rows that may contain what is sought, ascending. Only numbers, since the server would scan a window
 * again for each page of rows.
 */
export async function* numbersHolding(
  read: (text: string, values: readonly (string | number)[]) => Promise<readonly object[]>,
  { table, text, where, values }: HeldRows,
  hints: TextHints,
): AsyncGenerator<readonly number[]> {
  const [ends] = await read(`SELECT min(number)::bigint AS first, max(number)::bigint AS last FROM ${table}`, []);
  const [first, last] = [numberIn(ends, "first"), numberIn(ends, "last")];
  const own = values.length;
  const held = hintsCondition(text, hints, own + 3);
  const sql = `SELECT m.number FROM ${table} m WHERE ${where} AND m.number > $${own + 1} AND m.number <= $${own + 2}
    AND ${held.sql} ORDER BY m.number`;
  // Starts at the first number: only rows with lower numbers were pruned.
  for (let after = first - 1; after < last; after += windowNumbers) {
    const records = await read(sql, [...values, after, after + windowNumbers, ...held.values]);
    yield records.map((record) => numberIn(record, "number"));
  }
}

/** 0 where a table is empty. */
function numberIn(record: object | undefined, name: string): number {
  return Number(Reflect.get(record ?? {}, name) ?? 0);
}

/**
 * The condition that a text contains what a hint says, or characters that PostgreSQL may fold, or JSON may escape,
 * differently. Only ASCII letters are folded: in Turkish, I has another lower-case letter.
 * @param text an expression of one table's columns
 * @param first the number of its first parameter
 */
function hintsCondition(text: string, hints: TextHints, first: number) {
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
