import type { Failure } from "../../values/failure.ts";
import { namesOfAccount } from "../account-name.ts";
import type { KnownJournal, KeptUnreadWallet } from "./known-journals.ts";
import { unreadAccount, unreadWallet, otherJournal } from "./registration-words.ts";
import type { JournalPaths } from "../failures.ts";

/** The journal for an order, and what is known of it and of others. */
export interface OwnJournal {
  readonly id: string;
  readonly place: string;
  /** Accounts that ordered with it. */
  readonly accounts: readonly string[];
  readonly journals: readonly KnownJournal[];
  readonly paths: JournalPaths;
}

/**
 * Why no order of an account may be sent: its orders go to another journal, or its statements have to be read first.
 * @param wallet whose statement shows the order, `any` where it names none; undefined for no order in particular
 */
export function refusalOf(
  account: string,
  { id, place, accounts, journals, paths }: OwnJournal,
  wallet?: string,
): Failure | undefined {
  const isNamed = namedAs([account], accounts, journals);
  const mine = journals.find((journal) => journal.id === id);
  if (mine?.unread.some(isNamed) === true) return unreadAccount(account, paths.money);
  if (wallet !== undefined) {
    const isShown = ({ account: of, accountNo }: KeptUnreadWallet) =>
      isNamed(of) && [accountNo, "any"].includes(wallet);
    const unread = mine?.unreadWallets?.find(isShown);
    if (unread !== undefined) return unreadWallet(unread.accountNo, paths.money);
  }
  if (mine?.accounts?.some(isNamed) === true) return undefined;
  const others = journals.filter((journal) => journal.id !== id);
  const certain = others.find((other) => other.accounts?.some(isNamed) === true);
  // The accounts of an unreadable journal are not known. An account that was known before this version stays usable.
  const unclear = mine?.since === null ? undefined : others.find((other) => other.accounts === null);
  const other = certain ?? unclear;
  if (other === undefined) return undefined;
  const elsewhere = { place: other.place, isCertain: certain !== undefined, isEmptyHere: !accounts.some(isNamed) };
  return otherJournal(place, elsewhere, paths.money);
}

/** Why orders of some wallets of an account have to wait, where not all of its statements could be read. */
export function waitingFor(account: string, own: OwnJournal): Failure | undefined {
  return refusalOf(account, own) === undefined ? refusalOf(account, own, "any") : undefined;
}

/** Tells whether a scope is a name of one of the accounts. */
export function namedAs(
  wanted: readonly string[],
  own: readonly string[],
  journals: readonly KnownJournal[],
): (scope: string) => boolean {
  const known = union(own, journals.flatMap(accountsOf));
  const names = new Set(wanted.flatMap((account) => namesOfAccount(account, known)));
  return (scope) => names.has(scope);
}

export function accountsOf({ accounts, unread }: KnownJournal): readonly string[] {
  return [...(accounts ?? []), ...unread];
}

export function union(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}
