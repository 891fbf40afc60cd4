import { canonicalAddress } from "../values/addresses/service-address.ts";

/** How settings name an account: the label of the environment, the base URL, and the account's id there. */
export interface AccountName {
  readonly environment: string;
  readonly baseUrl: string;
  readonly accountId: string;
}

/** An account's name as one text: what the journal keeps with each of its orders. */
export function accountScope({ environment, baseUrl, accountId }: AccountName): string {
  return `${environment} ${baseUrl} ${accountId}`;
}

/** The name in such a text; undefined for any other text. */
export function accountIn(scope: string): AccountName | undefined {
  const [, environment, baseUrl, accountId] = /^(\S+) (\S+) ([^]*)$/.exec(scope) ?? [];
  if (environment === undefined || baseUrl === undefined || accountId === undefined) return undefined;
  return { environment, baseUrl, accountId };
}

/**
 * All names of one account, `scope` first: those of `known` that are linked to it step by step. Two names are one
 * account when their id is the same, to the letter, and they have the label or the address in common. So neither a
 * corrected label nor another spelling of the host makes an order new.
 */
export function namesOfAccount(scope: string, known: readonly string[]): readonly string[] {
  const names = [scope];
  const left = new Set(known.filter((other) => other !== scope));
  for (const name of names)
    for (const other of left)
      if (isSameAccount(name, other)) {
        names.push(other);
        left.delete(other);
      }
  return names;
}

/**
 * Has a journal keep a new name of an account that it knows by other names: a later name may have something in common
 * only with this one.
 */
export async function keepName(
  journal: { keepNames(scopes: readonly string[]): Promise<void> },
  scope: string,
  known: readonly string[],
): Promise<void> {
  if (!known.includes(scope) && namesOfAccount(scope, known).length > 1) await journal.keepNames([scope]);
}

/**
 * Ids of accounts of the same service that differ from this one only in letter case: most likely one of the two is a
 * slip. Empty where the journal knows this very id.
 */
export function accountsLike(scope: string, known: readonly string[]): readonly string[] {
  const own = accountIn(scope);
  if (own === undefined) return [];
  const ids = known.flatMap((other) => {
    const name = accountIn(other);
    return name !== undefined && isSameService(own, name) && foldCase(name.accountId) === foldCase(own.accountId)
      ? [name.accountId]
      : [];
  });
  return ids.includes(own.accountId) ? [] : [...new Set(ids)];
}

/**
 * The name under which something of one address is kept: `scope` itself, or else one with the same id and address under
 * another label or spelling. A label alone is not enough: rows of two services are not of one account.
 */
export function keptName(scope: string, kept: readonly string[]): string {
  const own = accountIn(scope);
  if (own === undefined || kept.includes(scope)) return scope;
  const isKept = (other: string) => {
    const name = accountIn(other);
    return name?.accountId === own.accountId && canonicalAddress(name.baseUrl) === canonicalAddress(own.baseUrl);
  };
  return kept.find(isKept) ?? scope;
}

function isSameAccount(one: string, other: string): boolean {
  const [a, b] = [accountIn(one), accountIn(other)];
  return a !== undefined && b !== undefined && a.accountId === b.accountId && isSameService(a, b);
}

function isSameService(a: AccountName, b: AccountName): boolean {
  return a.environment === b.environment || canonicalAddress(a.baseUrl) === canonicalAddress(b.baseUrl);
}

function foldCase(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase();
}
