/** What a text holds at least, if it is meant. */
export type TextHint =
  /** Each of these pieces, without regard to case. */
  | { readonly pieces: readonly string[] }
  /** A number as `phoneNumberOf` gives it. */
  | { readonly phone: string }
  /** Digits as `Decimal.trimmed` gives them, in a text that has amounts as we write them. */
  | { readonly amount: string };

/** Texts that may be meant have what one of these says. */
export type TextHints = readonly TextHint[];

/** A server looks through all texts for each of them: with more, giving all of the texts takes it less time. */
const hintsMaxCount = 30;
const piece = /[a-z0-9]+/g;
const plain = /^[ -~]*$/;

/**
 * The pieces of letters and digits in texts that all have to be there: what stands between them can be written otherwise
 * in JSON. Undefined where the texts have none, or letters that a database may fold otherwise.
 * @param texts folded
 */
export function piecesOf(...texts: readonly string[]): TextHint | undefined {
  const pieces = texts.flatMap((text) => text.match(piece) ?? []);
  return pieces.length === 0 || !texts.every((text) => plain.test(text)) ? undefined : { pieces: [...new Set(pieces)] };
}

/** All of them; undefined where one is unknown, or they are too many: then every text may be meant. */
export function allHints(hints: readonly (TextHint | undefined)[]): TextHints | undefined {
  const known = hints.flatMap((hint) => hint ?? []);
  return known.length < hints.length || known.length > hintsMaxCount ? undefined : known;
}
