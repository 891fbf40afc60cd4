import { accountIn } from "../../journal/account-name.ts";
import { totalsOf } from "../../statements/totals.ts";
import type { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import { textIn } from "../../statements/entry.ts";
import type { Session } from "../session.ts";
import { forEachProfile, withProfile } from "./all-profiles.ts";
import { onceForEachAccount } from "./shared-accounts.ts";

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

/** Totals for each environment: a sandbox has no real money. A wallet of several profiles counts once. */
function totalsOfAll(rows: readonly JsonObject[], scopes: ReadonlyMap<string, string>): string[] {
  const scopeOf = (profile: string) => scopes.get(profile) ?? "";
  const shown = rows.map((row) => ({ row, profile: profileOf(row), scope: scopeOf(profileOf(row)) }));
  const { once, lines: sharing } = onceForEachAccount(shown, "wallets", ({ row }) => textIn(row, "accountNo"));
  const byEnvironment = Map.groupBy(once, ({ scope }) => accountIn(scope)?.environment ?? "");
  const lines = [...byEnvironment]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([environment, wallets]) =>
      totalsOf(wallets.map(({ row }) => row)).map((line) =>
        byEnvironment.size === 1 ? line : `${environment}: ${line}`,
      ),
    );
  return [...lines, ...sharing];
}

function profileOf(row: JsonObject): string {
  return textIn(row, "profile");
}
