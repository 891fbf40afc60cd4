import { join } from "node:path";
import type { NamedWord } from "../../cli/application.ts";
import { readOwnFile } from "../../host/files/own-file.ts";
import type { Host } from "../../host/host.ts";
import { accountScope, namesOfAccount } from "../../journal/account-name.ts";
import type { CurrencyOfOrder } from "../../movements/journal-report.ts";
import { plainUrl } from "../../profiles/base-url.ts";
import { profileInUse } from "../../profiles/chosen-profile.ts";
import { stateFolder } from "../../profiles/folders.ts";

/** The wallets seen, a line each: account, wallet, currency, name. No secrets; lines are only ever appended. */
const seenFile = "wallet-currencies";
const seenMaxBytes = 8 * 1024 * 1024;
/** Between the cells of a line. */
export const gap = "\t";

/** The currency that a wallet had when this machine last looked at it; undefined where it never did. */
export async function seenCurrencies(host: Host): Promise<CurrencyOfOrder> {
  const currencies = new Map(
    (await seenWallets(host)).flatMap(({ scope, wallet, currency }) =>
      currency === "" ? [] : [[`${scope}${gap}${wallet}`, currency] as const],
    ),
  );
  return (scope, wallet) => (wallet === undefined ? undefined : currencies.get(`${scope}${gap}${wallet}`));
}

/** A wallet as this machine saw it at some time; in a list, the latest comes last. */
export interface SeenWallet {
  readonly scope: string;
  readonly wallet: string;
  readonly currency: string;
  readonly name: string;
}

export async function seenWallets(host: Host): Promise<readonly SeenWallet[]> {
  const text = await readOwnFile(host.files, seenPath(host), seenMaxBytes).catch(() => undefined);
  const lines = new TextDecoder().decode(text).split("\n");
  return lines.flatMap((line) => {
    const [scope = "", wallet = "", currency, name = ""] = line.split(gap);
    return currency === undefined ? [] : [{ scope, wallet, currency, name }];
  });
}

/** The path of the file of seen wallets. */
export function seenPath(host: Host): string {
  return join(stateFolder(host), seenFile);
}

/**
 * The wallets of the profile's account as this machine last saw them, with their numbers and names. It makes no request
 * to the service.
 */
export async function walletsSeen(host: Host, profile: string | undefined): Promise<readonly NamedWord[]> {
  const [wallets, scope] = [await seenWallets(host), await scopeInUse(host, profile)];
  const scopes =
    scope === undefined ? undefined : namesOfAccount(scope, [...new Set(wallets.map((seen) => seen.scope))]);
  const own = wallets.filter((seen) => scopes?.includes(seen.scope) ?? true);
  return [...new Map(own.map(({ wallet, name }) => [wallet, name]))].map(([word, name]) => ({ word, name }));
}

/**
 * The profile's account; undefined where variables name the account, or nothing does. No secret is read to find out.
 */
export async function scopeInUse(host: Host, named: string | undefined): Promise<string | undefined> {
  const chosen = await profileInUse(host, named);
  if (chosen === undefined) return undefined;
  const { environment, baseUrl, accountId } = chosen.profile;
  return accountScope({ environment, baseUrl: plainUrl(baseUrl), accountId });
}
