/** `lake`, `lake and shop`, `lake, shop and till`. */
export function inSentence(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
