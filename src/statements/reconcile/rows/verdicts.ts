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

/** `49 fees not in book`: so many rows of a class, in a sentence. */
export function countedClass(count: number, name: Class): string {
  const plural = count === 1 ? undefined : plurals.get(name);
  return `${count} ${plural ?? name}`;
}

/** Classes with a plural; the others are adjectives. */
const plurals: ReadonlyMap<Class, string> = new Map([
  ["fee not in book", "fees not in book"],
  ["duplicate", "duplicates"],
  ["orphan fee", "orphan fees"],
]);

/** A fee that the book's entry for its payment already includes: it needs no attention, and no row of its own. */
export const joined = "joined";
export const verdicts = [undefined, ...classes, joined] as const;
/** The verdict on a row; undefined while it is open. */
export type RowVerdict = (typeof verdicts)[number];
export type GivenVerdict = Exclude<RowVerdict, undefined>;
export const verdictCodes = new Map(verdicts.map((verdict, code) => [verdict, code]));
