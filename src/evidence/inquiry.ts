import type { Reader } from "../client/reader.ts";
import { listWallets } from "../contract/wallets.ts";
import type { FormerAttempt } from "../journal/former-attempts.ts";
import { historyOf, refusedByWord } from "../journal/former-attempts.ts";
import type { Journal } from "../journal/journal.ts";
import type { StatementProof } from "../journal/movement.ts";
import { spreadByNow, spreadWhenPlaced } from "../journal/service-time.ts";
import type { Day } from "../values/time/day.ts";
import type { ClockSpread, Days, ServiceClock } from "../values/time/service-clock.ts";
import { daysAt, noSpread } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import { channelCountry, requestOf, requestText } from "../journal/requests/movement-request.ts";
import type { JsonObject } from "../values/json.ts";
import type { Finding } from "./finding.ts";
import { judgeRows } from "./judge.ts";
import type { SpreadNow } from "./knowledge.ts";
import { Knowledge } from "./knowledge.ts";
import { withFees } from "./rows/payout-fees.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { rowJson } from "./rows/statement-row.ts";
import { Statements } from "./statements.ts";
import type { OrderInQuestion, ExpectedRow, Wallets } from "./expected-row.ts";
import { asNew, needsWallets, expectedRowOf } from "./expected-row.ts";

/** Where an inquiry reads from. */
export interface Sources {
  readonly service: Pick<Reader, "read" | "stream">;
  readonly journal: Journal;
  /** The account that the statements belong to. */
  readonly scope: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly nowMs: number;
  /** The service's clock, as far as its answers showed it. */
  readonly clock: Pick<ServiceClock, "spread" | "isObserved">;
}

/** How many times statements are read at most: an answer can show that, by the service's clock, other days count. */
export const readingsMax = 3;

/** The result of looking up an order. */
export type LookupResult =
  | Finding
  /** The statements can't be read, so nothing is known. */
  | { readonly kind: "unread"; readonly failure: Failure };

/**
 * Finds what the statements say about orders: all orders are added first, then each wallet's statement is read once,
 * then each order is looked up.
 */
export class Inquiry {
  readonly #sources: Sources;
  readonly #newFrom: Day | undefined;
  readonly #days: Days;
  /** How far the service's clock was off when an order was placed, by the order's id. */
  readonly #spreads = new Map<string, ClockSpread>();
  readonly #former = new Map<string, readonly FormerAttempt[]>();
  readonly #statements: Statements;
  readonly #knowledge: Knowledge;
  readonly #added = new Set<string>();
  /** Read when an order needs them. */
  #wallets: Wallets | Failure | undefined;

  /** @param newFrom for orders that are not sent yet: the first day on which a lost journal may have sent them */
  constructor(sources: Sources, newFrom?: Day) {
    const { service, journal, scope, nowMs, clock } = sources;
    this.#sources = sources;
    this.#newFrom = newFrom;
    this.#days = daysAt(nowMs, clock.spread);
    this.#statements = new Statements(service, this.#days);
    this.#knowledge = new Knowledge(
      journal,
      scope,
      () => this.#listed,
      (order) => this.#spreadNow(order),
    );
  }

  /**
   * Reads the statements that can show these orders.
   * @throws {Failure} interrupted; `look` reports statements that can't be read
   */
  static async into(orders: readonly OrderInQuestion[], sources: Sources, newFrom?: Day): Promise<Inquiry> {
    for (let readingsLeft = readingsMax; ; readingsLeft--) {
      const { spread, isObserved } = sources.clock;
      const inquiry = new Inquiry(sources, newFrom);
      for (const order of orders) await inquiry.add(order);
      await inquiry.read();
      const isAhead =
        !isObserved && sources.clock.isObserved && orders.some(({ openedAt }) => openedAt > sources.nowMs);
      if ((sources.clock.spread === spread && !isAhead) || readingsLeft === 1) return inquiry;
    }
  }

  /** @throws {Failure} interrupted */
  async add(order: OrderInQuestion): Promise<void> {
    if (needsWallets(order.kind)) this.#wallets ??= await readWallets(this.#sources);
    if (order.id !== undefined) {
      const events = await historyOf(this.#sources.journal, order.id);
      this.#spreads.set(order.id, spreadWhenPlaced(events));
      this.#former.set(order.id, refusedByWord(events));
    }
    const expected = this.#expectedRowOf(order);
    this.#statements.add(expected);
    this.#knowledge.add(expected);
    this.#added.add(nameOf(order));
  }

  /** True for an order that was added: the rows of others were not kept. */
  has(order: OrderInQuestion): boolean {
    return this.#added.has(nameOf(order));
  }

  /**
   * Reads the statements for all orders that were added.
   * @throws {Failure} interrupted
   */
  async read(): Promise<void> {
    await this.#statements.read();
  }

  /** What the statements prove about an order that was added, given what the journal knows of other orders now. */
  async look(order: OrderInQuestion): Promise<LookupResult> {
    const expected = this.#expectedRowOf(order);
    if (needsWallets(order.kind) && this.#wallets instanceof Failure) return { kind: "unread", failure: this.#wallets };
    if (this.#isHidden(expected)) return { kind: "unread", failure: noWallet(order) };
    if (this.#isUnlisted(expected)) return { kind: "nothing", unread: noWallet(order) };
    const proof = await this.#provedById(expected);
    if (proof !== undefined) return proof;
    const rows = this.#statements.rowsOf(expected);
    if (rows instanceof Failure) return { kind: "unread", failure: rows };
    if (rows.length === 0)
      return this.#isInFuture(expected) ? { kind: "nothing", unread: notDueYet() } : { kind: "nothing" };
    const informed = withFees(expected, rows, this.#statements.fees);
    return withIdFromFee(judgeRows(informed, rows, await this.#knowledge.about(informed, rows)), expected, informed);
  }

  /**
   * The proof by one of the order's ids, without the rows that only have its amount: they neither strengthen nor weaken
   * such a proof. Undefined where an id alone doesn't settle it.
   */
  async #provedById(expected: ExpectedRow): Promise<Finding | undefined> {
    const named = withFees(expected, [], this.#statements.fees);
    const rows = this.#statements.ownRowsOf(named);
    if (!rows.some(({ tranRefNo }) => named.ids.has(tranRefNo))) return undefined;
    const informed = withFees(expected, rows, this.#statements.fees);
    const finding = judgeRows(informed, rows, await this.#knowledge.about(informed, rows));
    const isById = finding.kind === "proved" && informed.ids.has(finding.row.tranRefNo);
    return isById ? withIdFromFee(finding, expected, informed) : undefined;
  }

  /** True for days that are still in the future at the service: a missing row proves nothing. */
  #isInFuture({ first }: ExpectedRow): boolean {
    return first.compare(this.#days.latest) > 0;
  }

  /** The rows in the form that the journal keeps with the order they prove. */
  proofsOf(...rows: readonly StatementRow[]): StatementProof[] {
    return rows.map((row) => ({ key: this.#knowledge.keyOf(row), row: rowJson(row) }));
  }

  get #listed(): Wallets {
    return this.#wallets === undefined || this.#wallets instanceof Failure ? [] : this.#wallets;
  }

  /**
   * True for a collection where no wallet is marked as the default. For an unsent one, an empty list counts as well: it
   * has to go into some wallet, so the list can't be complete.
   */
  #isHidden({ order, booked, isNew }: ExpectedRow): boolean {
    return order.kind === "collect" && booked.length === 0 && (isNew || this.#listed.length > 0);
  }

  /** True where the list of wallets is empty or incomplete, so that no statement was read. */
  #isUnlisted({ order, booked }: ExpectedRow): boolean {
    return needsWallets(order.kind) && booked.length === 0 && !this.#listed.some(isDescribed);
  }

  #spreadNow(order: Parameters<SpreadNow>[0]): ClockSpread {
    return spreadByNow(order, this.#sources.nowMs, this.#sources.clock);
  }

  #expectedRowOf(order: OrderInQuestion): ExpectedRow {
    const noted = order.former ?? this.#former.get(order.id ?? "");
    const former = noted?.map((each) => ({ ...each, spread: this.#spreadNow(each) }));
    const { openedAt, spread = this.#spreads.get(order.id ?? "") ?? noSpread } = order;
    const expected = expectedRowOf({ ...order, spread: this.#spreadNow({ openedAt, spread }), former }, this.#listed);
    return this.#newFrom === undefined ? expected : asNew(expected, this.#newFrom);
  }
}

function nameOf({ kind, reference }: OrderInQuestion): string {
  return `${kind} ${reference}`;
}

async function readWallets({ service }: Sources): Promise<Wallets | Failure> {
  try {
    return await service.read(listWallets, {});
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return error;
    throw error;
  }
}

/** True for a wallet with a type and a currency. Spec 2.4. */
function isDescribed(wallet: JsonObject): boolean {
  return requestText(wallet, "type") !== undefined && requestText(wallet, "currency") !== undefined;
}

function notDueYet(): Failure {
  return new Failure(
    "unavailable",
    "The days on which its row can appear are still to come, by this machine's clock.",
    {
      hint: "Synchronise this machine's clock over the network.",
    },
  );
}

function noWallet(order: OrderInQuestion): Failure {
  const country = channelCountry(order.kind, requestOf(order));
  const place = country === undefined ? "" : ` of the country ${country}`;
  const which = order.kind === "collect" ? `no default collection wallet${place}` : "no wallet that shows it";
  return new Failure("unavailable", `The service lists ${which}, so no statement was read.`, {
    hint: "See the wallets: partner wallets list",
  });
}

/** Adds the service's id to a finding if the row has it and only a fee's row named it. */
function withIdFromFee(finding: Finding, expected: ExpectedRow, informed: ExpectedRow): Finding {
  if (finding.kind !== "proved" && finding.kind !== "reversed") return finding;
  const { tranRefNo } = finding.row;
  return informed.ids.has(tranRefNo) && !expected.ids.has(tranRefNo) ? { ...finding, idFromFee: tranRefNo } : finding;
}
