import { indexWallets } from "../../movements/batch/order-amount.ts";
import { requestText } from "../../journal/requests/movement-request.ts";
import { makeFolder, stateFolder } from "../../profiles/folders.ts";
import type { JsonObject } from "../../values/json.ts";
import { keepWalletsShared } from "../approvals/keep-wallets.ts";
import type { Session } from "../session.ts";
import type { SeenWallet } from "./wallets.ts";
import { gap, seenPath, seenWallets } from "./wallets.ts";

/**
 * Keeps the currency of each wallet: transfers and withdrawals don't name it, and the journal's lists are read without
 * the service. Where it can't be kept, the lists show less, which is no reason to stop an order.
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
      const [currency = "", name = ""] = [requestText(listed, "currency"), requestText(listed, "accountName")];
      const known = seen.get(wallet);
      const isNew = known?.currency !== currency || known.name !== name;
      const cells = [scope, wallet, currency, name];
      return isNew && cells.every((cell) => !/[\t\n]/.test(cell)) ? [`${cells.join(gap)}\n`] : [];
    });
    if (lines.length > 0) host.files.append(seenPath(host), lines.join(""), false);
  } catch {
    // Only completion and sentences need it: the order continues without it.
  }
}
