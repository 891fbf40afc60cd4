import type { Cash } from "../../books/cash.ts";
import type { ClosedAccount, ClosedMonth } from "../../close/closes.ts";
import type { Reopened } from "../../close/late-rows.ts";
import { reopenedWords } from "../../close/late-rows.ts";
import type { AlteredRow, Chain } from "../../ledger/ledger.ts";
import { acceptedGapsOf, acceptedWords } from "../../ledger/accepted-gaps.ts";
import { closureWords } from "../../ledger/closure.ts";
import { isLiveReached } from "../../ledger/sync/standing.ts";
import type { Period } from "../../values/time/period.ts";
import { Decimal } from "../../values/money/decimal.ts";

/** An account of the month, and the findings about it. */
export interface Proof {
  readonly cash: Cash;
  /** Problems; empty where every proof holds. */
  readonly problems: readonly string[];
  /** What people have accepted, on which the proof depends. */
  readonly accepted: readonly string[];
}

/** What the accounts are proved with. */
export interface ProofGrounds {
  readonly period: Period;
  readonly cash: readonly Cash[];
  /** By the account's number inside of the ledger. */
  readonly chains: ReadonlyMap<number, Chain>;
  readonly altered: ReadonlyMap<number, AlteredRow>;
  /** The last close of an earlier month; undefined where there is none. */
  readonly before: ClosedMonth | undefined;
  /** What each account held in the months between that close and this month; empty where there are none. */
  readonly between: readonly Cash[];
  /** Accounts whose statement and book do not agree, with why; by the same number. */
  readonly unreconciled: ReadonlyMap<number, string>;
  /** Accounts with formats that cannot hold their statement, with why; by the same number. */
  readonly unwritten: ReadonlyMap<number, readonly string[]>;
}

/** Every account with what keeps it from being proved. */
export function proveAccounts(grounds: ProofGrounds): readonly Proof[] {
  const { period, cash, chains, altered, before, between, unreconciled, unwritten } = grounds;
  return cash.map((each) => {
    const { number } = each.account;
    const problems: string[] = [];
    const chain = chains.get(number);
    const open = chain?.breaks.find(({ accepted }) => accepted === null);
    const changed = altered.get(number);
    if (changed !== undefined)
      problems.push(`row ${changed.reference} is not what partner stored: something else has changed the ledger`);
    if (open !== undefined) problems.push(`the balance does not follow at row ${open.reference} of ${open.day}`);
    else if (chain === undefined || !isLiveReached(each.account, chain))
      problems.push("its rows do not lead to the balance that the service gives");
    else if (!each.addsUp) problems.push("the rows of the month do not add up");
    const closed = before?.accounts.find((known) => isOf(known, each));
    const expected = closed === undefined ? undefined : Decimal.parse(closed.closing);
    const next = between.find(({ account }) => account.number === number) ?? each;
    if (before !== undefined && expected?.add(next.acceptedBefore).equals(next.opening) === false)
      problems.push(
        `${next === each ? "it opens with" : `after ${before.month} it had`} ${next.opening.toString()}, and ${before.month} was closed with ${closed?.closing ?? ""}`,
      );
    const book = unreconciled.get(number);
    if (book !== undefined) problems.push(book);
    problems.push(...(unwritten.get(number) ?? []));
    const days = { startDay: period.startDate.toString(), endDay: period.endDate.toString() };
    const gaps = chain === undefined ? [] : acceptedGapsOf(chain, days);
    return { cash: each, problems, accepted: [...gaps.map(acceptedWords), ...closureWords(each.account, days.endDay)] };
  });
}

/** Everything to be looked at, in whole lines. */
export function problemLines(
  proofs: readonly Proof[],
  { reopened, before }: { readonly reopened: readonly Reopened[]; readonly before: ClosedMonth | undefined },
): readonly string[] {
  const lost = before?.accounts.filter((closed) => !proofs.some(({ cash }) => isOf(closed, cash))) ?? [];
  return [
    ...reopened.map(reopenedWords),
    ...lost.map(
      ({ account, closing }) =>
        `${account}: ${before?.month ?? ""} was closed with ${closing}, and the ledger does not hold this account.`,
    ),
    ...proofs.flatMap(({ cash, problems }) => problems.map((problem) => `${cash.account.accountNo}: ${problem}.`)),
  ];
}

/** Accounts with money that the last close lacks, in whole lines: no closing proves their opening. */
export function newAccountLines(cash: readonly Cash[], before: ClosedMonth | undefined): readonly string[] {
  if (before === undefined) return [];
  return cash
    .filter((each) => !each.opening.isZero && !before.accounts.some((closed) => isOf(closed, each)))
    .map(
      ({ account, opening }) =>
        `${account.accountNo}: ${before.month} was closed without it. Nothing proves that it opens with ${opening.toString()}.`,
    );
}

function isOf({ account, kind }: ClosedAccount, { account: of }: Cash): boolean {
  return account === of.accountNo && kind === of.kind;
}

/** What people have accepted, in whole lines. */
export function acceptedLines(proofs: readonly Proof[]): readonly string[] {
  return proofs.flatMap(({ cash, accepted }) => accepted.map((words) => `${cash.account.accountNo}: ${words}.`));
}
