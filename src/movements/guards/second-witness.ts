import { encodeRequest } from "../../contract/request.ts";
import type { WeakRow } from "../../evidence/finding.ts";
import { nameRow } from "../../evidence/finding.ts";
import type { Insight, Sources } from "../../evidence/inquiry.ts";
import { Inquiry, readingsMax } from "../../evidence/inquiry.ts";
import { readRow } from "../../evidence/statement-row.ts";
import { isNoWallet } from "../../evidence/wallet-rows.ts";
import type { OrderInQuestion } from "../../evidence/trial.ts";
import type { Journal, SeenRow, Settlement } from "../../journal/journal.ts";
import type { Movement, MovementKind } from "../../journal/movement.ts";
import { keptRow } from "../../journal/movement-kinds.ts";
import { movementNouns } from "../../journal/movement.ts";
import type { Day } from "../../values/time/day.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import type { ClockSpread } from "../../values/time/service-clock.ts";
import { daysAt } from "../../values/time/service-clock.ts";
import { Failure } from "../../values/failure.ts";
import type { StatementCheck } from "../../values/statement-check.ts";
import type { MoneyOrder } from "../order.ts";
import { settlementBy } from "../resolve/statement-decision.ts";
import type { Witness } from "./witness.ts";

/** How many days of a statement are read where nobody says otherwise. */
export const checkDefaultDays = 3;

/** More days are never read: spec 4.6 takes a year. */
export const checkMaxDays = 366;

/** When the statement is asked, and what its answer is worth. */
export interface WitnessOptions {
  readonly check: StatementCheck;
  readonly days: number;
  /** True where a person has said that the order is meant although a row looks like it. */
  readonly again: boolean;
  readonly nowMs: () => number;
  /** A reference that was made for this run cannot have been sent before. */
  readonly isMade: (reference: string) => boolean;
}

/** Kinds that a statement shows soon and surely enough to be asked. */
const checkedKinds: ReadonlySet<MovementKind> = new Set(["transfer", "withdraw", "collect", "payout"]);
/** Rows without the reference count as the same payment from the day before on, as everywhere. */
const namesakeDays = 1;

/** What the statement says of an order that is about to leave. */
export interface Testimony {
  /** How it was paid before; undefined where nothing proves that. */
  readonly paid: Settlement | undefined;
  /** Rows that speak against sending it, in words. */
  readonly doubts: readonly string[];
}

/** Where a witness gets its answers from. Today is another day when a run goes on for long. */
type WitnessSources = Omit<Sources, "nowMs">;

interface Read {
  /** What was known of the service's clock when they were read. */
  readonly spread: ClockSpread;
  /** The first day of the statements. */
  readonly from: Day;
  readonly inquiry: Inquiry;
}

/** Rows that were seen lie on many days: where one is older than what was read, so many more days are read with it. */
const furtherDays = 31;

const clear: Testimony = { paid: undefined, doubts: [] };

/**
 * The service's statement as the second witness: it is asked where the journal may not know all that was sent, and for
 * a reference that a statement has shown.
 */
export class SecondWitness implements Witness {
  readonly #sources: WitnessSources;
  readonly #wish: WitnessOptions;
  /** All orders of a batch. */
  #orders: (() => AsyncIterable<MoneyOrder>) | undefined;
  /** The statements that were read for them. */
  #reading: Promise<Read> | undefined;
  #due: Promise<boolean> | undefined;
  #unsureJournal: ReturnType<Journal["unsure"]> | undefined;

  constructor(sources: WitnessSources, wish: WitnessOptions) {
    this.#sources = sources;
    this.#wish = wish;
  }

  async hear(order: MoneyOrder, seen: readonly SeenRow[] = []): Promise<Settlement | undefined> {
    const { paid, doubts } = await this.testify(order, seen);
    if (paid === undefined && doubts.length > 0 && !this.#wish.again) throw doubtful(order, doubts);
    return paid;
  }

  /**
   * The same for whoever can ask a person.
   * @throws {Failure} unavailable | setup | interrupted
   */
  async testify(order: MoneyOrder, seen: readonly SeenRow[] = []): Promise<Testimony> {
    const former = await this.#refusedByWord(order);
    const isDue = checkedKinds.has(order.kind) && (former !== undefined || (await this.#isDue()));
    if (!isDue && seen.length === 0) return clear;
    const { asked, inquiry } = await this.#inquire(order, seen, former);
    const insight = await inquiry.look(asked);
    if (insight.kind === "unread" && !isNoWallet(insight.failure)) throw unheard(order, insight.failure, isDue);
    const doubts = this.#doubtsOf(order, insight);
    // What a statement has shown once doesn't go away: where it is gone, nobody knows what became of it.
    return { paid: settlementBy(insight, inquiry), doubts: doubts.length > 0 ? doubts : seen.map(seenWords) };
  }

  /**
   * Reads the statements of all wallets that orders of a batch are booked on, each once, and judges every order.
   * @param orders what is to be sent; gone through several times
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
    if (violations.length > 0 && !this.#wish.again) throw doubtfulRows(violations);
  }

  /** By the clock that is behind, where this machine's and the service's differ. */
  get #today(): Day {
    return daysAt(this.#wish.nowMs(), this.#sources.clock.spread).earliest;
  }

  /** Reads the statements for the days that it may be, again where an answer tells that it may be others. */
  async #inquire(order: MoneyOrder, seen: readonly SeenRow[], former: Movement | undefined) {
    const { clock } = this.#sources;
    for (let readingsLeft = readingsMax; ; readingsLeft--) {
      const { spread } = clock;
      const { response = null, transactionId = null } = former ?? {};
      const asked = { ...this.#questionOf(order), response, transactionId };
      const from = firstDay(seen, await this.#firstDay());
      const inquiry = await this.#inquiryFrom(former === undefined ? from : earlier(from, firstDayOf(former)), asked);
      if (clock.spread === spread || readingsLeft === 1) return { asked, inquiry };
    }
  }

  /**
   * The same order as it was sent before, where a person or a callback alone says that it was refused: its row may have
   * come since.
   */
  async #refusedByWord({ kind, reference }: MoneyOrder): Promise<Movement | undefined> {
    const { journal, scope } = this.#sources;
    if (this.#wish.check === "never" || this.#wish.isMade(reference)) return undefined;
    const former = await journal.find({ scope, kind, reference });
    return former?.state === "refused" && former.evidence !== "answer" ? former : undefined;
  }

  /** True where the journal may not know all that was sent, or a person wants the statement asked in any case. */
  #isDue(): Promise<boolean> {
    const { check } = this.#wish;
    if (check !== "unsure") return Promise.resolve(check === "always");
    return (this.#due ??= this.#unsure().then((unsure) => unsure !== undefined));
  }

  #unsure(): ReturnType<Journal["unsure"]> {
    return (this.#unsureJournal ??= this.#sources.journal.unsure());
  }

  /** So many days as are wished for, and where the journal came here with older orders, from the last of them on. */
  async #firstDay(): Promise<Day> {
    const wished = this.#today.addDays(-this.#wish.days);
    const knownUntil = (await this.#unsure())?.knownUntil;
    if (knownUntil === undefined) return wished;
    const [ended, earliest] = [dayInDarEsSalaam(knownUntil), this.#today.addDays(-checkMaxDays)];
    const first = ended.compare(earliest) < 0 ? earliest : ended;
    return first.compare(wished) < 0 ? first : wished;
  }

  #questionOf({ kind, reference, endpoint, input }: MoneyOrder): OrderInQuestion {
    const request = encodeRequest(endpoint, input).body ?? "{}";
    const { scope, clock } = this.#sources;
    const [openedAt, spread] = [this.#wish.nowMs(), clock.spread];
    return { scope, kind, reference, request, response: null, transactionId: null, openedAt, spread };
  }

  /** The statements from that day on; those of a batch are read for all of its orders at once. */
  async #inquiryFrom(from: Day, order: OrderInQuestion): Promise<Inquiry> {
    const { clock } = this.#sources;
    const sources = { ...this.#sources, nowMs: this.#wish.nowMs() };
    if (this.#orders === undefined || !checkedKinds.has(order.kind)) return Inquiry.into([order], sources, from);
    const known = await this.#reading;
    if (known?.spread === clock.spread && known.from.compare(from) <= 0) return known.inquiry;
    this.#reading = this.#readAll(this.#orders, known === undefined ? from : from.addDays(-furtherDays), sources);
    return (await this.#reading).inquiry;
  }

  async #readAll(orders: () => AsyncIterable<MoneyOrder>, from: Day, sources: Sources): Promise<Read> {
    const { spread } = sources.clock;
    const inquiry = new Inquiry(sources, from);
    for await (const order of orders()) if (checkedKinds.has(order.kind)) await inquiry.add(this.#questionOf(order));
    await inquiry.read();
    return { from, inquiry, spread };
  }

  #doubtsOf({ reference }: MoneyOrder, insight: Insight): string[] {
    if (insight.kind !== "weak") return [];
    return insight.seen
      .filter((row) => speaksAgainstSending(row) || (!this.#wish.isMade(reference) && this.#isNamesake(row)))
      .map(({ row, why }) => `${nameRow(row)}, ${why}`);
  }

  #isNamesake({ isNamesake, row }: WeakRow): boolean {
    const first = this.#today.addDays(-namesakeDays);
    return isNamesake && row.valueDay !== undefined && row.valueDay.compare(first) >= 0;
  }
}

/** True for a row that carries the reference, whatever it did, or that names it with the order's amount. */
function speaksAgainstSending({ reference, hasItsAmount, isOneOfSeveral }: WeakRow): boolean {
  return isOneOfSeveral || reference === "carried" || (reference === "named" && hasItsAmount);
}

/** The first day on which a row of an order can lie that was sent before. */
function firstDayOf({ openedAt }: Movement): Day {
  return dayInDarEsSalaam(openedAt).addDays(-namesakeDays);
}

function earlier(one: Day, other: Day): Day {
  return one.compare(other) < 0 ? one : other;
}

/** The day of the earliest row that was seen, where it is before that one. */
function firstDay(seen: readonly SeenRow[], day: Day): Day {
  return seen.reduce((first, { accountNo, row }) => {
    const { valueDay } = readRow(accountNo, keptRow(row));
    return valueDay !== undefined && valueDay.compare(first) < 0 ? valueDay : first;
  }, day);
}

function seenWords({ accountNo, reference }: SeenRow): string {
  return `${reference} in the statement of ${accountNo}, by an order that this journal does not know`;
}

function doubtful({ kind, reference }: MoneyOrder, doubts: readonly string[]): Failure {
  return new Failure(
    "usage",
    `The statement shows what may be this ${movementNouns[kind]}: ${doubts.join("; ")}. Nothing was sent.`,
    {
      hint: "If it is the same payment, it was paid. If it is another one, add --again.",
      money: "unknown",
      reference,
    },
  );
}

function doubtfulRows(violations: readonly (readonly [reference: string, why: string])[]): Failure {
  return new Failure(
    "usage",
    `The statement shows what may be ${violations.length} of these orders; nothing was sent.`,
    {
      hint: "Take out those that were paid. If they are other payments, add --again.",
      money: "unknown",
      details: Object.fromEntries(violations),
    },
  );
}

function unheard({ kind, reference }: MoneyOrder, cause: Failure, isDue: boolean): Failure {
  // Credentials that are no good for reading are none for money either.
  if (cause.ending === "setup" && cause.http !== 403) return cause;
  const { message, requestId, http, reason } = cause;
  return new Failure(
    "unavailable",
    `The statement cannot be read, and the journal may not know whether this ${movementNouns[kind]} was paid before; nothing was sent. ${message}`,
    {
      hint: isDue
        ? "Try again later. To send it without asking the statement: --check-statement never"
        : "Try again later.",
      money: "not moved",
      reference,
      requestId,
      http,
      reason,
      cause,
    },
  );
}
