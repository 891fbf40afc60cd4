/** Longer words aren't typing mistakes, and take time to compare. */
const wordMaxChars = 64;

/** The word that was probably meant: the nearest one, if at most a third of the letters are wrong. */
export function closest(word: string, words: readonly string[]): string | undefined {
  if (word.length > wordMaxChars) return undefined;
  let nearest: string | undefined;
  // A flag's dashes don't count: they are in every flag.
  let fewest = Math.ceil(word.replace(/^-+/, "").length / 3);
  for (const candidate of words) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits > fewest || (edits === fewest && nearest !== undefined)) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

/**
 * `Did you mean 9000112233?`, with one or two words that differ in one letter; undefined where there are none, or more.
 */
export function oneEditAway(word: string, words: Iterable<string>): string | undefined {
  const near = [...words].filter(
    (candidate) => Math.abs(candidate.length - word.length) <= 1 && distance(word, candidate) === 1,
  );
  return near.length === 0 || near.length > 2 ? undefined : `Did you mean ${near.join(" or ")}?`;
}

/** True where the words differ by one inserted, removed or changed letter, or by two swapped neighbours. */
export function isSlipOf(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  if (distance(word, other) <= 1) return true;
  let at = 0;
  while (word[at] === other[at]) at++;
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2) === other;
}

/** The edit distance: how many letters have to be inserted, removed or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let taken = 0; taken < from.length; taken++) {
    const next = [taken + 1];
    for (let column = 0; column < to.length; column++) {
      const changed = (row[column] ?? 0) + (from[taken] === to[column] ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
