import { acceptedGaps, acceptedWords } from "../../ledger/accepted-gaps.ts";
import { closureWords } from "../../ledger/closure.ts";
import type { AlteredRow, Chain, LedgerAccount } from "../../ledger/ledger.ts";
import { Failure } from "../../values/failure.ts";
import { otherCurrencyHint } from "./other-currency.ts";

export type AccountState = "proved" | "broken" | "unsynced";

const pastHint = "No sync changes what was known then. See what is proved now: partner ledger status";

/** What else contradicts a proof, in words. */
interface Contradictions {
  /** True for what was known at an earlier time. */
  readonly isPast: boolean;
  readonly reopened: readonly ReopenedMonth[];
  readonly altered: readonly string[];
  readonly currencies: readonly string[];
}

/** A closed month that has changed since. */
export interface ReopenedMonth {
  readonly month: string;
  readonly words: string;
  /** Where several profiles are looked at. */
  readonly profile?: string;
}

/** An account in words. */
interface Named {
  readonly account: string;
  readonly state: AccountState;
  readonly profile?: string;
}

/** Why the ledger is not proved, and what to do about it. */
export function notProved(rows: readonly Named[], { isPast, reopened, altered, currencies }: Contradictions): Failure {
  const changed = reopened.map(({ words, profile }) => (profile === undefined ? words : `${profile}: ${words}`));
  const unproved = rows.filter(({ state }) => state !== "proved");
  if (rows.length + reopened.length === 0)
    return new Failure("mismatch", "Not proved: the ledger held no account then.", { hint: pastHint });
  if (unproved.length === 0) return new Failure("mismatch", changed.join(" "), { hint: closeAgain(reopened) });
  const isBroken = unproved.some(({ state }) => state === "broken");
  return new Failure("mismatch", [`Not proved: ${describe(rows)}.`, ...altered, ...currencies, ...changed].join(" "), {
    hint:
      altered.length > 0
        ? "Restore the ledger from a backup, or move it away and read it again: partner ledger sync --start-date DAY"
        : currencies.length > 0
          ? otherCurrencyHint
          : isBroken
            ? "Run partner ledger sync; a break of the service's own: partner ledger accept ACCOUNT --row REF --evidence TEXT"
            : isPast
              ? pastHint
              : "Run: partner ledger sync",
  });
}

/** The months in their order: a close opens with what the month before was closed with. */
function closeAgain(reopened: readonly ReopenedMonth[]): string {
  const commands = reopened
    .toSorted((one, other) => one.month.localeCompare(other.month))
    .map(({ month, profile }) => `partner ${profile === undefined ? "" : `-p ${profile} `}close --month ${month}`);
  return `Close ${commands.length === 1 ? "it" : "them"} again: ${commands.join("; ")}`;
}

/** `9000112233 is broken, 9000112244 and 9000445566 are unsynced`, `shop: all 8 accounts are unsynced`. */
function describe(rows: readonly Named[]): string {
  const profiles = Map.groupBy(rows, ({ profile }) => profile);
  const groups = [...profiles].flatMap(([profile, own]) => {
    const of = profile === undefined ? "" : `${profile}: `;
    const states = Map.groupBy(own, ({ state }) => state);
    states.delete("proved");
    return [...states].map(([state, those]) => `${of}${namesOf(those, own.length)} ${state}`);
  });
  return groups.join(", ");
}

function namesOf(those: readonly Named[], count: number): string {
  if (those.length === 1) return `${those[0]?.account} is`;
  if (those.length === count) return `all ${count} accounts are`;
  const names = those.map(({ account }) => account);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are`;
}

/** Figures from such a row could be wrong, and no sync corrects it. */
export function alteredWords({
  accountNo,
  altered,
}: {
  readonly accountNo: string;
  readonly altered: AlteredRow | undefined;
}): readonly string[] {
  if (altered === undefined) return [];
  return [
    `Row ${altered.reference} of ${accountNo} is not what partner stored: something else has changed the ledger.`,
  ];
}

/** What the proof of an account rests on. */
interface Grounds {
  readonly accountNo: string;
  readonly account: LedgerAccount | undefined;
  readonly chain: Chain | undefined;
  readonly isClosed: boolean;
}

/** What people have accepted, on which the account's proof depends. */
export function acceptedLines({ accountNo, account, chain, isClosed }: Grounds): readonly string[] {
  const gaps = chain === undefined ? [] : acceptedGaps(chain).map(acceptedWords);
  const closure = account !== undefined && isClosed ? closureWords(account) : [];
  return [...gaps, ...closure].map((words) => `${accountNo}: ${words}.`);
}
