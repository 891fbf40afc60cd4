import { refusedByWord } from "../journal/former-attempts.ts";
import { spreadWhenPlaced } from "../journal/service-time.ts";
import type { Journal } from "../journal/journal.ts";
import { accountIn } from "../journal/account-name.ts";
import type { Movement, MovementEvent } from "../journal/movement.ts";
import { amountsIn, requestOf } from "../journal/requests/movement-request.ts";
import { startOfDayInDarEsSalaam } from "../values/time/day.ts";
import type { Day } from "../values/time/day.ts";
import type { ClockSpread } from "../values/time/service-clock.ts";
import type { KnownOrders, Rival } from "./rows/row-owners.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { rowKey } from "./rows/statement-row.ts";
import type { ExpectedRow, Wallets } from "./expected-row.ts";
import { expectedRowOf } from "./expected-row.ts";

/**
 * The most days between two orders that can share a row: it is dated from one day before its order to seven after it.
 */
const daysApart = 9;
/** Orders whose history is read at once. */
const historiesMax = 500;

/** The states of orders without an outcome. */
const openStates = ["prepared", "sending", "pending", "unknown"] as const;

/** How far off the time of an order may be, given what was noted when it left. */
export type SpreadNow = (order: { readonly openedAt: number; readonly spread: ClockSpread }) => ClockSpread;

/** What the journal knows about other orders that rows could belong to. */
export class Knowledge {
  readonly #journal: Journal;
  readonly #scope: string;
  readonly #wallets: () => Wallets;
  readonly #spreadNow: SpreadNow;
  /** The amounts of the orders that will be asked about. */
  readonly #amounts = new Set<string>();
  /** The first day that a row of one of these orders can have. */
  #first: Day | undefined;
  #alike: Promise<ReadonlyMap<string, readonly Rival[]>> | undefined;

  constructor(journal: Journal, scope: string, wallets: () => Wallets, spreadNow: SpreadNow) {
    this.#journal = journal;
    this.#scope = scope;
    this.#wallets = wallets;
    this.#spreadNow = spreadNow;
  }

  /** Registers an order that will be asked about. Call it before the first `about`. */
  add({ order, first }: ExpectedRow): void {
    for (const amount of amountsOf(order)) this.#amounts.add(amount);
    if (this.#first === undefined || first.compare(this.#first) < 0) this.#first = first;
  }

  /** Everything known about these rows. It reads the journal again: another order may have been proved meanwhile. */
  async about(expected: ExpectedRow, rows: readonly StatementRow[]): Promise<KnownOrders> {
    const keys = new Map(rows.map((row) => [row, this.keyOf(row)]));
    const proved = await this.#journal.provedBy([...keys.values()]);
    const words = new Set([...expected.ids, ...rows.map(({ tranRefNo }) => tranRefNo)].filter((word) => word !== ""));
    const found = await this.#journal.knownAs(this.#scope, [...words]);
    const isOther = ({ order }: Rival) =>
      order.kind !== expected.order.kind || order.reference !== expected.order.reference;
    const named = (await this.#rivals(found)).filter(isOther);
    const rivals = (await this.#alikeTo(expected)).filter(isOther);
    const namedIds = new Set(named.map(({ order }) => order.id));
    const all = [...named, ...rivals.filter(({ order }) => !namedIds.has(order.id))];
    return {
      knownAs: (id) => all.filter(({ ids }) => ids.has(id)),
      provedBy: (row) => proved.get(keys.get(row) ?? ""),
      rivals,
    };
  }

  /** The key that identifies a row for good. */
  keyOf(row: StatementRow): string {
    return rowKey(accountIn(this.#scope)?.accountId ?? this.#scope, row);
  }

  /** Orders from around the same days with an equal amount, of any kind and receiver. */
  async #alikeTo({ order }: ExpectedRow): Promise<readonly Rival[]> {
    const alike = await (this.#alike ??= this.#readAlike());
    return [...new Set(amountsOf(order).flatMap((amount) => alike.get(amount) ?? []))];
  }

  async #readAlike(): Promise<ReadonlyMap<string, readonly Rival[]>> {
    const found = new Map<string, Movement>();
    const since = this.#first === undefined ? 0 : startOfDayInDarEsSalaam(this.#first.addDays(-daysApart));
    // An order without an outcome counts from any day: a clock that was behind dated it too early.
    for (const filter of [{ since }, { states: openStates }])
      for await (const movement of this.#journal.list({ scope: this.#scope, ...filter }))
        if (amountsOf(movement).some((amount) => this.#amounts.has(amount))) found.set(movement.id, movement);
    const alike = new Map<string, Rival[]>();
    for (const rival of await this.#rivals([...found.values()]))
      for (const amount of amountsOf(rival.order)) {
        const others = alike.get(amount);
        if (others === undefined) alike.set(amount, [rival]);
        else others.push(rival);
      }
    return alike;
  }

  async #rivals(movements: readonly Movement[]): Promise<readonly Rival[]> {
    const histories = await this.#historiesOf(movements);
    return movements.map((order) => {
      const events = histories.get(order.id) ?? [];
      const former = refusedByWord(events).map((each) => ({ ...each, spread: this.#spreadNow(each) }));
      const spread = this.#spreadNow({ openedAt: order.openedAt, spread: spreadWhenPlaced(events) });
      return { ...expectedRowOf({ ...order, spread, former }, this.#wallets()), order, former };
    });
  }

  /** Asks for many histories at once: each question to a journal on another machine takes a round trip. */
  async #historiesOf(movements: readonly Movement[]): Promise<ReadonlyMap<string, readonly MovementEvent[]>> {
    const histories = new Map<string, readonly MovementEvent[]>();
    for (let start = 0; start < movements.length; start += historiesMax) {
      const ids = movements.slice(start, start + historiesMax).map(({ id }) => id);
      for (const [id, events] of await this.#journal.eventsOf(ids)) histories.set(id, events);
    }
    return histories;
  }
}

function amountsOf(order: ExpectedRow["order"]): string[] {
  return amountsIn(order.kind, requestOf(order)).map(({ amount }) => amount.trimmed());
}
