/** What a text must contain to match. */
export type TextHint =
  /** Each of these pieces, in upper or lower case. */
  | { readonly pieces: readonly string[] }
  /** A number as `phoneNumberOf` gives it. */
  | { readonly phone: string }
  /** Digits as `Decimal.trimmed` gives them, in a text that has amounts as we write them. */
  | { readonly amount: string };

/** A text may match if it has what one of these says. */
export type TextHints = readonly TextHint[];

/** A server scans all texts for each hint: with more hints, returning all texts is faster. */
const hintsMaxCount = 30;
const piece = /[a-z0-9]+/g;
const plain = /^[ -~]*$/;

/**
 * The runs of letters and digits in texts, all of which must be present: characters between them can be written
 * differently in JSON. Undefined where there are none, or where a database may fold the letters differently.
 * @param texts folded
 */
export function piecesOf(...texts: readonly string[]): TextHint | undefined {
  const pieces = texts.flatMap((text) => text.match(piece) ?? []);
  return pieces.length === 0 || !texts.every((text) => plain.test(text)) ? undefined : { pieces: [...new Set(pieces)] };
}

/** All hints; undefined where one is unknown, or there are too many: then every text may match. */
export function allHints(hints: readonly (TextHint | undefined)[]): TextHints | undefined {
  const known = hints.flatMap((hint) => hint ?? []);
  return known.length < hints.length || known.length > hintsMaxCount ? undefined : known;
}
