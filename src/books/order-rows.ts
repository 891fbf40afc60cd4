import { answerIds } from "../evidence/answer-ids.ts";
import type { Movement } from "../journal/movement.ts";
import { firstAmount, movementForms, payerOf, requestOf } from "../journal/movement-kinds.ts";
import { isTelling, namesIn } from "../ledger/terms/names.ts";
import { folded } from "../values/text/folded.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { BookedRow } from "./booked-row.ts";

/** What is kept of an order: there can be a million of them. */
export type KnownOrder = Pick<Movement, "id" | "kind" | "reference" | "state" | "openedAt">;

/** An order that rows are compared with. */
interface Ordered {
  readonly order: KnownOrder;
  readonly isLeaving: boolean;
  /** The own account that it is paid from; empty where the service chooses one. */
  readonly payer: string;
  readonly amount: Decimal | undefined;
}

/** An order under an id, and those of other kinds under the same. */
interface Known {
  readonly ordered: Ordered;
  readonly others: Known | undefined;
}

/** An order that is paid for the journal, and the row that took it back. */
export interface TakenBackOrder {
  readonly order: KnownOrder;
  readonly row: BookedRow;
}

/** What an order did in one account. */
interface Place {
  readonly ordered: Ordered;
  readonly accountNo: string;
  /** The debit that the order accounts for; null where it is of the order's own amount, so that none fits better. */
  covered: BookedRow | null | undefined;
  /** The debit that stands for the order, of whatever amount. */
  own: BookedRow | undefined;
  /** Rows of the order's amount as it was ordered, and the other way. */
  there: number;
  readonly back: BookedRow[];
}

/**
 * Orders of the journal, and the rows of each: of an account it accounts for one debit, the one of its own amount first,
 * and what came back is none.
 */
export class OrderRows {
  readonly #orders = new Map<string, Known>();
  /** The same by ids as narrations name them. */
  readonly #named = new Map<string, Known>();
  readonly #places = new Map<string, Place>();
  /** Amounts of what may come back, so that few narrations have to be read. */
  readonly #amounts = new Set<string>();

  add(movement: Movement): void {
    const { id, kind, reference, state, openedAt } = movement;
    const request = requestOf(movement);
    const amount = firstAmount(kind, request)?.amount;
    const isLeaving = movementForms[kind].direction === "leaves";
    const order = { id, kind, reference, state, openedAt };
    const ordered = { order, isLeaving, payer: payerOf(kind, request) ?? "", amount };
    for (const own of new Set([reference, ...answerIds(movement)])) {
      this.#orders.set(own, { ordered, others: this.#orders.get(own) });
      this.#named.set(folded(own), { ordered, others: this.#named.get(folded(own)) });
    }
    if (amount !== undefined) this.#amounts.add(amount.trimmed());
  }

  /** @returns the debits that no order accounts for; undefined where the row is of no order */
  take(row: BookedRow): readonly BookedRow[] | undefined {
    const ordered = this.#orderOf(row);
    if (ordered === undefined) return undefined;
    const place = this.#placeOf(ordered, row);
    const isExact = ordered.amount?.equals(row.change.abs()) === true;
    if (isExact && ordered.isLeaving === row.change.sign < 0) place.there += 1;
    else if (isExact) place.back.push(row);
    return row.change.sign < 0 ? further(place, row, isExact) : [];
  }

  /** Debits that stand for orders of before that time: an earlier debit may have been the order's. */
  *ownOfBefore(time: number): Generator<BookedRow> {
    for (const { ordered, own } of this.#places.values())
      if (own !== undefined && ordered.isLeaving && ordered.order.openedAt < time) yield own;
  }

  /** Orders that the journal has as accepted, and of which everything came back to the account that they left or came into. */
  *takenBack(): Generator<TakenBackOrder> {
    for (const { ordered, accountNo, there, back } of this.#places.values()) {
      const { order, isLeaving, payer } = ordered;
      const row = back.at(-1);
      if (row === undefined || order.state !== "accepted" || back.length < there) continue;
      // Another account of a transfer is credited by it, and a statement need not begin before the order does.
      if (isLeaving ? accountNo === payer || (payer === "" && there > 0) : there > 0) yield { order, row };
    }
  }

  #orderOf({ ids, change, facts }: BookedRow): Ordered | undefined {
    const known = ids.map((id) => this.#orders.get(id)).find((each) => each !== undefined);
    if (known !== undefined) return fitting(known, change);
    if (!this.#amounts.has(change.abs().trimmed())) return undefined;
    return namesIn(facts.narration, [facts.reference])
      .filter(isTelling)
      .flatMap((name) => ordersOf(this.#named.get(name)))
      .find(({ isLeaving }) => isLeaving === change.sign > 0);
  }

  #placeOf(ordered: Ordered, { account }: BookedRow): Place {
    const key = JSON.stringify([ordered.order.id, account.number]);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place: Place = {
      ordered,
      accountNo: account.accountNo,
      covered: undefined,
      own: undefined,
      there: 0,
      back: [],
    };
    this.#places.set(key, place);
    return place;
  }
}

/** Of several orders under one id the one that goes the row's way, of its amount first: a collection is no reversal. */
function fitting(known: Known, change: Decimal): Ordered {
  const all = ordersOf(known);
  const alike = all.filter(({ isLeaving }) => isLeaving === change.sign < 0);
  return alike.find(({ amount }) => amount?.equals(change.abs()) === true) ?? alike[0] ?? known.ordered;
}

function ordersOf(known: Known | undefined): readonly Ordered[] {
  const all: Ordered[] = [];
  for (let each = known; each !== undefined; each = each.others) all.push(each.ordered);
  return all;
}

/** The debit that is one too many, if any: that of another amount where two of them are there. */
function further(place: Place, row: BookedRow, isExact: boolean): readonly BookedRow[] {
  const { covered } = place;
  if (covered === undefined) {
    place.covered = isExact ? null : row;
    place.own = row;
    return [];
  }
  if (covered === null || !isExact) return [row];
  place.covered = null;
  place.own = row;
  return [covered];
}
