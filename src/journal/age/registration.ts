import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { keepName, namesOfAccount } from "../account-name.ts";
import type { ServedBy } from "./exchanged.ts";
import { nowhere, refuseExchanged } from "./exchanged.ts";
import type { FoundJournal, RegistrationPlace } from "./found-journal.ts";
import { begin, findJournal, readMark, remember } from "./found-journal.ts";
import type { JournalGap } from "./gap.ts";
import { gapOf } from "./gap.ts";
import type { Judgement, JournalView } from "./judgement.ts";
import { endedBefore, judgeJournal, knownUntil } from "./judgement.ts";
import type { Journal } from "../journal.ts";
import type { OwnJournal } from "./known-accounts.ts";
import { accountsOf, refusalOf, union, waitingFor } from "./known-accounts.ts";
import type { KnownJournal, Unsure } from "./known-journals.ts";
import { changeJournals, recallJournals, unsureMs } from "./known-journals.ts";
import type { FactEnd, JournalEnd, Mark } from "./marks.ts";
import { Marks } from "./marks.ts";
import type { Purpose } from "./purpose.ts";
import { inOneLine, lostDecision } from "./registration-words.ts";
import type { Recovery } from "./taken-journal.ts";
import { beingRead, takenJournal } from "./taken-journal.ts";

/** An open journal, and what is known of it. */
export interface RegisteredJournal {
  readonly journal: Journal;
  readonly registration: Registration;
}

/**
 * Has the journal keep the account's name under which orders are to leave.
 * @throws {Failure} setup | unavailable
 */
export async function withName(
  { journal, registration: { accounts } }: RegisteredJournal,
  { use, account }: { readonly use: Purpose; readonly account?: string | undefined },
): Promise<Journal> {
  if (use !== "write" || account === undefined) return journal;
  try {
    await keepName(journal, account, accounts);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/**
 * A journal's standing among the known ones: whether orders go to it, and whether it has every event that it had when
 * the last order was sent. It updates the mark.
 */
export class Registration {
  readonly #host: Host;
  readonly #place: RegistrationPlace;
  readonly #view: JournalView;
  readonly #found: FoundJournal;
  /** Why it may not be used before the statements were read. */
  readonly #lacking: Failure | undefined;
  readonly #admitted = new Map<string, Promise<void>>();
  /** Why no order may leave; undefined where one may. */
  readonly refusal: Failure | undefined;
  #journals: readonly KnownJournal[];
  #mark: Mark;
  #last: JournalEnd;

  private constructor(
    host: Host,
    place: RegistrationPlace,
    view: JournalView,
    found: FoundJournal,
    judgement: Judgement,
  ) {
    this.#host = host;
    this.#place = place;
    this.#view = view;
    this.#found = found;
    this.#mark = found.mark;
    this.#last = found.grounds.state.end;
    this.#lacking = judgement.lacking;
    this.#journals = judgement.journals;
    this.refusal = judgement.refusal;
  }

  /**
   * Judges a journal that was opened. For writing it is remembered, and its mark begins.
   * @throws {Failure} setup where it is opened for writing and no order may leave | unavailable
   */
  static async of(host: Host, place: RegistrationPlace, view: JournalView): Promise<Registration> {
    const { paths, use, adopt, warn, account } = place;
    // The list of journals says that there is a mark, and a mark that there are events: they are read in this order.
    const known = await recallJournals(host, paths, adopt);
    const found = await findJournal(host, place, view);
    const judged = await judgeJournal(view, known, found.grounds);
    if (use !== "write") {
      const { accounts } = found.grounds.state;
      const own = { id: view.id, place: view.place, accounts, journals: known, paths };
      const refusal = judged.refusal ?? (account === undefined ? undefined : refusalOf(account, own));
      const told = [place.looksAtRefusal ? undefined : refusal, account && waitingFor(account, own)];
      for (const line of use === "read" ? told.flatMap(inOneLine) : []) await warn(line);
      return new Registration(host, place, view, found, { ...judged, refusal, journals: known });
    }
    if (judged.refusal !== undefined) throw judged.refusal;
    await begin(found);
    const journals = judged.journals === known ? known : await remember(host, place, view, found);
    const registration = new Registration(host, place, view, found, { ...judged, journals });
    if (account !== undefined) registration.#refuse(account, journals);
    for (const line of judged.notes) await warn(line);
    return registration;
  }

  /** Undefined where it began, came from elsewhere or was recovered more than a day ago. */
  get unsure(): Unsure | undefined {
    const now = this.#host.clock.now();
    const own = this.#own;
    const times = own === undefined ? [now] : [own.since, own.movedAt, own.recoveredAt];
    // A time in the future was recorded by a clock that was ahead, for an unknown time.
    const recent = times.filter((time) => time !== null && now - time < unsureMs).map(Number);
    return recent.length === 0 ? undefined : { since: Math.max(...recent), knownUntil: own?.endedAt ?? undefined };
  }

  /** Accounts that had ordered with it when it was opened. */
  get accounts(): readonly string[] {
    return this.#found.grounds.state.accounts;
  }

  /** All names that an account has in this journal or in another one that is known, `account` first. */
  namesOf(account: string): readonly string[] {
    return namesOfAccount(account, union(this.accounts, this.#journals.flatMap(accountsOf)));
  }

  /** Accounts whose statements have to be read before an order of theirs leaves. */
  get unread(): readonly string[] {
    return this.#own?.unread ?? [];
  }

  /**
   * Lets orders of an account leave with this journal, and remembers that they do.
   * @throws {Failure} setup where they go to another one, or its statements have to be read first | unavailable
   */
  admit(account: string, wallet: string): Promise<void> | undefined {
    const { accounts, unread = [], unreadWallets = [] } = this.#own ?? {};
    const isClear = !unread.includes(account) && unreadWallets.length === 0;
    if (accounts?.includes(account) === true && isClear) return undefined;
    const key = `${account} ${wallet}`;
    let admission = this.#admitted.get(key);
    if (admission === undefined) {
      admission = this.#admit(account, wallet);
      this.#admitted.set(key, admission);
      admission.catch(() => this.#admitted.delete(key));
    }
    return admission;
  }

  async #admit(account: string, wallet: string): Promise<void> {
    this.#refuse(account, this.#journals, wallet);
    const { paths, adopt } = this.#place;
    this.#journals = await changeJournals(this.#host, paths, adopt, (journals) => {
      // Another process may have begun with a journal elsewhere.
      this.#refuse(account, journals, wallet);
      return journals.map((journal) =>
        journal.id === this.#view.id ? { ...journal, accounts: union(journal.accounts ?? [], [account]) } : journal,
      );
    });
  }

  #refuse(account: string, journals: readonly KnownJournal[], wallet?: string): void {
    const refusal = refusalOf(account, this.#ownAmong(journals), wallet);
    if (refusal !== undefined) throw refusal;
  }

  #ownAmong(journals: readonly KnownJournal[]): OwnJournal {
    const { id, place } = this.#view;
    return { id, place, accounts: this.accounts, journals, paths: this.#place.paths };
  }

  /** The last event that this process knows of. */
  get last(): Pick<JournalEnd, "number" | "seal"> {
    return this.#last;
  }

  /**
   * Checks, before an order is recorded, that the journal was not replaced by an earlier copy meanwhile.
   * @param last as it was when its event was looked up
   * @param there the seal that this event has by now
   * @param served where a shared one is by now
   * @throws {Failure} setup
   */
  follow(last: Pick<JournalEnd, "number" | "seal">, there: string | undefined, served = nowhere): void {
    refuseExchanged(last, there, { before: this.servedBy, now: served }, this.#place.paths.money);
  }

  /** Where a shared one was when it was opened. */
  get servedBy(): ServedBy {
    const { database, server } = this.#found.grounds.state;
    return { database, timeline: server?.timeline };
  }

  /** The last decision that this process knows of; undefined where the journal has none. */
  get lastFact(): FactEnd | undefined {
    return this.#mark.fact;
  }

  /**
   * The same as `follow` for decisions.
   * @throws {Failure} setup
   */
  followFact(last: FactEnd, there: string | undefined, now: FactEnd | undefined): void {
    const { money } = this.#place.paths;
    if (there !== last.seal) throw lostDecision(now?.number ?? 0, last.number, money);
  }

  /** Remembers the last decision by now, for the next mark. */
  knowFact(now: FactEnd): void {
    if (now.number > (this.#mark.fact?.number ?? 0)) this.#mark = { ...this.#mark, fact: now };
  }

  /**
   * Brings the mark up to date before an order leaves.
   * @throws {Failure} setup: it must not leave then
   */
  keep(end: JournalEnd): void {
    this.#found.marks.keep({ ...this.#mark, ...end });
    this.#advance(end);
  }

  /** The same for what nothing depends on, such as an outcome. */
  note(end: JournalEnd): void {
    if (end.number <= this.#mark.number) return;
    this.#advance(end);
    this.#found.marks.note(this.#mark);
  }

  /** Since when it may lack orders of an account. */
  async gap(account: string): Promise<JournalGap> {
    const { id, place } = this.#view;
    const { mark, state } = this.#found.grounds;
    const lost = this.#journals.filter((journal) => journal.id !== id && journal.place === place);
    const { paths } = this.#place;
    const marks = await Promise.all(lost.map((journal) => readMark(new Marks(this.#host, paths, journal.id))));
    return gapOf(account, {
      ...this.#ownAmong(this.#journals),
      end: state.end,
      knownUntil: knownUntil(state),
      isBehind: this.#lacking !== undefined,
      mark: mark instanceof Failure ? undefined : mark,
      now: this.#host.clock.now(),
      lostMarks: marks.map((each) => (each instanceof Failure ? undefined : each)),
    });
  }

  /**
   * Locks an account for orders until its statements are read from that day on: an interrupted reading stays on record.
   * @throws {Failure} setup | unavailable
   */
  async beginReading(account: string, from: number): Promise<void> {
    const { paths, adopt } = this.#place;
    this.#journals = await changeJournals(this.#host, paths, adopt, (journals) =>
      journals.map((journal) => (journal.id === this.#view.id ? beingRead(journal, account, from) : journal)),
    );
  }

  /**
   * Makes this the known journal of these accounts, in this place and on this machine, with its current end.
   * @param read since when orders may be missing, milliseconds since 1970, and which statements could not be read;
   * undefined where none were
   * @throws {Failure} setup where it lacks orders that were sent, and no statements were read | unavailable
   */
  async take(accounts: readonly string[], read?: Omit<Recovery, "isBehind">): Promise<void> {
    const { paths, adopt } = this.#place;
    const { id, place } = this.#view;
    if (read === undefined && this.#lacking !== undefined) throw this.#lacking;
    const state = await this.#view.look(0);
    const { end, seen, server, database, fact, accounts: own } = state;
    const mark = { ...end, seen, server, fact, epoch: this.#mark.epoch + (read === undefined ? 0 : 1) };
    await this.#found.marks.prepare(mark);
    this.#found.marks.keep(mark);
    this.#mark = mark;
    const recovery = read === undefined ? undefined : { ...read, isBehind: this.#lacking !== undefined };
    const { machine = null, home = null } = this.#found.grounds;
    const now = this.#host.clock.now();
    const ended = endedBefore(state, this.#own, now);
    const taking = { id, place, machine, home, database, own, accounts, ended, recovery, now };
    const change = (journals: readonly KnownJournal[]) => takenJournal(journals, taking);
    this.#journals = await changeJournals(this.#host, paths, adopt, change);
  }

  #advance(end: JournalEnd): void {
    if (end.number > this.#mark.number) this.#mark = { ...this.#mark, ...end };
    if (end.number > this.#last.number) this.#last = end;
  }

  get #own(): KnownJournal | undefined {
    return this.#journals.find(({ id }) => id === this.#view.id);
  }
}
