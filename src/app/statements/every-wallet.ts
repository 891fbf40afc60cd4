import { dirname } from "node:path";
import { listWallets } from "../../contract/wallets.ts";
import { textIn } from "../../statements/entry.ts";
import { Failure } from "../../values/failure.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { quote } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import type { ExportFlags } from "./export-flags.ts";
import { checkNameForAll } from "./file-name.ts";
import { checkView, runStatement } from "./statement-run.ts";
import { walletSource } from "./statement-source.ts";

/**
 * Endings that stop the export of one wallet but not of the others. One is usage, for a new wallet without a day to
 * start from.
 */
const ofOneWallet = new Set(["refused", "unavailable", "mismatch", "usage"]);

/** A wallet that was not exported. */
interface Unexported {
  readonly which: string;
  readonly failure: Failure;
}

/**
 * Exports the statement of every wallet, each to a file of its own. One that fails is noted and does not stop the
 * others.
 * @throws {Failure} the first failure of a wallet, when all were tried; usage | setup
 */
export async function exportEveryWallet(session: Session, flags: ExportFlags): Promise<void> {
  const name = checkNameForAll(session.result.save);
  await checkFlags(session, flags);
  // Whether a file can be made is checked before anything is read, where that does not depend on the wallet.
  if (dirname(name).includes("{")) session.saveAs(undefined);
  const wallets = await session.service.read(listWallets, {});
  const unexported: Unexported[] = [];
  for (const [index, wallet] of wallets.entries()) {
    const accountNo = textIn(wallet, "accountNo");
    await session.note(
      `Wallet ${index + 1} of ${wallets.length}: ${accountNo} ${textIn(wallet, "accountName")}`.trimEnd(),
    );
    session.saveAs(name);
    try {
      await exportWallet(accountNo, session, flags);
    } catch (error) {
      if (!(error instanceof Failure) || !ofOneWallet.has(error.ending)) throw error;
      const which = accountNo === "" ? `wallet ${index + 1}` : accountNo;
      await session.note(`${quote(which)} was not exported: ${error.message}`);
      unexported.push({ which, failure: error });
    }
  }
  if (wallets.length === 0) await session.note("The account has no wallets.");
  const [first] = unexported;
  if (first !== undefined) throw failureOf(unexported, first.failure, wallets.length);
}

/** Checks the command line once, before anything is read. */
async function checkFlags(session: Session, flags: ExportFlags): Promise<void> {
  checkView(session, flags);
  if (!flags.sinceLast) return void resolvePeriod(flags, session.today());
  const { checkSinceLast } = await import("./since-last.ts");
  checkSinceLast(walletSource, session, flags);
}

async function exportWallet(accountNo: string, session: Session, flags: ExportFlags): Promise<void> {
  // Even a documented field can be missing; the other wallets are exported anyway.
  if (accountNo === "")
    throw new Failure("mismatch", "The service lists a wallet without a number.", {
      hint: "Ask the service about it: partner wallets list --json",
    });
  await runStatement(walletSource, session, accountNo, flags);
}

function failureOf(unexported: readonly Unexported[], first: Failure, wallets: number): Failure {
  const { ending, message, hint, details } = first;
  const each = unexported.map(({ which, failure }) => [which, failure.message]);
  return new Failure(ending, `${unexported.length} of ${wallets} wallets were not exported; the first: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    details: unexported.length === 1 ? details : { ...details, ...Object.fromEntries(each) },
  });
}
