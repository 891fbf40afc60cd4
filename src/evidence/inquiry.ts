import type { Reader } from "../client/reader.ts";
import { listWallets } from "../contract/wallets.ts";
import type { Journal } from "../journal/journal.ts";
import type { StatementProof } from "../journal/movement.ts";
import type { Day } from "../values/day.ts";
import { Failure } from "../values/failure.ts";
import type { Finding } from "./finding.ts";
import { judge } from "./judge.ts";
import { Knowledge } from "./knowledge.ts";
import type { StatementRow } from "./statement-row.ts";
import { rowJson } from "./statement-row.ts";
import { Statements } from "./statements.ts";
import type { OrderInQuestion, Trial, Wallets } from "./trial.ts";
import { needsWallets, newTrialOf, trialOf } from "./trial.ts";

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

/** Finds out what the statements say of orders, however many: each wallet's statement is read once. */
export class Inquiry {
  readonly #newFrom: Day | undefined;
  readonly #wallets: Wallets | Failure;
  readonly #statements: Statements;
  readonly #knowledge: Knowledge;

  private constructor(
    orders: readonly OrderInQuestion[],
    { service, journal, scope, today }: Sources,
    wallets: Wallets | Failure,
    newFrom: Day | undefined,
  ) {
    this.#newFrom = newFrom;
    this.#wallets = wallets;
    const trials = orders.map((order) => this.#trialOf(order));
    this.#statements = new Statements(service, today);
    for (const trial of trials) this.#statements.add(trial);
    this.#knowledge = new Knowledge(journal, scope, wallets instanceof Failure ? [] : wallets, trials);
  }

  /**
   * Reads the statements that can show these orders.
   * @param newFrom for orders that are not sent yet: the first day on which a lost journal may have sent them
   * @throws {Failure} interrupted; what can't be read is said by `look`
   */
  static async into(orders: readonly OrderInQuestion[], sources: Sources, newFrom?: Day): Promise<Inquiry> {
    const wallets = orders.some(({ kind }) => needsWallets(kind)) ? await readWallets(sources) : [];
    const inquiry = new Inquiry(orders, sources, wallets, newFrom);
    await inquiry.#statements.read();
    return inquiry;
  }

  /** What the statements prove of one of these orders, by what the journal knows of others at this moment. */
  async look(order: OrderInQuestion): Promise<Insight> {
    const trial = this.#trialOf(order);
    if (needsWallets(order.kind) && this.#wallets instanceof Failure) return { kind: "unread", failure: this.#wallets };
    if (this.#isHidden(trial)) return { kind: "unread", failure: noCollectionWallet() };
    const rows = this.#statements.rowsOf(trial);
    if (rows instanceof Failure) return { kind: "unread", failure: rows };
    return judge(trial, rows, await this.#knowledge.about(trial, rows));
  }

  /** The rows as the journal keeps them with the order that they prove. */
  proofsOf(...rows: readonly StatementRow[]): StatementProof[] {
    return rows.map((row) => ({ key: this.#knowledge.keyOf(row), row: rowJson(row) }));
  }

  /** True for a collection into one of several wallets of which none is said to be the default one. */
  #isHidden({ order, booked }: Trial): boolean {
    const isListed = !(this.#wallets instanceof Failure) && this.#wallets.length > 0;
    return order.kind === "collect" && booked.length === 0 && isListed;
  }

  #trialOf(order: OrderInQuestion): Trial {
    const wallets = this.#wallets instanceof Failure ? [] : this.#wallets;
    return this.#newFrom === undefined ? trialOf(order, wallets) : newTrialOf(order, this.#newFrom, wallets);
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

function noCollectionWallet(): Failure {
  return new Failure("unavailable", "The service lists no default collection wallet, so no statement can show it.", {
    hint: "See the wallets: partner wallets list",
  });
}
