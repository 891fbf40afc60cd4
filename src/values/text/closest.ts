/** Longer words are no typing mistakes, and comparing them costs time. */
const wordMaxChars = 64;

/**
 * The word that was probably meant: the nearest of those that exist, when a third of its letters or fewer are wrong.
 */
export function closest(word: string, words: readonly string[]): string | undefined {
  if (word.length > wordMaxChars) return undefined;
  let nearest: string | undefined;
  // The dashes of a flag are typed right, and make no other one more likely.
  let fewest = Math.ceil(word.replace(/^-+/, "").length / 3);
  for (const candidate of words) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits > fewest || (edits === fewest && nearest !== undefined)) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

/** How many letters have to be put in, taken out or changed to get from one word to the other. */
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
