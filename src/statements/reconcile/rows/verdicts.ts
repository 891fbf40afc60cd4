/** What a row turned out to be, in the words of the result and the order of the contract. */
export const classes = [
  "matched",
  "differing",
  "net of fee",
  "probable",
  "ambiguous",
  "in transit",
  "only in statement",
  "only in book",
  "fee not in book",
  "duplicate",
  "orphan fee",
  "ignored",
] as const;
export type Class = (typeof classes)[number];

/** A fee that the book's entry for its payment already includes: it needs no attention, and no row of its own. */
export const joined = "joined";
export const verdicts = [undefined, ...classes, joined] as const;
/** The verdict on a row; undefined while it is open. */
export type RowVerdict = (typeof verdicts)[number];
export type Verdict = Exclude<RowVerdict, undefined>;
export const verdictCodes = new Map(verdicts.map((verdict, code) => [verdict, code]));
