import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import { indexWallets } from "../../movements/batch/order-amount.ts";
import type { CurrencyOfOrder } from "../../movements/journal-report.ts";
import { textIn } from "../../journal/movement-kinds.ts";
import { makeFolder, stateFolder } from "../../profiles/folders.ts";
import type { JsonObject } from "../../values/json.ts";
import { keepWalletsShared } from "../approvals/keep-wallets.ts";
import type { Session } from "../session.ts";

/** What wallets are, a line each: account, wallet, currency, name. No secrets; lines are added and never changed. */
const seenFile = "wallet-currencies";
const seenMaxBytes = 8 * 1024 * 1024;
const gap = "\t";

/**
 * Keeps which currency each wallet has: a transfer and a withdrawal don't say it, and the journal's lists are read without the
 * service. Where it can't be kept the lists say less, which is no reason to stop an order.
 */
export async function keepCurrencies(wallets: readonly JsonObject[] | undefined, session: Session): Promise<void> {
  if (wallets === undefined) return;
  await keepWalletsShared(wallets, session);
  const { host } = session;
  try {
    // A read without an order creates no folder, except for a person, whose shell completes seen names.
    if ((await host.files.facts(stateFolder(host))) === undefined) {
      if (!host.stdout.isTerminal) return;
      await makeFolder(host, stateFolder(host), "state");
    }
    const [scope, seen] = [await session.accountScope(), new Map<string, SeenWallet>()];
    for (const known of await seenWallets(host)) if (known.scope === scope) seen.set(known.wallet, known);
    const lines = [...(indexWallets(wallets) ?? [])].flatMap(([wallet, listed]) => {
      const [currency = "", name = ""] = [textIn(listed, "currency"), textIn(listed, "accountName")];
      const known = seen.get(wallet);
      const isNew = known?.currency !== currency || known.name !== name;
      const cells = [scope, wallet, currency, name];
      return isNew && cells.every((cell) => !/[\t\n]/.test(cell)) ? [`${cells.join(gap)}\n`] : [];
    });
    if (lines.length > 0) host.files.append(pathIn(host), lines.join(""), false);
  } catch {
    // Only completion and words need it: the order goes on without.
  }
}

/** The currency that a wallet had when this machine last looked at it; undefined where it never did. */
export async function seenCurrencies(host: Host): Promise<CurrencyOfOrder> {
  const currencies = new Map(
    (await seenWallets(host)).flatMap(({ scope, wallet, currency }) =>
      currency === "" ? [] : [[`${scope}${gap}${wallet}`, currency] as const],
    ),
  );
  return (scope, wallet) => (wallet === undefined ? undefined : currencies.get(`${scope}${gap}${wallet}`));
}

/** A wallet as this machine saw it at some time: the later in a list, the later it was. */
export interface SeenWallet {
  readonly scope: string;
  readonly wallet: string;
  readonly currency: string;
  readonly name: string;
}

export async function seenWallets(host: Host): Promise<readonly SeenWallet[]> {
  const text = await host.files.read(pathIn(host), seenMaxBytes).catch(() => new Uint8Array());
  const lines = new TextDecoder().decode(text).split("\n");
  return lines.flatMap((line) => {
    const [scope = "", wallet = "", currency, name = ""] = line.split(gap);
    return currency === undefined ? [] : [{ scope, wallet, currency, name }];
  });
}

function pathIn(host: Host): string {
  return join(stateFolder(host), seenFile);
}
