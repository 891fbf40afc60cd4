import { answerIds } from "../evidence/answer-ids.ts";
import { Course } from "../evidence/course.ts";
import type { Movement } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { firstAmount, payerOf, requestOf } from "../journal/requests/movement-request.ts";
import { looksLikeReference, namesIn } from "../ledger/terms/names.ts";
import { folded } from "../values/text/folded.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { BookedRow } from "./booked-row.ts";
import type { OrderForm } from "./order-kinds.ts";
import { bestFit, formOf } from "./order-kinds.ts";

/** What is kept in memory of an order: there can be a million of them. */
export type KnownOrder = Pick<Movement, "id" | "kind" | "reference" | "state" | "openedAt">;

/** An order to compare rows with. */
interface Ordered {
  readonly order: KnownOrder;
  readonly isLeaving: boolean;
  /** Our account that it is paid from; empty where the service chooses one. */
  readonly payer: string;
  readonly amount: Decimal | undefined;
  readonly form: OrderForm;
}

/** An order under an id, and further ones under the same id. */
interface Known {
  readonly ordered: Ordered;
  readonly others: Known | undefined;
}

/** An order that the journal has as accepted, and a row that contradicts it. */
export interface ContradictedOrder {
  readonly order: KnownOrder;
  readonly row: BookedRow;
}

/** What an order did in one account. */
interface Place {
  readonly ordered: Ordered;
  readonly accountNo: string;
  readonly course: Course<BookedRow>;
  /** True where the order is or may be paid from this account. */
  readonly isPaying: boolean;
  /** True where a row with the order's own amount was booked as ordered, even if it was reversed. */
  wasBooked: boolean;
}

/** A debit that belongs to an order, and how many credits of its amount had no debit before them. */
export interface OwnDebit {
  readonly row: BookedRow;
  readonly astray: number;
}

/** A debit that its order does not account for. */
export interface FurtherDebit {
  readonly row: BookedRow;
  /** True where the order was reversed, and the journal has it so. */
  readonly isOfReversed: boolean;
}

/**
 * The journal's orders, and the rows of each. An order accounts for one debit per account, preferably one of its own
 * amount. A debit that came back doesn't count.
 */
export class OrderRows {
  readonly #orders = new Map<string, Known>();
  /** The same by ids as narrations name them. */
  readonly #named = new Map<string, Known>();
  readonly #places = new Map<string, Place>();
  /** The account of an order's last row, by the order. */
  readonly #bookedIn = new Map<string, string>();
  /** The orders' amounts: only rows with one of these may reverse an order, so few narrations have to be read. */
  readonly #amounts = new Set<string>();

  add(movement: Movement): void {
    const { id, kind, reference, state, openedAt } = movement;
    const request = requestOf(movement);
    const amount = firstAmount(kind, request)?.amount;
    const isLeaving = movementForms[kind].direction === "leaves";
    const order = { id, kind, reference, state, openedAt };
    const ordered = { order, isLeaving, payer: payerOf(kind, request) ?? "", amount, form: formOf(movement) };
    for (const own of new Set([reference, ...answerIds(movement)])) {
      this.#orders.set(own, { ordered, others: this.#orders.get(own) });
      this.#named.set(folded(own), { ordered, others: this.#named.get(folded(own)) });
    }
    if (amount !== undefined) this.#amounts.add(amount.trimmed());
  }

  /** @returns false where the row belongs to no order */
  take(row: BookedRow): boolean {
    const ordered = this.#orderOf(row);
    if (ordered === undefined) return false;
    this.#book(ordered, row);
    const place = this.#placeOf(ordered, row);
    place.course.add(row, row.change, row.facts.time);
    place.wasBooked ||= row.change.sign < 0 === place.isPaying && isExact(ordered, row);
    return true;
  }

  /** Notes a row after the period: its order is booked, but it counts in the next period. */
  bookLater(row: BookedRow): void {
    const ordered = row.facts.isFee ? undefined : this.#orderOf(row);
    if (ordered !== undefined) this.#book(ordered, row);
  }

  /** A row that only names an order may be its reversal. */
  #book({ order }: Ordered, { ids, account }: BookedRow): void {
    if (ids.some((id) => this.#orders.has(id))) this.#bookedIn.set(order.id, account.accountNo);
  }

  /** The account that has a row of an order, apart from fees; undefined where none has. */
  bookedIn({ id }: Pick<Movement, "id">): string | undefined {
    return this.#bookedIn.get(id);
  }

  /** Debits that no order accounts for. Call it after the last `take`. */
  *further(): Generator<FurtherDebit> {
    for (const place of this.#places.values()) {
      const { ordered, course, isPaying } = place;
      const isOfReversed = isPaying && ordered.order.state === "reversed" && course.backs.length > 0;
      const own = isOfReversed ? undefined : ownDebit(place);
      for (const row of debitsOf(place)) if (row !== own) yield { row, isOfReversed };
    }
  }

  /** Accepted orders whose rows have another amount than the ordered one, also in all. */
  *ofOtherAmounts(): Generator<ContradictedOrder & { readonly amounts: readonly Decimal[] }> {
    for (const { ordered, accountNo, course } of this.#places.values()) {
      const { order, form } = ordered;
      const { payer = accountNo, receiver, amounts } = form;
      const { standing, backs } = course;
      const [row] = standing;
      if (row === undefined || order.state !== "accepted" || (accountNo !== payer && accountNo !== receiver)) continue;
      const sum = standing.reduce((all, { change }) => all.add(change), Decimal.zero);
      const moved = [sum, ...[...standing, ...backs].map(({ change }) => change)];
      const isOrdered = amounts.some((amount) => moved.some((each) => each.abs().equals(amount)));
      if (amounts.length > 0 && !isOrdered) yield { order, row, amounts };
    }
  }

  /** Debits of orders from before that time: an earlier debit may have been the order's. */
  *ownOfBefore(time: number): Generator<OwnDebit> {
    for (const place of this.#places.values()) {
      const { ordered, course, isPaying } = place;
      const row = isPaying && ordered.order.openedAt < time ? ownDebit(place) : undefined;
      if (row === undefined) continue;
      const opposite = row.change.negate();
      yield { row, astray: course.astray.filter(({ change }) => change.equals(opposite)).length };
    }
  }

  /** Orders that are accepted in the journal, but were reversed completely. */
  *takenBack(): Generator<ContradictedOrder> {
    for (const { ordered, accountNo, course, wasBooked } of this.#places.values()) {
      const { order, isLeaving, payer } = ordered;
      const isOwn = (one: BookedRow) => isExact(ordered, one);
      if (order.state !== "accepted" || course.standing.some(isOwn)) continue;
      // Without its own row, only the payer's account counts: a transfer credits the other account, and a statement may
      // begin after the order.
      if (!wasBooked && (!isLeaving || accountNo !== payer)) continue;
      if (isLeaving && payer !== "" && accountNo !== payer) continue;
      const row = course.backs.findLast(isOwn) ?? course.astray.findLast(isOwn);
      if (row !== undefined) yield { order, row };
    }
  }

  #orderOf(row: BookedRow): Ordered | undefined {
    const { ids, change, facts } = row;
    const id = ids.find((each) => this.#orders.has(each));
    if (id !== undefined) {
      const shown = { ...row, id, sign: change.sign };
      return bestFit(ordersOf(this.#orders.get(id)), ({ form }) => form, shown);
    }
    if (!this.#amounts.has(change.abs().trimmed())) return undefined;
    return namesIn(facts.narration, [facts.reference])
      .filter(looksLikeReference)
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

function ordersOf(known: Known | undefined): readonly Ordered[] {
  const all: Ordered[] = [];
  for (let each = known; each !== undefined; each = each.others) all.push(each.ordered);
  return all;
}

/** Debits that were not reversed. */
function debitsOf({ course, isPaying }: Place): readonly BookedRow[] {
  return isPaying ? course.standing : course.astray;
}

/** The debit that its order accounts for. It has another amount only where none of the order's amount was booked. */
function ownDebit(place: Place): BookedRow | undefined {
  const { ordered, course, isPaying, wasBooked } = place;
  const debits = debitsOf(place);
  const exact = debits.find((row) => isExact(ordered, row));
  if (isPaying) return wasBooked ? exact : debits[0];
  // On an account that is paid into, one debit can be the reversal of a row before the first one.
  return course.backs.length > 0 ? undefined : (exact ?? debits[0]);
}

function isExact({ amount }: Ordered, { change }: BookedRow): boolean {
  return amount?.equals(change.abs()) === true;
}
