import { join } from "node:path";
import type { Host } from "../../host/host.ts";
import { indexWallets } from "../../movements/batch/order-amount.ts";
import type { CurrencyOfOrder } from "../../movements/journal-report.ts";
import { textIn } from "../../journal/movement-kinds.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Session } from "../session.ts";

/** Currencies of wallets, a line each: account, wallet, currency. No secrets; lines are added and never changed. */
const seenFile = "wallet-currencies";
const seenMaxBytes = 8 * 1024 * 1024;
const gap = "\t";

/**
 * Keeps which currency each wallet has: a transfer and a withdrawal don't say it, and the journal's lists are read without the
 * service. Where it can't be kept the lists say less, which is no reason to stop an order.
 */
export async function keepCurrencies(wallets: readonly JsonObject[] | undefined, session: Session): Promise<void> {
  if (wallets === undefined) return;
  const { host } = session;
  try {
    // A look that is no order makes no folder.
    if ((await host.files.facts(stateFolder(host))) === undefined) return;
    const [scope, seen] = [await session.accountScope(), await seenCurrencies(host)];
    const lines = [...(indexWallets(wallets) ?? [])].flatMap(([wallet, listed]) => {
      const currency = textIn(listed, "currency");
      const isNew = currency !== undefined && seen(scope, wallet) !== currency;
      const cells = [scope, wallet, currency ?? ""];
      return isNew && cells.every((cell) => !/[\t\n]/.test(cell)) ? [`${cells.join(gap)}\n`] : [];
    });
    if (lines.length > 0) host.files.append(pathIn(host), lines.join(""), false);
  } catch {
    // The order goes on without.
  }
}

/** The currency that a wallet had when this machine last looked at it; undefined where it never did. */
export async function seenCurrencies(host: Host): Promise<CurrencyOfOrder> {
  const text = await host.files.read(pathIn(host), seenMaxBytes).catch(() => new Uint8Array());
  const lines = new TextDecoder().decode(text).split("\n");
  const currencies = new Map(
    lines.flatMap((line) => {
      const [scope = "", wallet = "", currency] = line.split(gap);
      return currency === undefined ? [] : [[`${scope}${gap}${wallet}`, currency] as const];
    }),
  );
  return (scope, wallet) => (wallet === undefined ? undefined : currencies.get(`${scope}${gap}${wallet}`));
}

function pathIn(host: Host): string {
  return join(stateFolder(host), seenFile);
}
