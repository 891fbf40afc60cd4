import { dirname, join } from "node:path";
import { Failure } from "../../values/failure.ts";
import { namePath, pathWord } from "../../values/text/path-name.ts";
import { recoverHint } from "./marks.ts";
import type { JournalPaths } from "../failures.ts";
import { uncertainFate } from "../failures.ts";

type Money = JournalPaths["money"];

/** The failure reason of a journal that lacks orders which were sent from here, or may lack them. */
export const behindReason = "behind";

const older = "This journal is older than what was sent from here";

/** The failure of a journal that lacks events which were there when an order left. */
export function fewerEvents(end: number, mark: number, money: Money): Failure {
  return behind(`${older}: it ends at event ${end}, ${mark} were written.`, money);
}

/** The same for one that went on from an earlier state. */
export function otherEvent(mark: number, money: Money): Failure {
  return behind(`${older}, and went on from there: its event ${mark} differs from the one written before.`, money);
}

/** The same for one that was exchanged for an earlier state while it was open. */
export function lostEvent(number: number, money: Money): Failure {
  return behind(`${older}: its event ${number}, which was written, is missing.`, money);
}

/** The failure reason of a journal that only a new run may use. */
const exchangedReason = "exchanged";

/** True for a failure that does not pass while this run has the journal open. */
export function needsNewRun({ reason }: Failure): boolean {
  return reason === exchangedReason || reason === behindReason;
}

/** The failure of a shared one that was restored or copied while it was open: what it lacks is not known. */
export function otherDatabase(money: Money): Failure {
  return exchanged("The database of the shared journal was restored, or exchanged for a copy, meanwhile.", money);
}

/** The same where the server is on another timeline than at first: a standby took over, or gave way to the former server. */
export function otherTimeline(now: number | undefined, before: number | undefined, money: Money): Failure {
  if (now !== undefined && before !== undefined && now < before) return olderTimeline(now, before, money);
  return exchanged("A standby took over the shared journal meanwhile.", money);
}

function exchanged(message: string, money: Money): Failure {
  const hint = "Nothing was sent. Run it again: the statement is asked then before an order leaves.";
  return new Failure("setup", message, { hint, money: uncertainFate({ money }), reason: exchangedReason });
}

/** The same for one whose rows of statements are gone. */
export function fewerRows(left: number, mark: number, money: Money): Failure {
  return behind(`${older}: of ${mark} rows of statements that were read into it, ${left} are left.`, money);
}

/** The same for one that lacks what people decided, or has another decision in its place. */
export function lostDecision(end: number, mark: number, money: Money): Failure {
  if (end < mark)
    return behind(`${older}: it has ${end} lines about batches and rules, and ${mark} were seen here.`, money);
  return behind(
    `${older}, and went on from there: line ${mark} of those about batches and rules differs from the one seen before.`,
    money,
  );
}

/** The same for a server that a standby took over from, and that came back. */
export function olderTimeline(timeline: number, mark: number, money: Money): Failure {
  return behind(`${older}: its server is on timeline ${timeline}, and timeline ${mark} was used.`, money);
}

function behind(message: string, money: Money): Failure {
  return new Failure("setup", message, { hint: recoverHint, money: uncertainFate({ money }), reason: behindReason });
}

/** The failure of a journal that had a mark, where the mark is gone or unreadable. */
export function markMissing(place: string, known: string, money: Money): Failure {
  const marks = namePath(join(dirname(known), "marks"));
  const message = `The mark in ${marks} that says how far the journal ${namePath(place)} was at its last order is missing or damaged.`;
  return new Failure("setup", message, { hint: recoverHint, money: uncertainFate({ money }), reason: behindReason });
}

/** The failure of a second copy of a journal on this machine. */
export function copiedHere(place: string, original: string, money: Money): Failure {
  return new Failure("setup", `The journal ${namePath(place)} is a copy: the original is in ${namePath(original)}.`, {
    hint: `Nothing was sent. Use the original: PARTNER_STATE_DIR=${pathWord(dirname(original))}. To use this one in its place: partner journal move`,
    money: uncertainFate({ money }),
  });
}

/** The failure of a journal that another machine used last. */
export function cloned(place: string, money: Money): Failure {
  return new Failure("setup", `The journal ${namePath(place)} is a clone: another machine used it last.`, {
    hint:
      "Nothing was sent. Two machines that send with clones of one journal pay twice. Where this machine takes over: " +
      "partner journal move. Where the other one goes on, read the statements first: partner journal recover. " +
      "Where both send, let them share one: partner journal copy",
    money: uncertainFate({ money }),
  });
}

/** The same for a machine without an id: its container and its folder are others than before. */
export function clonedContainer(place: string, money: Money): Failure {
  const { hint } = cloned(place, money);
  const message = `The journal ${namePath(place)} is a clone: another container used it last, in another folder.`;
  return new Failure("setup", message, { hint, money: uncertainFate({ money }) });
}

/** The failure of a journal that may not be used where it is, and also lacks orders that were sent. */
export function alsoBehind(failure: Failure, lacking: Failure | undefined): Failure {
  if (lacking === undefined) return failure;
  const { hint, money } = failure;
  return new Failure("setup", `${failure.message} ${lacking.message}`, { hint, money, reason: behindReason });
}

/** The failure of an order whose account has its orders in another journal. */
export function otherJournal(place: string, other: Elsewhere, money: Money): Failure {
  const lacks = other.isEmptyHere ? "has no order of this account" : "doesn't have all orders of this account";
  const which = other.isCertain ? "they are" : "they may be";
  return new Failure("setup", `The journal ${namePath(place)} ${lacks}: ${which} in ${namePath(other.place)}.`, {
    hint: `Nothing was sent. Use that one: ${howToUse(other.place, place)}. To use this one in its place: partner journal move. To read the statements first: partner journal recover`,
    money: uncertainFate({ money }),
  });
}

/** Another journal that an account's orders went to. */
export interface Elsewhere {
  readonly place: string;
  /** False where its accounts are not known. */
  readonly isCertain: boolean;
  /** True where the journal that is open has none of the account. */
  readonly isEmptyHere: boolean;
}

/** The failure of an order whose account's statements were not read into a journal that was behind. */
export function unreadAccount(account: string, money: Money): Failure {
  const message = `The statements of this account (${account}) were not read to their end: the journal may lack orders of it.`;
  return new Failure("setup", message, { hint: recoverHint, money: uncertainFate({ money }) });
}

/** The reason of the failure of an order that waits for one wallet's statement, and keeps no other order back. */
export const walletUnreadReason = "unread wallet";

/** The same for one wallet whose statement could not be read when those of the others were. */
export function unreadWallet(accountNo: string, money: Money): Failure {
  const message = `The statement of wallet ${accountNo} was not read: the journal may lack orders that it shows.`;
  const hint = "Read it, and its orders can leave, collections and remittances too: partner journal recover";
  return new Failure("setup", message, { hint, money: uncertainFate({ money }), reason: walletUnreadReason });
}

function howToUse(place: string, here: string): string {
  if (isShared(place)) return `PARTNER_JOURNAL_URL=${place}`;
  const local = `PARTNER_STATE_DIR=${pathWord(dirname(place))}`;
  return isShared(here) ? `${local}, without PARTNER_JOURNAL_URL and the profile's journal` : local;
}

/** True for the name of a database. */
export function isShared(place: string): boolean {
  return place.startsWith("postgres://");
}

/** A failure as a note for commands that only read; none without a failure. */
export function inOneLine(failure: Failure | "" | undefined): string[] {
  return failure ? [`${failure.message} ${failure.hint ?? ""}`] : [];
}
