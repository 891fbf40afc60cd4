import { answerIds } from "../evidence/answer-ids.ts";
import { Course } from "../evidence/course.ts";
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
  readonly course: Course<BookedRow>;
  /** True where the order is paid from this account, or may be. */
  readonly isPaying: boolean;
  /** True where a row of the order's own amount was booked as ordered, whatever became of it. */
  wasBooked: boolean;
}

/** A debit that belongs to an order, and how many of its amount came in without a debit before them. */
export interface OwnDebit {
  readonly row: BookedRow;
  readonly astray: number;
}

/** A debit that its order does not account for. */
export interface FurtherDebit {
  readonly row: BookedRow;
  /** True where the order was taken back, and the journal has it as reversed. */
  readonly isOfReversed: boolean;
}

/**
 * Orders of the journal, and the rows of each: of an account it accounts for one debit, the one of its own amount first.
 * A debit that came back doesn't count.
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

  /** @returns false where the row is of no order */
  take(row: BookedRow): boolean {
    const ordered = this.#orderOf(row);
    if (ordered === undefined) return false;
    const place = this.#placeOf(ordered, row);
    place.course.add(row, row.change, row.facts.time);
    place.wasBooked ||= row.change.sign < 0 === place.isPaying && isExact(ordered, row);
    return true;
  }

  /** Debits that no order accounts for, once all rows were taken. */
  *further(): Generator<FurtherDebit> {
    for (const place of this.#places.values()) {
      const { ordered, course, isPaying } = place;
      const isOfReversed = isPaying && ordered.order.state === "reversed" && course.backs.length > 0;
      const own = isOfReversed ? undefined : ownDebit(place);
      for (const row of debitsOf(place)) if (row !== own) yield { row, isOfReversed };
    }
  }

  /** Debits that belong to orders from before that time: an earlier debit may have been the order's. */
  *ownOfBefore(time: number): Generator<OwnDebit> {
    for (const place of this.#places.values()) {
      const { ordered, course, isPaying } = place;
      const row = isPaying && ordered.order.openedAt < time ? ownDebit(place) : undefined;
      if (row === undefined) continue;
      const opposite = row.change.negate();
      yield { row, astray: course.astray.filter(({ change }) => change.equals(opposite)).length };
    }
  }

  /** Orders that the journal has as accepted, and of which everything came back to the account that they left or came into. */
  *takenBack(): Generator<TakenBackOrder> {
    for (const { ordered, accountNo, course, wasBooked } of this.#places.values()) {
      const { order, isLeaving, payer } = ordered;
      const isOwn = (one: BookedRow) => isExact(ordered, one);
      if (order.state !== "accepted" || course.standing.some(isOwn)) continue;
      // Another account of a transfer is credited by it, and a statement need not begin before the order does.
      if (!wasBooked && (!isLeaving || accountNo !== payer)) continue;
      if (isLeaving && payer !== "" && accountNo !== payer) continue;
      const row = course.backs.findLast(isOwn) ?? course.astray.findLast(isOwn);
      if (row !== undefined) yield { order, row };
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
    const { isLeaving, payer } = ordered;
    const { accountNo } = account;
    const isPaying = isLeaving && (payer === "" || payer === accountNo);
    const course = new Course<BookedRow>(isPaying ? -1 : 1);
    const place: Place = { ordered, accountNo, course, isPaying, wasBooked: false };
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

/** Debits that nothing took back. */
function debitsOf({ course, isPaying }: Place): readonly BookedRow[] {
  return isPaying ? course.standing : course.astray;
}

/** The debit that its order accounts for: one of another amount only where none of its own was booked. */
function ownDebit(place: Place): BookedRow | undefined {
  const { ordered, course, isPaying, wasBooked } = place;
  const debits = debitsOf(place);
  const exact = debits.find((row) => isExact(ordered, row));
  if (isPaying) return wasBooked ? exact : debits[0];
  // Of an account that is paid into, one debit can be what came back of a row before the first one.
  return course.backs.length > 0 ? undefined : (exact ?? debits[0]);
}

function isExact({ amount }: Ordered, { change }: BookedRow): boolean {
  return amount?.equals(change.abs()) === true;
}
