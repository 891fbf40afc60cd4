import { answerIds } from "../evidence/answer-ids.ts";
import type { Movement, MovementKind } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { amountsIn, payingWallet, receiverOf, requestOf } from "../journal/requests/movement-request.ts";
import type { Decimal } from "../values/money/decimal.ts";
import type { Debit } from "./returns.ts";

/** What is kept of an order: there can be a million of them. */
export interface OrderKind {
  readonly kind: MovementKind;
  /** Its reference, and the ids of its answers. */
  readonly ids: readonly string[];
  /** Our account that it is paid from; undefined where the service chooses one, or money comes in. */
  readonly payer: string | undefined;
  /** Our account that it is paid into; undefined where the order names none. */
  readonly receiver: string | undefined;
  readonly amounts: readonly Decimal[];
  /** False where it was refused or never sent. */
  readonly mayHaveMoved: boolean;
}

/** The orders of an account, by each id that a row can have of them. Orders of several kinds may share a reference. */
export class OrderKinds {
  readonly #first = new Map<string, OrderKind>();
  /** Further orders under an id; few ids have any. */
  readonly #others = new Map<string, OrderKind[]>();

  add(movement: Movement): void {
    const { kind, state } = movement;
    const request = requestOf(movement);
    const order: OrderKind = {
      kind,
      ids: [movement.reference, ...answerIds(movement)],
      payer: payingWallet(kind, request),
      receiver: kind === "transfer" ? receiverOf(kind, request)?.account : undefined,
      amounts: amountsIn(kind, request).map(({ amount }) => amount),
      mayHaveMoved: state !== "refused" && state !== "unsent",
    };
    for (const id of new Set(order.ids)) {
      if (!this.#first.has(id)) this.#first.set(id, order);
      else this.#others.set(id, [...(this.#others.get(id) ?? []), order]);
    }
  }

  /**
   * The order that a row belongs to: among several under one id, the one that moves money as the row does.
   * @param sign 1 where the order's money comes into the row's account, -1 where it leaves
   */
  of(row: Debit, sign = row.change.sign): OrderKind | undefined {
    for (const id of row.ids) {
      const first = this.#first.get(id);
      if (first === undefined) continue;
      const others = this.#others.get(id) ?? [];
      return others.reduce((best, each) => (fitOf(each, row, sign) > fitOf(best, row, sign) ? each : best), first);
    }
    return undefined;
  }
}

/** How well an order fits a row: by direction first, then by amount, then by an account that it names. */
function fitOf({ kind, payer, receiver, amounts, mayHaveMoved }: OrderKind, row: Debit, sign: number): number {
  const { accountNo } = row.account;
  const isNamed = accountNo === payer || accountNo === receiver;
  const isIncoming = movementForms[kind].direction === "comes in";
  const own = isIncoming || accountNo === receiver ? 1 : payer === undefined || isNamed ? -1 : 0;
  const isAmount = amounts.some((amount) => amount.equals(row.change.abs()));
  return 8 * Number(own === sign) + 4 * Number(isAmount) + 2 * Number(isNamed) + Number(mayHaveMoved);
}
