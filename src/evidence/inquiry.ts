import type { Reader } from "../client/reader.ts";
import { listWallets } from "../contract/wallets.ts";
import type { Journal } from "../journal/journal.ts";
import type { StatementProof } from "../journal/movement.ts";
import { spreadWhenPlaced } from "../journal/service-time.ts";
import type { Day } from "../values/time/day.ts";
import type { ClockSpread, Days, ServiceClock } from "../values/time/service-clock.ts";
import { clockAgreesMs, daysAt, noSpread } from "../values/time/service-clock.ts";
import { Failure } from "../values/failure.ts";
import { textIn } from "../journal/movement-kinds.ts";
import type { JsonObject } from "../values/json.ts";
import type { Finding } from "./finding.ts";
import { judge } from "./judge.ts";
import { Knowledge } from "./knowledge.ts";
import { withFees } from "./payout-fees.ts";
import type { StatementRow } from "./statement-row.ts";
import { rowJson } from "./statement-row.ts";
import { Statements } from "./statements.ts";
import type { OrderInQuestion, Trial, Wallets } from "./trial.ts";
import { asNew, needsWallets, trialOf } from "./trial.ts";

/** Where an inquiry gets its answers from. */
export interface Sources {
  readonly service: Pick<Reader, "read" | "stream">;
  readonly journal: Journal;
  /** Whose account the service speaks for. */
  readonly scope: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly nowMs: number;
  /** What its answers say of the time. */
  readonly clock: Pick<ServiceClock, "spread" | "isHeard">;
}

/** So often statements are read anew for days of which nobody knew before an answer told the service's time. */
export const readingsMax = 3;

/** What was found out about an order. */
export type Insight =
  | Finding
  /** The statements can't be read, so they say nothing. */
  | { readonly kind: "unread"; readonly failure: Failure };

/**
 * Finds out what the statements say of orders, however many: each wallet's statement is read once. All orders are added
 * first, then the statements are read, then each order is looked up.
 */
export class Inquiry {
  readonly #sources: Sources;
  readonly #newFrom: Day | undefined;
  readonly #days: Days;
  /** Of orders that were placed by a clock which differed from the service's. */
  readonly #spreads = new Map<string, ClockSpread>();
  readonly #statements: Statements;
  readonly #knowledge: Knowledge;
  /** Read when an order needs it. */
  #wallets: Wallets | Failure | undefined;

  /** @param newFrom for orders that are not sent yet: the first day on which a lost journal may have sent them */
  constructor(sources: Sources, newFrom?: Day) {
    const { service, journal, scope, nowMs, clock } = sources;
    this.#sources = sources;
    this.#newFrom = newFrom;
    this.#days = daysAt(nowMs, clock.spread);
    this.#statements = new Statements(service, this.#days);
    this.#knowledge = new Knowledge(journal, scope, () => this.#listed);
  }

  /**
   * Reads the statements that can show these orders.
   * @throws {Failure} interrupted; what can't be read is said by `look`
   */
  static async into(orders: readonly OrderInQuestion[], sources: Sources, newFrom?: Day): Promise<Inquiry> {
    for (let readingsLeft = readingsMax; ; readingsLeft--) {
      const { spread } = sources.clock;
      const inquiry = new Inquiry(sources, newFrom);
      for (const order of orders) await inquiry.add(order);
      await inquiry.read();
      if (sources.clock.spread === spread || readingsLeft === 1) return inquiry;
    }
  }

  /** @throws {Failure} interrupted */
  async add(order: OrderInQuestion): Promise<void> {
    if (needsWallets(order.kind)) this.#wallets ??= await readWallets(this.#sources);
    if (order.id !== undefined)
      this.#spreads.set(order.id, spreadWhenPlaced(await this.#sources.journal.events(order.id)));
    const trial = this.#trialOf(order);
    this.#statements.add(trial);
    this.#knowledge.add(trial);
  }

  /**
   * Reads the statements of all that was added.
   * @throws {Failure} interrupted
   */
  async read(): Promise<void> {
    await this.#statements.read();
  }

  /** What the statements prove of an order that was added, by what the journal knows of others at this moment. */
  async look(order: OrderInQuestion): Promise<Insight> {
    const trial = this.#trialOf(order);
    if (needsWallets(order.kind) && this.#wallets instanceof Failure) return { kind: "unread", failure: this.#wallets };
    if (this.#isHidden(trial)) return { kind: "unread", failure: noWallet(order) };
    if (this.#isUnlisted(trial)) return { kind: "nothing", unread: noWallet(order) };
    const rows = this.#statements.rowsOf(trial);
    if (rows instanceof Failure) return { kind: "unread", failure: rows };
    if (rows.length === 0)
      return this.#isToCome(trial) ? { kind: "nothing", unread: stillToCome() } : { kind: "nothing" };
    const told = withFees(trial, rows, this.#statements.fees);
    const finding = judge(told, rows, await this.#knowledge.about(told, rows));
    if (finding.kind !== "proved" && finding.kind !== "reversed") return finding;
    const { tranRefNo } = finding.row;
    return told.ids.has(tranRefNo) && !trial.ids.has(tranRefNo) ? { ...finding, toldId: tranRefNo } : finding;
  }

  /** True for days of which no statement can say anything yet: that there is no row proves nothing. */
  #isToCome({ first }: Trial): boolean {
    return first.compare(this.#days.latest) > 0;
  }

  /** The rows as the journal keeps them with the order that they prove. */
  proofsOf(...rows: readonly StatementRow[]): StatementProof[] {
    return rows.map((row) => ({ key: this.#knowledge.keyOf(row), row: rowJson(row) }));
  }

  get #listed(): Wallets {
    return this.#wallets === undefined || this.#wallets instanceof Failure ? [] : this.#wallets;
  }

  /**
   * True for a collection where no wallet is said to be the default one. An empty list is no proof of an account without
   * wallets, as a collection that is still to be sent has to go into one.
   */
  #isHidden({ order, booked, isNew }: Trial): boolean {
    return order.kind === "collect" && booked.length === 0 && (isNew || this.#listed.length > 0);
  }

  /** True where no wallet is listed, or not what the wallets are, so that no statement was read. */
  #isUnlisted({ order, booked }: Trial): boolean {
    return needsWallets(order.kind) && booked.length === 0 && !this.#listed.some(isDescribed);
  }

  /** How wrong the time may be at which an order was placed: never is it later than it is now at the service. */
  #spreadOf(order: OrderInQuestion): ClockSpread {
    const { nowMs, clock } = this.#sources;
    const spread = order.spread ?? this.#spreads.get(order.id ?? "") ?? noSpread;
    const toNowMs = nowMs + clock.spread.earliestMs - order.openedAt;
    if (!clock.isHeard || toNowMs > -clockAgreesMs) return spread;
    return { ...spread, earliestMs: Math.min(spread.earliestMs, toNowMs) };
  }

  #trialOf(order: OrderInQuestion): Trial {
    const trial = trialOf({ ...order, spread: this.#spreadOf(order) }, this.#listed);
    return this.#newFrom === undefined ? trial : asNew(trial, this.#newFrom);
  }
}

async function readWallets({ service }: Sources): Promise<Wallets | Failure> {
  try {
    return await service.read(listWallets, {});
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return error;
    throw error;
  }
}

/** True for a wallet whose type and currency are said. Spec 2.4. */
function isDescribed(wallet: JsonObject): boolean {
  return textIn(wallet, "type") !== undefined && textIn(wallet, "currency") !== undefined;
}

function stillToCome(): Failure {
  return new Failure("unavailable", "The days on which its row can stand are still to come, by this machine's clock.", {
    hint: "Set this machine's clock by the network.",
  });
}

function noWallet({ kind }: OrderInQuestion): Failure {
  const which = kind === "collect" ? "no default collection wallet" : "no wallet that shows it";
  return new Failure("unavailable", `The service lists ${which}, so no statement was read.`, {
    hint: "See the wallets: partner wallets list",
  });
}
