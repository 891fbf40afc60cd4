/** An account number that is no longer than this is shown whole. */
const wholeMaxChars = 9;
const endChars = 4;
/** The length of a shortened id, if no other one begins alike. */
const beginningMinChars = 8;

/** Each account number as `0560…1200`; whole where it is short, or another one would look alike. */
export function shortAccounts(numbers: Iterable<string>): ReadonlyMap<string, string> {
  return distinct(numbers, (number) =>
    number.length > wholeMaxChars ? `${number.slice(0, endChars)}…${number.slice(-endChars)}` : number,
  );
}

/** The same with only the last digits: `…1200`. */
export function accountEnds(numbers: Iterable<string>): ReadonlyMap<string, string> {
  return distinct(numbers, (number) => (number.length > wholeMaxChars ? `…${number.slice(-endChars)}` : number));
}

/** The beginning of each id, long enough that no two are alike. */
export function shortIds(ids: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(ids)];
  const longest = Math.max(0, ...all.map((id) => id.length));
  for (let chars = beginningMinChars; chars < longest; chars += endChars) {
    const short = new Map(all.map((id) => [id, id.slice(0, chars)]));
    if (new Set(short.values()).size === all.length) return short;
  }
  return new Map(all.map((id) => [id, id]));
}

function distinct(texts: Iterable<string>, shorten: (text: string) => string): ReadonlyMap<string, string> {
  const groups = Map.groupBy(new Set(texts), shorten);
  return new Map(
    [...groups].flatMap(([short, alike]) =>
      alike.map((text): [string, string] => [text, alike.length > 1 ? text : short]),
    ),
  );
}
