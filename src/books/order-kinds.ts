import { answerIds } from "../evidence/answer-ids.ts";
import type { Movement, MovementKind } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { amountsIn, payingWallet, receiverOf, requestOf } from "../journal/requests/movement-request.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { Debit } from "./returns.ts";

/** What tells an order's rows from those of another order under the same id. */
export interface OrderForm {
  readonly kind: MovementKind;
  /** Our account that it is paid from; undefined where the service chooses one, or money comes in. */
  readonly payer: string | undefined;
  /** Our account that it is paid into; undefined where the order names none. */
  readonly receiver: string | undefined;
  readonly amounts: readonly Decimal[];
  /** False where it was refused or never sent. */
  readonly mayHaveMoved: boolean;
}

/** What is kept of an order: there can be a million of them. */
export interface OrderKind extends OrderForm {
  /** Its reference, and the ids of its answers. */
  readonly ids: readonly string[];
}

export function formOf({ kind, request: text, state }: Pick<Movement, "kind" | "request" | "state">): OrderForm {
  const request = requestOf({ request: text });
  return {
    kind,
    payer: payingWallet(kind, request),
    receiver: kind === "transfer" ? receiverOf(kind, request)?.account : undefined,
    amounts: amountsIn(kind, request).map(({ amount }) => amount),
    mayHaveMoved: state !== "refused" && state !== "unsent",
  };
}

/** The orders of an account, by each id that a row can have of them. Orders of several kinds may share a reference. */
export class OrderKinds {
  readonly #first = new Map<string, OrderKind>();
  /** Further orders under an id; few ids have any. */
  readonly #others = new Map<string, OrderKind[]>();

  add(movement: Movement): void {
    const order = { ...formOf(movement), ids: [movement.reference, ...answerIds(movement)] };
    for (const id of new Set(order.ids)) {
      const others = this.#others.get(id);
      if (!this.#first.has(id)) this.#first.set(id, order);
      else if (others === undefined) this.#others.set(id, [order]);
      else others.push(order);
    }
  }

  /**
   * The order that a row belongs to. Among several under one id, it is the best fit by direction, amount and account.
   * @param sign 1 where the order's money comes into the row's account, -1 where it leaves
   */
  of(row: Debit, sign = row.change.sign): OrderKind | undefined {
    for (const id of row.ids) {
      const first = this.#first.get(id);
      if (first === undefined) continue;
      return bestFit([first, ...(this.#others.get(id) ?? [])], (each) => each, { ...row, id, sign });
    }
    return undefined;
  }
}

/** What a row shows of its order. */
interface Shown extends Debit {
  /** The id under which the orders are known. */
  readonly id: string;
  /** 1 where the order's money comes into the row's account, -1 where it leaves. */
  readonly sign: number;
}

/** The order that fits a row best, the first one among equals; undefined where there is none. */
export function bestFit<Order>(
  orders: readonly Order[],
  form: (order: Order) => OrderForm,
  row: Shown,
): Order | undefined {
  if (orders.length < 2) return orders[0];
  let [best, most]: [Order | undefined, number] = [undefined, -1];
  for (const order of orders) {
    const fit = fitOf(form(order), row);
    if (fit > most) [best, most] = [order, fit];
  }
  return best;
}

function fitOf({ kind, payer, receiver, amounts, mayHaveMoved }: OrderForm, row: Shown): number {
  const { accountNo } = row.account;
  const { direction, reference } = movementForms[kind];
  const isNamed = accountNo === payer || accountNo === receiver;
  const own = direction === "comes in" || accountNo === receiver ? 1 : payer === undefined || isNamed ? -1 : 0;
  const isAmount = own !== 0 && amounts.some((amount) => amount.equals(row.change.abs()));
  const isWritten = (row.ids[0] === row.id) === (reference.as === "itself");
  return (
    4 * Number(own === row.sign) +
    4 * Number(isAmount) +
    2 * Number(isNamed) +
    Number(mayHaveMoved) +
    Number(isWritten) / 2
  );
}
