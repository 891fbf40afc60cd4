import { encodeRequest } from "../../contract/request.ts";
import type { WeakRow } from "../../evidence/finding.ts";
import { nameRow } from "../../evidence/finding.ts";
import type { LookupResult, Sources } from "../../evidence/inquiry.ts";
import { Inquiry, readingsMax } from "../../evidence/inquiry.ts";
import { readRow } from "../../evidence/rows/statement-row.ts";
import { isNoWallet } from "../../evidence/rows/wallet-rows.ts";
import type { OrderInQuestion } from "../../evidence/expected-row.ts";
import type { FormerAttempt } from "../../journal/former-attempts.ts";
import { refusedByWord } from "../../journal/former-attempts.ts";
import type { Journal, SeenRow, Settlement } from "../../journal/journal.ts";
import type { Movement, MovementEvent, MovementKind } from "../../journal/movement.ts";
import { spreadByNow, spreadWhenPlaced } from "../../journal/service-time.ts";
import { mayClaim } from "../../journal/transitions.ts";
import { keptRow } from "../../journal/requests/movement-request.ts";
import type { Day } from "../../values/time/day.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import type { ClockSpread } from "../../values/time/service-clock.ts";
import { daysAt } from "../../values/time/service-clock.ts";
import type { StatementCheckMode } from "../../values/statement-check.ts";
import type { MoneyOrder } from "../order.ts";
import { settlementBy } from "../resolve/statement-decision.ts";
import type { Witness } from "./witness.ts";
import { doubtful, doubtfulRows, seenWords, unreadStatement } from "./witness-failures.ts";

/** How many days of a statement are read by default. */
export const checkDefaultDays = 3;

/** The largest number of days to read: spec 4.6 allows a year. */
export const checkMaxDays = 366;

/** When to read the statement, and what its rows decide. */
export interface WitnessOptions {
  readonly check: StatementCheckMode;
  readonly days: number;
  /** True where a person has confirmed the order although a row looks like it. */
  readonly again: boolean;
  readonly nowMs: () => number;
  /** True for a reference that was made in this run: it can't have been sent before. */
  readonly isMade: (reference: string) => boolean;
}

/** Kinds of orders that a statement shows soon and reliably. */
const checkedKinds: ReadonlySet<MovementKind> = new Set(["transfer", "withdraw", "collect", "payout"]);
/** Rows without the reference can be the same payment from the day before it on, as everywhere else. */
const namesakeDays = 1;

/** What the statement says about an order that is about to be sent. */
export interface Testimony {
  /** The earlier payment; undefined where no row proves one. */
  readonly paid: Settlement | undefined;
  /** Rows that are reasons not to send it, in words. */
  readonly doubts: readonly string[];
}

/** Where a witness reads from. A long run can go past midnight. */
type WitnessSources = Omit<Sources, "nowMs">;

interface Read {
  /** The spread of the service's clock when they were read. */
  readonly spread: ClockSpread;
  /** The first day of the statements. */
  readonly from: Day;
  readonly inquiry: Inquiry;
}

/** Where an order needs an earlier day than was read, so many more days are read with it, as others may need them. */
const furtherDays = 31;
/** How many orders the journal is asked for at once: each question to one on another machine takes a round trip. */
const pieceOrders = 100;

const clear: Testimony = { paid: undefined, doubts: [] };

/**
 * The service's statement as the second witness: it is read where the journal may be incomplete, and for a reference
 * that a statement has shown.
 */
export class SecondWitness implements Witness {
  readonly #sources: WitnessSources;
  readonly #options: WitnessOptions;
  /** All orders of a batch. */
  #orders: (() => AsyncIterable<MoneyOrder>) | undefined;
  /** The statements read for these orders. */
  #reading: Promise<Read> | undefined;
  #due: Promise<boolean> | undefined;
  #unsureJournal: ReturnType<Journal["unsure"]> | undefined;

  constructor(sources: WitnessSources, options: WitnessOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  async findPayment(order: MoneyOrder, seen: readonly SeenRow[] = []): Promise<Settlement | undefined> {
    const { paid, doubts } = await this.testify(order, seen);
    if (paid === undefined && doubts.length > 0 && !this.#options.again) throw doubtful(order, doubts);
    return paid;
  }

  /**
   * The same for a caller that can ask a person.
   * @throws {Failure} unavailable | setup | interrupted
   */
  async testify(order: MoneyOrder, seen: readonly SeenRow[] = []): Promise<Testimony> {
    const former = (await this.#refusedByWord([order]))(order);
    const isDue = checkedKinds.has(order.kind) && (former.length > 0 || (await this.#isDue()));
    if (!isDue && seen.length === 0) return clear;
    const { asked, inquiry } = await this.#inquire(order, seen, former);
    const result = await inquiry.look(asked);
    if (result.kind === "unread" && !isNoWallet(result.failure)) throw unreadStatement(order, result.failure, isDue);
    const doubts = this.#doubtsOf(order, result);
    // A row that a statement has shown once counts even where it has disappeared since.
    return { paid: settlementBy(result, inquiry), doubts: doubts.length > 0 ? doubts : seen.map(seenWords) };
  }

  /**
   * Reads the statements of all wallets that a batch's orders are booked on, each once, and judges every order.
   * @param orders to send; iterated several times
   * @throws {Failure} usage, with every order that a row speaks against | unavailable, for the batch as a whole | setup |
   * interrupted
   */
  async prepare(orders: () => AsyncIterable<MoneyOrder>): Promise<void> {
    this.#orders = orders;
    this.#reading = undefined;
    this.#due = undefined;
    this.#unsureJournal = undefined;
    if (!(await this.#isDue())) return;
    const violations: [string, string][] = [];
    for await (const order of orders()) {
      const { paid, doubts } = await this.testify(order);
      if (paid === undefined && doubts.length > 0) violations.push([order.reference, doubts.join("; ")]);
    }
    if (violations.length > 0 && !this.#options.again) throw doubtfulRows(violations);
  }

  /** By the earlier clock, where this machine's and the service's differ. */
  get #today(): Day {
    return daysAt(this.#options.nowMs(), this.#sources.clock.spread).earliest;
  }

  /**
   * Reads the statements up to the days that today may be, and again where an answer shows that the service's clock
   * differs.
   */
  async #inquire(order: MoneyOrder, seen: readonly SeenRow[], former: readonly FormerAttempt[]) {
    const { clock } = this.#sources;
    for (let readingsLeft = readingsMax; ; readingsLeft--) {
      const { spread, isObserved } = clock;
      const asked = this.#questionOf(order, former);
      const daysOf = former.map((each) => this.#firstDayOf(each));
      const from = daysOf.reduce(earlier, firstDay(seen, await this.#firstDay()));
      const inquiry = await this.#inquiryFrom(from, asked);
      const isNews = clock.spread !== spread || (former.length > 0 && clock.isObserved !== isObserved);
      if (!isNews || readingsLeft === 1) return { asked, inquiry };
    }
  }

  /**
   * For each order, its attempts that only a person, a callback or a status called refused: their rows may have been
   * booked since, whatever became of later attempts.
   */
  async #refusedByWord(orders: readonly MoneyOrder[]): Promise<(order: MoneyOrder) => readonly FormerAttempt[]> {
    const { journal, scope } = this.#sources;
    const { check, isMade } = this.#options;
    const asked = check === "never" ? [] : orders.filter(({ reference }) => !isMade(reference));
    const again = (await journal.findAll(scope, asked)).filter(
      (movement) => mayClaim(movement) && (movement.attempt > 1 || isRefusedByWord(movement)),
    );
    const histories = again.length === 0 ? undefined : await journal.eventsOf(again.map(({ id }) => id));
    const former = new Map(
      again.map((movement) => [nameOf(movement), attemptsOf(movement, histories?.get(movement.id) ?? [])]),
    );
    return (order) => former.get(nameOf(order)) ?? [];
  }

  /** True where the journal may be incomplete, or the statement is to be read in any case. */
  #isDue(): Promise<boolean> {
    const { check } = this.#options;
    if (check !== "unsure") return Promise.resolve(check === "always");
    return (this.#due ??= this.#unsure().then((unsure) => unsure !== undefined));
  }

  #unsure(): ReturnType<Journal["unsure"]> {
    return (this.#unsureJournal ??= this.#sources.journal.unsure());
  }

  /**
   * The first day to read: the default number of days ago, or the day of the last order of a relocated journal if that
   * is earlier.
   */
  async #firstDay(): Promise<Day> {
    const wished = this.#today.addDays(-this.#options.days);
    const knownUntil = (await this.#unsure())?.knownUntil;
    if (knownUntil === undefined) return wished;
    const [ended, earliest] = [dayInDarEsSalaam(knownUntil), this.#today.addDays(-checkMaxDays)];
    const first = ended.compare(earliest) < 0 ? earliest : ended;
    return first.compare(wished) < 0 ? first : wished;
  }

  /** The first day on which a row of an earlier order can be, by whichever clock was behind when it left. */
  #firstDayOf(former: FormerAttempt): Day {
    const spread = spreadByNow(former, this.#options.nowMs(), this.#sources.clock);
    return daysAt(former.openedAt, spread).earliest.addDays(-namesakeDays);
  }

  #questionOf({ kind, reference, endpoint, input }: MoneyOrder, former: readonly FormerAttempt[]): OrderInQuestion {
    const request = encodeRequest(endpoint, input).body ?? "{}";
    const { scope, clock } = this.#sources;
    const [openedAt, spread] = [this.#options.nowMs(), clock.spread];
    return { scope, kind, reference, request, response: null, transactionId: null, openedAt, spread, former };
  }

  /** The statements from that day on; those of a batch are read once for all of its orders. */
  async #inquiryFrom(from: Day, order: OrderInQuestion): Promise<Inquiry> {
    const { clock } = this.#sources;
    const sources = { ...this.#sources, nowMs: this.#options.nowMs() };
    if (this.#orders === undefined || !checkedKinds.has(order.kind)) return Inquiry.into([order], sources, from);
    const known = await this.#reading;
    if (known?.spread !== clock.spread || known.from.compare(from) > 0)
      this.#reading = this.#readAll(this.#orders, known === undefined ? from : from.addDays(-furtherDays), sources);
    const inquiry = (await this.#reading)?.inquiry;
    // Another process was sending it when the orders were read.
    return inquiry?.has(order) === true ? inquiry : Inquiry.into([order], sources, from);
  }

  async #readAll(orders: () => AsyncIterable<MoneyOrder>, from: Day, sources: Sources): Promise<Read> {
    const { spread } = sources.clock;
    const inquiry = new Inquiry(sources, from);
    for await (const piece of inPieces(orders())) {
      const formerOf = await this.#refusedByWord(piece);
      for (const order of piece) await inquiry.add(this.#questionOf(order, formerOf(order)));
    }
    await inquiry.read();
    return { from, inquiry, spread };
  }

  #doubtsOf({ reference }: MoneyOrder, result: LookupResult): string[] {
    if (result.kind !== "weak") return [];
    return result.seen
      .filter((row) => speaksAgainstSending(row) || (!this.#options.isMade(reference) && this.#isNamesake(row)))
      .map(({ row, why }) => `${nameRow(row)}, ${why}`);
  }

  #isNamesake({ isNamesake, row }: WeakRow): boolean {
    const first = this.#today.addDays(-namesakeDays);
    return isNamesake && row.valueDay !== undefined && row.valueDay.compare(first) >= 0;
  }
}

/** The orders of kinds that a statement shows, some at a time. */
async function* inPieces(orders: AsyncIterable<MoneyOrder>): AsyncGenerator<readonly MoneyOrder[]> {
  let piece: MoneyOrder[] = [];
  for await (const order of orders) {
    if (!checkedKinds.has(order.kind)) continue;
    piece.push(order);
    if (piece.length < pieceOrders) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

function nameOf({ kind, reference }: Pick<MoneyOrder, "kind" | "reference">): string {
  return `${kind} ${reference}`;
}

/** All attempts that were called refused by word alone, including the latest one. @param events its history */
function attemptsOf(movement: Movement, events: readonly MovementEvent[]): readonly FormerAttempt[] {
  const latest = { ...movement, spread: spreadWhenPlaced(events), isRefusedByWord: true };
  return [...refusedByWord(events), ...(isRefusedByWord(movement) ? [latest] : [])];
}

function isRefusedByWord({ state, evidence }: Movement): boolean {
  return state === "refused" && evidence !== "answer";
}

/** True for a row that has the reference, whatever it booked, or that mentions it with the order's amount. */
function speaksAgainstSending({ reference, hasItsAmount, isOneOfSeveral }: WeakRow): boolean {
  return isOneOfSeveral || reference === "carried" || (reference === "named" && hasItsAmount);
}

function earlier(one: Day, other: Day): Day {
  return one.compare(other) < 0 ? one : other;
}

/** The day of the earliest row, where it is before `day`. */
function firstDay(seen: readonly SeenRow[], day: Day): Day {
  return seen.reduce((first, { accountNo, row }) => {
    const { valueDay } = readRow(accountNo, keptRow(row));
    return valueDay !== undefined && valueDay.compare(first) < 0 ? valueDay : first;
  }, day);
}
