/** What `\d`, `\w`, `\s` and their opposites match; undefined for any other letter. */
export function readShorthand(letter: string): ((character: string) => boolean) | undefined {
  const matches = shorthands[letter.toLowerCase()];
  if (matches === undefined) return undefined;
  return letter === letter.toLowerCase() ? matches : (character) => !matches(character);
}

const shorthands: Readonly<Record<string, (character: string) => boolean>> = {
  d: (character) => /^\d$/.test(character),
  w: (character) => /^[\p{L}\p{N}_]$/u.test(character),
  s: (character) => /^\s$/.test(character),
};

/**
 * Reads the characters between brackets.
 * @returns undefined where it is empty, or a range ends before it begins
 */
export function characterClass(source: readonly string[]): ((character: string) => boolean) | undefined {
  const isNegated = source[0] === "^";
  const items = isNegated ? source.slice(1) : source;
  const tests: ((character: string) => boolean)[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const isEscaped = items[at] === "\\";
    if (isEscaped) at += 1;
    const first = items[at] ?? "";
    const known = isEscaped ? readShorthand(first) : undefined;
    const last = items[at + 2];
    if (known !== undefined) tests.push(known);
    else if (items[at + 1] === "-" && last !== undefined) {
      const [from, to] = [codeOf(first), codeOf(last)];
      if (from > to) return undefined;
      tests.push((character) => codeOf(character) >= from && codeOf(character) <= to);
      at += 2;
    } else tests.push((character) => character === first.toLowerCase());
  }
  if (tests.length === 0) return undefined;
  return (character) => tests.some((matches) => matches(character)) !== isNegated;
}

function codeOf(character: string): number {
  return character.toLowerCase().codePointAt(0) ?? 0;
}
