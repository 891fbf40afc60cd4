/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How many of a number of things a sentence names. */
export const namedMax = 3;

/** `a, b, c, and 2 more`: the first ones of so many. */
export function firstOf(names: readonly string[], count: number): string {
  const first = names.slice(0, namedMax).join(", ");
  return count > namedMax ? `${first}, and ${count - namedMax} more` : first;
}
