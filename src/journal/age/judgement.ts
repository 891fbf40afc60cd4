import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { namesOfAccount } from "../account-name.ts";
import type { Home } from "./home.ts";
import { changeOf } from "./home.ts";
import type { KnownJournal } from "./known-journals.ts";
import { stillLacking } from "./known-journals.ts";
import type { FactEnd, JournalEnd, Mark, Server } from "./marks.ts";
import * as words from "./registration-words.ts";
import type { JournalPaths } from "../failures.ts";

/** An open journal, as far as it shows itself. */
export interface JournalView {
  readonly id: string;
  /** The path of its file, or the database of a shared one as it may be shown. */
  readonly place: string;
  /** How it is at this moment, with the seal of one event, and of one decision. */
  readonly look: (number: number, fact?: number) => Promise<JournalState>;
}

/** How a journal is at one moment. */
export interface JournalState {
  readonly end: JournalEnd;
  /**
   * When the newest order was placed, milliseconds since 1970 by this machine's clock or the service's, whichever was
   * behind; undefined where not known.
   */
  readonly placedAt?: number | undefined;
  /** How many rows of statements it was given. */
  readonly seen: number;
  readonly server: Server | undefined;
  /** Which database on that server; undefined for a file. */
  readonly database?: string | undefined;
  /** Accounts that ever ordered with it. */
  readonly accounts: readonly string[];
  /** The seal of the requested event; undefined where it is missing. */
  readonly seal: string | undefined;
  /** The last decision, where the journal has any. */
  readonly fact?: FactEnd | undefined;
  /** The seal of the requested decision; undefined where it is missing. */
  readonly factSeal?: string | undefined;
  /** True for a role that sees only its own orders, and can't tell what is missing. */
  readonly isPartial: boolean;
}

/** Reads what is at the place of another journal. */
export type Look = (place: string) => Promise<{ readonly id: string } | "missing" | "unreadable">;

/** What a judgement depends on besides the known journals. */
export interface JudgementGrounds {
  readonly host: Pick<Host, "clock" | "files">;
  readonly paths: JournalPaths;
  /** A hash of this machine's id. */
  readonly machine: string | undefined;
  /** Where it is used; undefined for a shared one. */
  readonly home: Home | undefined;
  /** A failure for one that can't be used. */
  readonly mark: Mark | Failure | undefined;
  /** True where another program changed the mark's file since this one did. */
  readonly isMarkTouched: boolean;
  /** Read after the mark. */
  readonly state: JournalState;
  readonly look: Look;
}

/** The judgement of a journal. */
export interface Judgement {
  /** Why no order may be sent. */
  readonly refusal: Failure | undefined;
  /** The part of it that says that the journal lacks, or may lack, orders that were sent from here. */
  readonly lacking: Failure | undefined;
  /** What a person should know where nothing is in the way. */
  readonly notes: readonly string[];
  /** The updated list of known journals; the same list where nothing changes. */
  readonly journals: readonly KnownJournal[];
}

/** Compares a journal with what is known of it from here. */
export async function judgeJournal(
  view: JournalView,
  journals: readonly KnownJournal[],
  grounds: JudgementGrounds,
): Promise<Judgement> {
  const known = journals.find(({ id }) => id === view.id);
  const lacking = lacks(view.place, known, grounds);
  const moved = known === undefined ? undefined : await cameFrom(view, known, grounds);
  const refusal = moved instanceof Failure ? words.alsoBehind(moved, lacking) : lacking;
  if (refusal !== undefined || moved instanceof Failure) return { refusal, lacking, notes: [], journals };
  const { notes, now } = known === undefined ? firstUse(view, journals, grounds) : nextUse(view, known, moved, grounds);
  const others = journals.filter(({ id, place }) => id !== view.id && place !== view.place);
  const isSame = known !== undefined && JSON.stringify(now) === JSON.stringify(known);
  return { refusal, lacking, notes, journals: isSame ? journals : [...others, now] };
}

/** The failure of a journal that lacks orders which were sent from here. */
function lacks(
  place: string,
  known: KnownJournal | undefined,
  { paths, mark, state }: JudgementGrounds,
): Failure | undefined {
  const { end, seen, server, seal, fact, factSeal, isPartial } = state;
  const { money } = paths;
  if (mark instanceof Failure) return mark;
  if (mark === undefined) return known?.isMarked === true ? words.markMissing(place, paths.known, money) : undefined;
  if (mark.number > end.number) return words.fewerEvents(end.number, mark.number, money);
  if (isOlder(server, mark.server))
    return words.olderTimeline(server?.timeline ?? 0, mark.server?.timeline ?? 0, money);
  const isShown = mark.seal !== "" && (!isPartial || seal !== undefined);
  if (isShown && seal !== mark.seal) return words.otherEvent(mark.number, money);
  if (mark.fact !== undefined && !isPartial && factSeal !== mark.fact.seal)
    return words.lostDecision(fact?.number ?? 0, mark.fact.number, money);
  return seen < mark.seen && !isPartial ? words.fewerRows(seen, mark.seen, money) : undefined;
}

function isOlder(now: Server | undefined, then: Server | undefined): boolean {
  return now !== undefined && now.system === then?.system && now.timeline < then.timeline;
}

/** Why it may not be used where it is; else a note where it came from elsewhere. */
async function cameFrom(
  view: JournalView,
  known: KnownJournal,
  grounds: JudgementGrounds,
): Promise<Failure | string | undefined> {
  const { machine, paths, host } = grounds;
  const { place } = view;
  if (words.isShared(place)) return otherServer(place, known, grounds);
  if (isOtherMachine(machine, known)) return words.cloned(place, paths.money);
  if (changeOf(known.home, grounds.home) === "copied") return words.clonedContainer(place, paths.money);
  if (known.place === place || (await host.files.isSame(known.place, place)))
    return restoredInPlace(view, known, grounds);
  const original = await grounds.look(known.place);
  if (original === "unreadable" || (original !== "missing" && original.id === view.id))
    return words.copiedHere(place, known.place, paths.money);
  return `The journal was moved from ${namePath(known.place)} to ${namePath(place)}. ${askedFirst}`;
}

/**
 * A note where an earlier state of this journal may have been restored at its own place. If the profiles were restored
 * with it, their mark is just as old, and nothing else shows it.
 */
function restoredInPlace(
  { place }: JournalView,
  known: KnownJournal,
  { machine, home, isMarkTouched }: JudgementGrounds,
): string | undefined {
  if (isMarkTouched)
    return `What the profiles remember of the journal ${namePath(place)} was changed by another program, as by a restored backup. ${askedFirst}`;
  if (machine === undefined || machine !== known.machine || changeOf(known.home, home) === undefined) return undefined;
  return `The journal ${namePath(place)} is another file than before, as after a restored backup. ${askedFirst}`;
}

/** A server of another name is the same one where its own id says so. */
function otherServer(place: string, known: KnownJournal, { mark, state }: JudgementGrounds): string | undefined {
  const { server } = state;
  const before = mark instanceof Failure ? undefined : mark?.server;
  const isSameSystem = server !== undefined && server.system === before?.system;
  if (isSameSystem && server.timeline > before.timeline)
    return `A standby took over the shared journal ${place}. ${askedFirst}`;
  // One server can have a copy of the database beside it.
  const isSamePlace = known.place === place || (isSameSystem && databaseIn(known.place) === databaseIn(place));
  if (!isSamePlace) return `The shared journal was moved from ${known.place} to ${place}. ${askedFirst}`;
  if (server !== undefined && before !== undefined && !isSameSystem)
    return `The shared journal ${place} is on another server than before. ${askedFirst}`;
  if (known.database === undefined || state.database === undefined || known.database === state.database)
    return undefined;
  return `The database of the shared journal ${place} was restored, or is a copy. ${askedFirst}`;
}

function databaseIn(place: string): string {
  return place.slice(place.lastIndexOf("/"));
}

const askedFirst = "For a day, the statement is asked before an order leaves.";

function isOtherMachine(machine: string | undefined, known: KnownJournal): boolean {
  return machine !== undefined && known.machine !== null && known.machine !== machine;
}

interface Use {
  readonly notes: readonly string[];
  readonly now: KnownJournal;
}

function firstUse(view: JournalView, journals: readonly KnownJournal[], grounds: JudgementGrounds): Use {
  const own = grounds.state.accounts;
  const elsewhere = journals.flatMap(({ accounts }) => accounts ?? []);
  // Where an account has a journal already, that is the one.
  const isElsewhere = (account: string) =>
    namesOfAccount(account, [...own, ...elsewhere]).some((name) => elsewhere.includes(name));
  const now = {
    id: view.id,
    place: view.place,
    isMarked: true,
    machine: grounds.machine ?? null,
    home: grounds.home ?? null,
    database: grounds.state.database,
    accounts: own.filter((account) => !isElsewhere(account)),
    unread: [],
    unreadFrom: null,
    since: grounds.host.clock.now(),
    movedAt: null,
    ...endedBefore(grounds.state, undefined, grounds.host.clock.now()),
    recoveredAt: null,
  };
  return { notes: firstNotes(view.place, grounds.state, journals.at(-1)), now };
}

function firstNotes(place: string, { end }: JournalState, other: KnownJournal | undefined): string[] {
  if (end.number > 0 && !words.isShared(place))
    return [`The journal ${namePath(place)} was not used with these profiles before. ${askedFirst}`];
  if (other === undefined) return [];
  const sentThere = `what was sent with the one in ${namePath(other.place)}`;
  if (!words.isShared(place)) return [`A new journal begins in ${namePath(place)}; it does not know ${sentThere}.`];
  return [
    `The shared journal ${place} is used here for the first time; it knows ${sentThere} only if that was copied into it (partner journal copy).`,
  ];
}

function nextUse(view: JournalView, known: KnownJournal, moved: string | undefined, grounds: JudgementGrounds): Use {
  const { host, machine, state } = grounds;
  // Without an id, as in most containers, this machine can be another one than before; with one, the file can be.
  const isElsewhere = changeOf(known.home, grounds.home) !== undefined;
  const cameNow = moved !== undefined || isElsewhere || (known.machine !== null && machine !== known.machine);
  const now = {
    ...known,
    // Of two names of one file, the first stays.
    place: moved === undefined && !words.isShared(view.place) ? known.place : view.place,
    isMarked: true,
    machine: machine ?? known.machine,
    home: grounds.home ?? null,
    database: state.database ?? known.database,
    accounts: known.accounts ?? [...state.accounts],
    since: correctedTime(known.since, host.clock.now()),
    movedAt: cameNow ? host.clock.now() : correctedTime(known.movedAt, host.clock.now()),
    ...(cameNow ? endedBefore(state, known, host.clock.now()) : { endedAt: known.endedAt ?? null }),
  };
  return { notes: moved === undefined ? [] : [moved], now };
}

/** This program was made later: a machine that starts without a clock may say an earlier time for a while. */
const madeMs = Date.UTC(2026, 0, 1);

/** A recorded time; now where the clock was wrong when it was recorded, and is right by now. */
function correctedTime(time: number | null, now: number): number | null {
  return time !== null && time < madeMs && now >= madeMs ? now : time;
}

/**
 * The time until which it knows all orders: that of its last event, or when the newest order was placed if that was
 * earlier. Later events may have been recorded by a clock that was ahead, and none of them is an order.
 */
export function knownUntil({ end, placedAt = end.at }: Pick<JournalState, "end" | "placedAt">): number {
  return Math.min(end.at, placedAt);
}

/** The same, null before the first event. */
function endOf(state: JournalState): number | null {
  return state.end.number > 0 ? knownUntil(state) : null;
}

/**
 * The time of a journal's last event before it came to another place, and when that was found. Within a day of the
 * move, it may still lack what it lacked then, whatever was ordered with it since.
 */
export function endedBefore(state: JournalState, known: KnownJournal | undefined, now: number) {
  const ended = endOf(state);
  const before = stillLacking(known, now);
  const isLacking = before !== undefined && ended !== null && before.endedAt < ended;
  return isLacking ? before : { endedAt: ended, endedFoundAt: now };
}
