import { accountIn, namesOfAccount } from "../../journal/account-name.ts";
import { totalsOf } from "../../statements/totals.ts";
import type { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import { inSentence } from "../../values/text/in-sentence.ts";
import { textIn } from "../../statements/entry.ts";
import type { Session } from "../session.ts";
import { forEachProfile, withProfile } from "./all-profiles.ts";

/** The wallets of every profile, each row with its profile. */
export interface WalletsOfAll {
  readonly wallets: readonly JsonObject[];
  readonly failure: Failure | undefined;
  /** The lines of the totals of such rows. */
  readonly totals: (rows: readonly JsonObject[]) => readonly string[];
}

/** @throws {Failure} as `forEachProfile` */
export async function walletsOfAll(
  session: Session,
  read: (own: Session) => Promise<readonly JsonObject[]>,
): Promise<WalletsOfAll> {
  const { done, failure } = await forEachProfile(session, async (own) => ({
    wallets: await read(own),
    scope: await own.accountScope(),
  }));
  const scopes = new Map(done.map(({ profile, value }) => [profile, value.scope]));
  return {
    wallets: done.flatMap(({ profile, value }) => withProfile(profile, value.wallets)),
    failure,
    totals: (rows) => totalsOfAll(rows, scopes),
  };
}

/** Totals by environment, where there are several: test money is no money. A wallet of several profiles counts once. */
function totalsOfAll(rows: readonly JsonObject[], scopes: ReadonlyMap<string, string>): string[] {
  const scopeOf = (profile: string) => scopes.get(profile) ?? "";
  const owners = firstOfAccounts(new Set(rows.map(profileOf)), scopeOf);
  const seen = new Map<string, string>();
  const once = rows.filter((row) => {
    const wallet = `${owners.get(profileOf(row))} ${textIn(row, "accountNo")}`;
    if (!seen.has(wallet)) seen.set(wallet, profileOf(row));
    return seen.get(wallet) === profileOf(row);
  });
  const byEnvironment = Map.groupBy(once, (row) => accountIn(scopeOf(profileOf(row)))?.environment ?? "");
  const lines = [...byEnvironment]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([environment, wallets]) =>
      totalsOf(wallets).map((line) => (byEnvironment.size === 1 ? line : `${environment}: ${line}`)),
    );
  const sharing = Map.groupBy(owners.keys(), (profile) => owners.get(profile) ?? profile);
  return [...lines, ...[...sharing].flatMap(([owner, profiles]) => sharedLine(owner, profiles.slice(1)))];
}

function profileOf(row: JsonObject): string {
  return textIn(row, "profile");
}

/** For each profile the first one of the same account. */
function firstOfAccounts(profiles: ReadonlySet<string>, scopeOf: (profile: string) => string): Map<string, string> {
  const known = [...profiles].map(scopeOf);
  return new Map(
    [...profiles].map((profile) => {
      const names = namesOfAccount(scopeOf(profile), known);
      return [profile, [...profiles].find((other) => names.includes(scopeOf(other))) ?? profile];
    }),
  );
}

function sharedLine(owner: string, others: readonly string[]): string[] {
  if (others.length === 0) return [];
  const have = others.length === 1 ? "has" : "have";
  return [`${inSentence(others)} ${have} the account of ${owner}: its wallets are counted once`];
}
