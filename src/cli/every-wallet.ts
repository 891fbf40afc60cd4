import { listWallets } from "../contract/wallets.ts";
import { textIn } from "../statements/entry.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";
import type { ExportFlags } from "./export-flags.ts";
import { checkNameForAll } from "./file-name.ts";
import { runStatement } from "./statement-run.ts";
import type { Session } from "./session.ts";
import { walletSource } from "./statement-source.ts";

/** What ends one wallet's export and not that of the others. */
const ofOneWallet = new Set(["refused", "unavailable", "mismatch"]);

/**
 * Exports the statement of every wallet, each to a file of its own. One that fails is said and does not hold up the
 * others.
 * @throws {Failure} the first failure of a wallet, when all were tried; usage | setup
 */
export async function exportEveryWallet(session: Session, flags: ExportFlags): Promise<void> {
  const name = checkNameForAll(session.result.save);
  const wallets = await session.service.read(listWallets, {});
  const failures: Failure[] = [];
  for (const [index, wallet] of wallets.entries()) {
    const accountNo = textIn(wallet, "accountNo");
    await session.note(
      `Wallet ${index + 1} of ${wallets.length}: ${accountNo} ${textIn(wallet, "accountName")}`.trimEnd(),
    );
    session.saveAs(name);
    try {
      const report = await runStatement(walletSource, session, accountNo, flags);
      if (report !== undefined) await session.say(report);
    } catch (error) {
      if (!(error instanceof Failure) || !ofOneWallet.has(error.ending)) throw error;
      await session.note(`Wallet ${quote(accountNo)} was not exported: ${error.message}`);
      failures.push(error);
    }
  }
  if (wallets.length === 0) await session.note("The account has no wallets.");
  const [first] = failures;
  if (first === undefined) return;
  const { ending, message, hint, details } = first;
  throw new Failure(
    ending,
    `${failures.length} of ${wallets.length} wallets were not exported; the first: ${message}`,
    {
      ...(hint === undefined ? {} : { hint }),
      details,
    },
  );
}
