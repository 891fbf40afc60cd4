import type { NamedWord } from "../../cli/application.ts";
import type { Host } from "../../host/host.ts";
import { namesOfAccount } from "../../journal/account-name.ts";
import { nicknamesInUse } from "../accounts/nicknames.ts";
import { openChosenJournal, sharedChoice } from "../journal/choice.ts";
import { scopeInUse, walletsSeen } from "./wallets.ts";

/** A longer list is no help to choose from. */
const ordersMaxCount = 200;

/** The profile's nicknames and then the wallets seen. */
export async function accountsKnown(host: Host, profile: string | undefined): Promise<readonly NamedWord[]> {
  return [...(await nicknamesKnown(host, profile)), ...(await walletsSeen(host, profile))];
}

/** The profile's nicknames, each with the number that it means and the name of the wallet. */
export async function nicknamesKnown(host: Host, profile: string | undefined): Promise<readonly NamedWord[]> {
  const seen = await walletsSeen(host, profile);
  return [...(await nicknamesInUse(host, profile))].map(([word, number]) => {
    const name = seen.find((wallet) => wallet.word === number)?.name ?? "";
    return { word, name: `${number} ${name}`.trimEnd() };
  });
}

/**
 * The references of the account's latest orders in this machine's own journal; none with a shared one, which would need
 * a request.
 */
export async function ordersSeen(host: Host, profile: string | undefined): Promise<readonly NamedWord[]> {
  const choice = { host, version: "", profile, certificates: undefined, hide: () => undefined };
  if ((await sharedChoice(choice)) !== undefined) return [];
  const scope = await scopeInUse(host, profile);
  const journal = await openChosenJournal(choice, { use: "read", warn: () => undefined });
  try {
    const found: NamedWord[] = [];
    const scopes = scope === undefined ? undefined : namesOfAccount(scope, await journal.accounts());
    for await (const movement of journal.list({ limit: ordersMaxCount, newestFirst: true }))
      if (scopes?.includes(movement.scope) ?? true) found.push({ word: movement.reference });
    return found;
  } finally {
    await journal.close();
  }
}
