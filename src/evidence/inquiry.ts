import type { Reader } from "../client/reader.ts";
import { listWallets } from "../contract/wallets.ts";
import type { Journal } from "../journal/journal.ts";
import type { StatementProof } from "../journal/movement.ts";
import type { Day } from "../values/time/day.ts";
import { Failure } from "../values/failure.ts";
import { textIn } from "../journal/movement-kinds.ts";
import type { JsonObject } from "../values/json.ts";
import type { Finding } from "./finding.ts";
import { judge } from "./judge.ts";
import { Knowledge } from "./knowledge.ts";
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
  readonly today: Day;
}

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
  readonly #statements: Statements;
  readonly #knowledge: Knowledge;
  /** Read when an order needs it. */
  #wallets: Wallets | Failure | undefined;

  /** @param newFrom for orders that are not sent yet: the first day on which a lost journal may have sent them */
  constructor(sources: Sources, newFrom?: Day) {
    const { service, journal, scope, today } = sources;
    this.#sources = sources;
    this.#newFrom = newFrom;
    this.#statements = new Statements(service, today);
    this.#knowledge = new Knowledge(journal, scope, () => this.#listed);
  }

  /**
   * Reads the statements that can show these orders.
   * @throws {Failure} interrupted; what can't be read is said by `look`
   */
  static async into(orders: readonly OrderInQuestion[], sources: Sources, newFrom?: Day): Promise<Inquiry> {
    const inquiry = new Inquiry(sources, newFrom);
    for (const order of orders) await inquiry.add(order);
    await inquiry.read();
    return inquiry;
  }

  /** @throws {Failure} interrupted */
  async add(order: OrderInQuestion): Promise<void> {
    if (needsWallets(order.kind)) this.#wallets ??= await readWallets(this.#sources);
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
    return rows.length === 0 ? { kind: "nothing" } : judge(trial, rows, await this.#knowledge.about(trial, rows));
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

  #trialOf(order: OrderInQuestion): Trial {
    const trial = trialOf(order, this.#listed);
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

function noWallet({ kind }: OrderInQuestion): Failure {
  const which = kind === "collect" ? "no default collection wallet" : "no wallet that shows it";
  return new Failure("unavailable", `The service lists ${which}, so no statement was read.`, {
    hint: "See the wallets: partner wallets list",
  });
}
