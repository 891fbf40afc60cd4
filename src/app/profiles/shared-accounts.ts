import { namesOfAccount } from "../../journal/account-name.ts";
import { inSentence } from "../../values/text/in-sentence.ts";

/** Something that a profile shows, with the name of its account in the journal. */
export interface OfProfile {
  readonly profile: string;
  readonly scope: string;
}

/**
 * Keeps what counts once where several profiles have the same account: what the first of them shows, and what only
 * others show.
 * @param noun what is counted, in the plural
 * @param keyOf names a thing within its account
 * @returns also a line for each account that several profiles have
 */
export function onceForEachAccount<T extends OfProfile>(
  shown: readonly T[],
  noun: string,
  keyOf: (thing: T) => string,
): { readonly once: readonly T[]; readonly lines: readonly string[] } {
  const scopes = new Map(shown.map(({ profile, scope }) => [profile, scope]));
  const owners = firstOfAccounts(scopes);
  const seen = new Map<string, string>();
  const once = shown.filter((thing) => {
    const key = `${owners.get(thing.profile)} ${keyOf(thing)}`;
    if (!seen.has(key)) seen.set(key, thing.profile);
    return seen.get(key) === thing.profile;
  });
  return { once, lines: sharingLines(scopes, `its ${noun} are counted once`) };
}

/**
 * A line for each account that several profiles have.
 * @param scopes by profile, the name of its account in the journal
 * @param so what follows from it
 */
export function sharingLines(scopes: ReadonlyMap<string, string>, so: string): readonly string[] {
  const owners = firstOfAccounts(scopes);
  const sharing = Map.groupBy(owners.keys(), (profile) => owners.get(profile) ?? profile);
  return [...sharing].flatMap(([owner, [, ...others]]) => {
    const have = others.length === 1 ? "has" : "have";
    return others.length === 0 ? [] : [`${inSentence(others)} ${have} the account of ${owner}: ${so}`];
  });
}

/** The same for figures, which each profile has whole. */
export function sharedFigureLines(scopes: ReadonlyMap<string, string>): readonly string[] {
  return sharingLines(scopes, "do not add up their figures");
}

/** For each profile, the first one with the same account. */
function firstOfAccounts(scopes: ReadonlyMap<string, string>): Map<string, string> {
  const known = [...scopes.values()];
  return new Map(
    [...scopes].map(([profile, scope]) => {
      const names = namesOfAccount(scope, known);
      const [first = profile] = [...scopes].find(([, other]) => names.includes(other)) ?? [];
      return [profile, first];
    }),
  );
}
